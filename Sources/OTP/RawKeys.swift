/// The bytes of some keys, one key behind the other, for a library that is given the key each time.
package final class RawKeys: KeyChunk {
  package static let bits = 8

  // Safe to share: both change in `append`, `replace` and `removeLast` alone, whose caller shares this object with
  // nobody.
  nonisolated(unsafe) private var memory = SecretMemory(count: 0) { _ in }
  /// Where each key ends.
  nonisolated(unsafe) private var ends: [Int] = []

  package init() {
    // Growing would leave as much room to spare.
    ends.reserveCapacity(1 << Self.bits)
  }

  package var count: Int { ends.count }

  package func append(_ secret: Secret) {
    let start = end
    let newEnd = start + secret.count
    let isFull = count + 1 == 1 << Self.bits
    if newEnd > memory.count || isFull {
      // Doubled, so that keys that come one by one are copied seldom; a full chunk has no room to spare.
      let capacity = isFull ? newEnd : max(newEnd, 2 * memory.count)
      memory = SecretMemory(copying: memory, count: capacity)
    }
    memory.withMutableBytes { secret.copy(to: $0, at: start) }
    ends.append(newEnd)
  }

  package func replace(_ slot: Int, with secret: Secret) {
    let old = range(of: slot)
    let growth = secret.count - old.count
    let end = end
    memory = SecretMemory(count: end + growth) { new in
      memory.withBytes { bytes in
        new.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<old.lowerBound]))
        UnsafeMutableRawBufferPointer(rebasing: new[(old.upperBound + growth)...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[old.upperBound..<end]))
      }
      secret.copy(to: new, at: old.lowerBound)
    }
    for slot in slot..<count { ends[slot] += growth }
  }

  package func removeLast(_ removed: Int) {
    let oldEnd = end
    ends.removeLast(removed)
    memory.withMutableBytes {
      wipe(UnsafeMutableRawBufferPointer(rebasing: $0[end..<oldEnd]))
    }
  }

  package func copy() -> RawKeys {
    let copy = RawKeys()
    copy.memory = SecretMemory(copying: memory, count: end)
    copy.ends += ends
    return copy
  }

  /// Lends the bytes of a key.
  package func withKey<R: ~Copyable>(
    _ slot: Int, _ body: (Span<UInt8>) throws(OTPError) -> R
  ) throws(OTPError) -> R {
    try memory.withBytes { (bytes) throws(OTPError) in
      let key = UnsafeRawBufferPointer(rebasing: bytes[range(of: slot)])
      return try body(Span(_unsafeBytes: key))
    }
  }

  private var end: Int { ends.last ?? 0 }

  private func range(of slot: Int) -> Range<Int> {
    (slot == 0 ? 0 : ends[slot - 1])..<ends[slot]
  }
}

extension Secret {
  /// Copies the key to a place in `memory`.
  fileprivate func copy(to memory: UnsafeMutableRawBufferPointer, at offset: Int) {
    withBytes { bytes in
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: $0)
      }
    }
  }
}
