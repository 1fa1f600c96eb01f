/// The hash states of many keys after absorbing key ^ ipad and key ^ opad (RFC 2104 section 2): for each key
/// the inner state's words, then the outer's, in the machine's byte order. They are as secret as the keys.
///
/// The keys lie in chunks of ``chunkCount``, so that growing moves nothing and leaves no copy behind. A value
/// that is copied shares its chunks until one of the copies changes.
package struct AbsorbedStates: Sendable {
  /// Bytes of one key's two states.
  package let keyBytes: Int
  package private(set) var count = 0

  private var chunks: [SecretMemory] = []
  /// Where each chunk begins.
  private var addresses: [UInt] = []

  /// Key `k` is in chunk `k >> chunkBits`.
  package static var chunkBits: Int { 10 }
  package static var chunkCount: Int { 1 << chunkBits }

  package init(keyBytes: Int) {
    self.keyBytes = keyBytes
  }

  /// Keys whose states are all zeros, for measuring.
  package init(zeroKeys count: Int, keyBytes: Int) {
    self.init(keyBytes: keyBytes)
    precondition(count <= Self.chunkCount)
    makeRoom(for: count, used: 0)
    self.count = count
  }

  /// Adds as many keys as there are secrets.
  /// - Parameter absorb: writes the states of some secrets, ``keyBytes`` bytes each, from an address on that is
  ///   aligned to 8.
  package mutating func append(
    _ secrets: [Secret], absorb: (ArraySlice<Secret>, UnsafeMutableRawPointer) -> Void
  ) {
    var rest = secrets[...]
    while !rest.isEmpty {
      let used = count % Self.chunkCount
      makeRoom(for: min(used + rest.count, Self.chunkCount), used: used)
      let part = rest.prefix(Self.chunkCount - used)
      chunks[chunks.count - 1].withMutableBytes { memory in
        guard let start = memory.baseAddress else { return }
        absorb(part, start + used * keyBytes)
      }
      count += part.count
      rest = rest.dropFirst(part.count)
    }
  }

  /// Puts another key in the place of one.
  package mutating func replace(
    _ key: Int, with secret: Secret,
    absorb: (ArraySlice<Secret>, UnsafeMutableRawPointer) -> Void
  ) {
    precondition((0..<count).contains(key))
    let chunk = key >> Self.chunkBits
    if !isKnownUniquelyReferenced(&chunks[chunk]) {
      setChunk(chunk, SecretMemory(copying: chunks[chunk], count: chunks[chunk].count))
    }
    chunks[chunk].withMutableBytes { memory in
      guard let start = memory.baseAddress else { return }
      absorb([secret], start + (key & (Self.chunkCount - 1)) * keyBytes)
    }
  }

  /// Sees to it that the last chunk, of which `used` keys are taken, is this value's alone and has room for
  /// `needed`.
  private mutating func makeRoom(for needed: Int, used: Int) {
    if used == 0 {
      chunks.append(SecretMemory(count: needed * keyBytes) { _ in })
      addresses.append(0)
      setChunk(chunks.count - 1, chunks[chunks.count - 1])
      return
    }
    let last = chunks.count - 1
    let room = chunks[last].count / keyBytes
    if room < needed {
      // Doubled, so that keys that come one by one are copied seldom.
      let capacity = min(max(needed, 2 * room), Self.chunkCount)
      setChunk(last, SecretMemory(copying: chunks[last], count: capacity * keyBytes))
    } else if !isKnownUniquelyReferenced(&chunks[last]) {
      setChunk(last, SecretMemory(copying: chunks[last], count: chunks[last].count))
    }
  }

  private mutating func setChunk(_ index: Int, _ memory: SecretMemory) {
    chunks[index] = memory
    addresses[index] = memory.withBytes { UInt(bitPattern: $0.baseAddress) }
  }

  /// Lends the addresses of the chunks; without a key, `body` is not called.
  package func withChunks(_ body: (UnsafePointer<UnsafeRawPointer>) -> Void) {
    defer { withExtendedLifetime(chunks) {} }
    addresses.withUnsafeBytes { addresses in
      guard count > 0, let start = addresses.baseAddress else { return }
      body(start.assumingMemoryBound(to: UnsafeRawPointer.self))
    }
  }
}
