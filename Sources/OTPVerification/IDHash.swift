/// The hash of a credential's id, which differs from process to process.
///
/// Multiplications that are folded in half, as in wyhash: some nanoseconds for an id, where the standard library's
/// hash takes tens. It is no defence against someone who may choose millions of ids and measures; a table's ids are
/// the server's.
func credentialHash(_ id: UnsafeRawBufferPointer) -> UInt {
  var hash = seeds.0 ^ UInt64(truncatingIfNeeded: id.count)
  var rest = id
  while rest.count > 16 {
    hash = mixed(word(rest, 0) ^ hash, word(rest, 8) ^ seeds.1)
    rest = UnsafeRawBufferPointer(rebasing: rest[16...])
  }
  let low: UInt64
  let high: UInt64
  if rest.count >= 8 {
    (low, high) = (word(rest, 0), word(rest, rest.count - 8))
  } else {
    var bytes: UInt64 = 0
    for byte in rest { bytes = bytes << 8 | UInt64(byte) }
    (low, high) = (bytes, 0)
  }
  return UInt(truncatingIfNeeded: mixed(mixed(low ^ hash, high ^ seeds.1), seeds.0))
}

// From the standard library's hash, whose key is random for each process, unless the environment says
// SWIFT_DETERMINISTIC_HASHING: then instructions can be counted again and again with the same result.
private let seeds = (seed(0), seed(1))

private func seed(_ number: Int) -> UInt64 { UInt64(truncatingIfNeeded: number.hashValue) | 1 }

@inline(__always)
private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
  bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}

@inline(__always)
private func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
  let product = left.multipliedFullWidth(by: right)
  return product.high ^ product.low
}
