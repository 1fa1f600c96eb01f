/// HMAC (RFC 2104) over one hash function.
///
/// A key is absorbed once: the states after the block key ^ ipad and after the block key ^ opad are
/// all that later work needs. They are as secret as the key.
enum HMAC<Hash: HashFunction> {
  typealias Lane = Hash.Lane

  /// Words of an absorbed key: the inner state, then the outer one.
  static var keyWords: Int { 2 * Hash.stateWords }

  /// Absorbs a key of any length into the ``keyWords`` words at `states`.
  static func absorb(key: Span<UInt8>, into states: UnsafeMutablePointer<Lane>) {
    withWipedScratch(of: Lane.self, count: 16 + Hash.rounds) { scratch in
      let keyBlock = scratch
      let schedule = scratch + 16
      for word in 0..<16 { keyBlock[word] = 0 }
      if key.count > Hash.blockBytes {
        Hash.writeInitialState(keyBlock)
        Hash.finish(keyBlock, with: key, absorbed: 0, schedule: schedule)
        for word in Hash.digestWords..<16 { keyBlock[word] = 0 }
      } else {
        for index in key.indices {
          let shift = Lane.bitWidth - 8 - index % Hash.wordBytes * 8
          keyBlock[index / Hash.wordBytes] |=
            Lane(truncatingIfNeeded: key[index]) << Lane(truncatingIfNeeded: shift)
        }
      }
      for (pad, state) in [(0x36, states), (0x5C, states + Hash.stateWords)] {
        let pads = Lane.max / 0xFF * Lane(truncatingIfNeeded: pad)
        for word in 0..<16 { schedule[word] = keyBlock[word] ^ pads }
        Hash.writeInitialState(state)
        Hash.compressBlock(state, schedule)
      }
    }
  }

  /// The HMAC of one message.
  static func authenticationCode(for message: Span<UInt8>, key: Span<UInt8>) -> [UInt8] {
    withWipedScratch(of: Lane.self, count: keyWords + Hash.rounds) { scratch in
      let inner = scratch
      let outer = scratch + Hash.stateWords
      let schedule = scratch + keyWords
      absorb(key: key, into: inner)
      Hash.finish(inner, with: message, absorbed: Hash.blockBytes, schedule: schedule)
      writeOuterMessage(innerDigest: inner, into: schedule)
      Hash.compressBlock(outer, schedule)
      return Hash.digest(of: outer)
    }
  }

  /// The block that the outer hash ends with: the inner digest and the padding.
  @inline(__always)
  private static func writeOuterMessage<Word: HashWord>(
    innerDigest: UnsafePointer<Word>, into schedule: UnsafeMutablePointer<Word>
  ) where Word.Lane == Lane {
    for word in 0..<Hash.digestWords { schedule[word] = innerDigest[word] }
    schedule[Hash.digestWords] = Word(repeating: 1 << Lane(truncatingIfNeeded: Lane.bitWidth - 1))
    for word in (Hash.digestWords + 1)..<15 { schedule[word] = Word(repeating: 0) }
    schedule[15] = Word(
      repeating: Lane(truncatingIfNeeded: (Hash.blockBytes + Hash.digestBytes) * 8))
  }

  /// The 31-bit truncated values of many (key, counter) pairs.
  /// - Parameter chunks: where the absorbed keys lie, as in ``AbsorbedStates``.
  static func truncatedValues(
    _ chunks: UnsafePointer<UnsafeRawPointer>, keys: Span<Int>, counters: Span<UInt64>,
    into output: inout MutableSpan<UInt32>
  ) {
    // A last pair alone is cheaper by itself than in a vector.
    let inVectors = keys.count % Hash.Vector.laneCount == 1 ? keys.count - 1 : keys.count
    truncatedValues(
      Hash.Vector.self, 0..<inVectors, chunks, keys: keys, counters: counters, into: &output)
    truncatedValues(
      Lane.self, inVectors..<keys.count, chunks, keys: keys, counters: counters, into: &output)
  }

