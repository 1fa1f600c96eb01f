extension HashFunction {
  /// Hashes the rest of a message into `state`, padding included (FIPS 180-4 section 5.1).
  ///
  /// - Parameters:
  ///   - message: what follows the bytes that `state` has absorbed already.
  ///   - absorbed: the number of those bytes, whole blocks.
  ///   - schedule: scratch of ``rounds`` words.
  static func finish(
    _ state: UnsafeMutablePointer<Lane>, with message: Span<UInt8>, absorbed: Int,
    schedule: UnsafeMutablePointer<Lane>
  ) {
    let bitCount = UInt64(absorbed + message.count) * 8
    // The byte 0x80, zeros, and the length in two words.
    let blocks = (message.count + 1 + 2 * wordBytes + blockBytes - 1) / blockBytes
    for block in 0..<blocks {
      for word in 0..<16 {
        schedule[word] = paddedWord(message, at: block * blockBytes + word * wordBytes)
      }
      if block == blocks - 1 {
        schedule[14] = wordBytes == 4 ? Lane(truncatingIfNeeded: bitCount >> 32) : 0
        schedule[15] = Lane(truncatingIfNeeded: bitCount)
      }
      compressBlock(state, schedule)
    }
  }

  /// Runs the compression function over the 16 words in `schedule`.
  @inline(never)
  static func compressBlock(
    _ state: UnsafeMutablePointer<Lane>, _ schedule: UnsafeMutablePointer<Lane>
  ) {
    expand(schedule)
    compress(state, schedule)
  }

  /// The big-endian word at `offset` of the message, the byte 0x80 and zeros.
  static func paddedWord(_ message: Span<UInt8>, at offset: Int) -> Lane {
    var word: Lane = 0
    for index in offset..<(offset + wordBytes) {
      let byte: UInt8 = index < message.count ? message[index] : index == message.count ? 0x80 : 0
      word = word &<< 8 | Lane(truncatingIfNeeded: byte)
    }
    return word
  }

  /// The digest's bytes, big endian.
  static func digest(of state: UnsafePointer<Lane>) -> [UInt8] {
    [UInt8](capacity: digestBytes) { bytes in
      for word in 0..<digestWords {
        for shift in stride(from: Lane.bitWidth - 8, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: state[word] >> Lane(truncatingIfNeeded: shift)))
        }
      }
    }
  }
}
