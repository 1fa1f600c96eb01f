public import OTP

/// Prepared keys over libgcrypt: one keyed handle per key.
public struct GcryptKeyring: HMACKeyring {
  public let algorithm: HashAlgorithm
  private var keys = ChunkedKeys<KeyedHandles>()

  public var count: Int { keys.count }

  init(_ secrets: [Secret], algorithm: HashAlgorithm) throws(OTPError) {
    self.algorithm = algorithm
    try append(secrets)
  }

  public mutating func append(_ secrets: [Secret]) throws(OTPError) {
    try keys.append(secrets) { KeyedHandles(algorithm: algorithm) }
  }

  public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try check(key: key)
    try keys.replace(key, with: secret)
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    var start = 0
    while start < keys.count {
      // Neighbours that share a lock take it once.
      let handles = self.keys[chunkOf: keys[start]]
      var end = start + 1
      while end < keys.count, keys[end] >> KeyedHandles.bits == keys[start] >> KeyedHandles.bits {
        end += 1
      }
      try handles.withHandles { (handles) throws(OTPError) in
        for index in start..<end {
          output[index] = try handles.truncatedValue(
            slot: ChunkedKeys<KeyedHandles>.slot(of: keys[index]), counter: counters[index])
        }
      }
      start = end
    }
  }
}
