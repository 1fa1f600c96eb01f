public import OTP

/// Keys of one algorithm over libgcrypt.
public struct GcryptKeyring: HMACKeyring {
  public let algorithm: HashAlgorithm
  private let storage: KeyStorage
  // One of the two stays empty.
  private var handles = ChunkedKeys<KeyedHandles>()
  private var rawKeys = ChunkedKeys<RawKeys>()

  init(algorithm: HashAlgorithm, storage: KeyStorage) {
    self.algorithm = algorithm
    self.storage = storage
  }

  public var count: Int { handles.count + rawKeys.count }

  /// A key is set once, or a handle is brought into the processor's cache once.
  public var prefersStepsOfAKeyTogether: Bool { true }

  public mutating func append(_ secrets: [Secret]) throws(OTPError) {
    switch storage {
    case .prepared: try handles.append(secrets) { KeyedHandles(algorithm: algorithm) }
    case .compact:
      try checkKeys(secrets)
      try rawKeys.append(secrets) { RawKeys() }
    }
  }

  public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try check(key: key)
    switch storage {
    case .prepared: try handles.replace(key, with: secret)
    case .compact:
      try checkKeys([secret])
      try rawKeys.replace(key, with: secret)
    }
  }

  /// Lets the library refuse keys (short ones in FIPS mode, say) before a batch comes upon them.
  private func checkKeys(_ secrets: [Secret]) throws(OTPError) {
    guard let first = secrets.first else { return }
    var handle = try KeyedHandle(algorithm: algorithm, secret: first)
    for secret in secrets.dropFirst() {
      try secret.withBytes { (key) throws(OTPError) in try handle.setKey(key) }
    }
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    if keys.isEmpty { return }
    switch storage {
    case .prepared: try resetHandles(keys, counters, &output)
    case .compact: try keyOneHandle(keys, counters, &output)
    }
  }

  /// Each key has a handle of its own.
  private func resetHandles(
    _ keys: Span<Int>, _ counters: Span<UInt64>, _ output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    var start = 0
    while start < keys.count {
      // Neighbours that share a lock take it once.
      let handles = handles[chunkOf: keys[start]]
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

  /// One handle is given one key after the other.
  private func keyOneHandle(
    _ keys: Span<Int>, _ counters: Span<UInt64>, _ output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    var handle = try withKey(keys[0]) { (key) throws(OTPError) in
      try KeyedHandle(algorithm: algorithm, key: key)
    }
    for index in keys.indices {
      if index > 0, keys[index] != keys[index - 1] {
        try withKey(keys[index]) { (key) throws(OTPError) in try handle.setKey(key) }
      }
      output[index] = try handle.truncatedValue(counter: counters[index])
    }
  }

  private func withKey<R: ~Copyable>(
    _ key: Int, _ body: (Span<UInt8>) throws(OTPError) -> R
  ) throws(OTPError) -> R {
    try rawKeys[chunkOf: key].withKey(ChunkedKeys<RawKeys>.slot(of: key), body)
  }
}
