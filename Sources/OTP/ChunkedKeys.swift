/// A number of prepared keys of a C library.
package protocol KeyChunk: AnyObject, Sendable {
  /// Keys that a chunk holds at most are 1 << `bits`.
  static var bits: Int { get }

  var count: Int { get }

  // The caller of these is the chunk's only owner (`isKnownUniquelyReferenced`).

  func append(_ secret: Secret) throws(OTPError)
  func replace(_ slot: Int, with secret: Secret) throws(OTPError)
  func removeLast(_ count: Int)

  func copy() throws(OTPError) -> Self
}

/// Prepared keys in chunks, so that growing moves nothing. A value that is copied shares its chunks until one of
/// the copies changes.
package struct ChunkedKeys<Chunk: KeyChunk>: Sendable {
  package private(set) var count = 0
  private var chunks: [Chunk] = []

  package init() {}

  /// The chunk of a key.
  package subscript(chunkOf key: Int) -> Chunk { chunks[key >> Chunk.bits] }

  /// The place of a key in its chunk.
  package static func slot(of key: Int) -> Int { key & (1 << Chunk.bits - 1) }

  /// Adds as many keys as there are secrets, or none when one of them fails.
  package mutating func append(
    _ secrets: [Secret], makeChunk: () -> Chunk
  ) throws(OTPError) {
    let before = count
    do throws(OTPError) {
      for secret in secrets {
        if Self.slot(of: count) == 0 { chunks.append(makeChunk()) }
        try ensureUnique(chunks.count - 1)
        try chunks[chunks.count - 1].append(secret)
        count += 1
      }
    } catch {
      while let last = chunks.last, count - before >= last.count {
        count -= last.count
        chunks.removeLast()
      }
      if count > before {
        chunks[chunks.count - 1].removeLast(count - before)
        count = before
      }
      throw error
    }
  }

  package mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    let chunk = key >> Chunk.bits
    try ensureUnique(chunk)
    try chunks[chunk].replace(Self.slot(of: key), with: secret)
  }

  private mutating func ensureUnique(_ chunk: Int) throws(OTPError) {
    if !isKnownUniquelyReferenced(&chunks[chunk]) { chunks[chunk] = try chunks[chunk].copy() }
  }
}