  @inline(never)
  private static func truncatedValues<Word: HashWord>(
    _: Word.Type, _ range: Range<Int>, _ chunks: UnsafePointer<UnsafeRawPointer>,
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) where Word.Lane == Lane {
    guard !range.isEmpty else { return }
    withWipedScratch(of: Word.self, count: 2 * Hash.rounds + Hash.stateWords) { scratch in
      let schedule = scratch
      // Attempts of one time step share their counter, and with it the whole inner message: its
      // schedule is expanded once and kept for as long as whole vectors share it.
      let sharedSchedule = scratch + Hash.rounds
      var sharedCounter: UInt64?
      let state = scratch + 2 * Hash.rounds

      var start = range.lowerBound
      while start < range.upperBound {
        let lanes = start..<min(start + Word.laneCount, range.upperBound)
        let counter = counters[start]
        var inner = schedule
        if lanes.allSatisfy({ counters[$0] == counter }) {
          inner = sharedSchedule
          if sharedCounter != counter {
            writeInnerMessage(counters, lanes, into: sharedSchedule)
            Hash.expand(sharedSchedule)
            sharedCounter = counter
          }
        } else {
          writeInnerMessage(counters, lanes, into: schedule)
          Hash.expand(schedule)
        }
        load(chunks, keys, lanes, from: 0, into: state)
        Hash.compress(state, inner)

        writeOuterMessage(innerDigest: state, into: schedule)
        Hash.expand(schedule)
        load(chunks, keys, lanes, from: Hash.stateWords, into: state)
        Hash.compress(state, schedule)
        for index in lanes { output[index] = truncated(state, lane: index - start) }
        start = lanes.upperBound
      }
    }
  }

  /// The block that the inner hash ends with: the eight bytes of the counter and the padding. Lanes
  /// beyond the last pair repeat it.
  @inline(__always)
  private static func writeInnerMessage<Word: HashWord>(
    _ counters: Span<UInt64>, _ lanes: Range<Int>, into schedule: UnsafeMutablePointer<Word>
  ) where Word.Lane == Lane {
    let counterWords = 8 / Hash.wordBytes
    for lane in 0..<Word.laneCount {
      let counter = counters[min(lanes.lowerBound + lane, lanes.upperBound - 1)]
      for word in 0..<counterWords {
        let shift = UInt64(truncatingIfNeeded: (counterWords - 1 - word) * Lane.bitWidth)
        store(Lane(truncatingIfNeeded: counter >> shift), schedule + word, lane: lane)
      }
    }
    schedule[counterWords] = Word(repeating: 1 << Lane(truncatingIfNeeded: Lane.bitWidth - 1))
    for word in (counterWords + 1)..<15 { schedule[word] = Word(repeating: 0) }
    schedule[15] = Word(repeating: Lane(truncatingIfNeeded: (Hash.blockBytes + 8) * 8))
  }

  /// Gathers the states of the lanes' keys: the inner ones, from word 0, or the outer ones. Lanes beyond the
  /// last pair repeat it.
  @inline(__always)
  private static func load<Word: HashWord>(
    _ chunks: UnsafePointer<UnsafeRawPointer>, _ keys: Span<Int>, _ lanes: Range<Int>,
    from firstWord: Int, into state: UnsafeMutablePointer<Word>
  ) where Word.Lane == Lane {
    for lane in 0..<Word.laneCount {
      let index = keys[min(lanes.lowerBound + lane, lanes.upperBound - 1)]
      let chunk = chunks[index &>> AbsorbedStates.chunkBits].assumingMemoryBound(to: Lane.self)
      let key = chunk + ((index & (AbsorbedStates.chunkCount - 1)) * keyWords + firstWord)
      for word in 0..<Hash.stateWords { store(key[word], state + word, lane: lane) }
    }
  }

  @inline(__always)
  private static func store<Word: HashWord>(
    _ value: Lane, _ word: UnsafeMutablePointer<Word>, lane: Int
  ) where Word.Lane == Lane {
    UnsafeMutableRawPointer(word).storeBytes(
      of: value, toByteOffset: lane * Hash.wordBytes, as: Lane.self)
  }

  /// Dynamic truncation (RFC 4226 section 5.3) of one lane, on words: four bytes at an offset of up to
  /// 15 lie in one word or in two.
  @inline(__always)
  private static func truncated<Word: HashWord>(
    _ state: UnsafePointer<Word>, lane: Int
  ) -> UInt32 where Word.Lane == Lane {
    func word(_ index: Int) -> Lane {
      UnsafeRawPointer(state + index).load(fromByteOffset: lane * Hash.wordBytes, as: Lane.self)
    }
    let offset = Int(truncatingIfNeeded: word(Hash.digestWords - 1) & 15)
    let index = offset / Hash.wordBytes
    let shift = offset % Hash.wordBytes * 8
    // What is shifted out of the first word makes room for the second; a shift by a whole word
    // gives 0.
    let bits =
      word(index) << Lane(truncatingIfNeeded: shift)
      | word(index + 1) >> Lane(truncatingIfNeeded: Lane.bitWidth - shift)
    return UInt32(truncatingIfNeeded: bits >> Lane(truncatingIfNeeded: Lane.bitWidth - 32))
      & 0x7FFF_FFFF
  }
}
