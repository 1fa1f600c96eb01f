import COTPOpenSSL
public import OTP

/// Keys of one algorithm over libcrypto.
public struct OpenSSLKeyring: HMACKeyring {
  public let algorithm: HashAlgorithm
  let implementation: OpenSSLLibrary.Implementation
  private let storage: KeyStorage
  // One of the two stays empty.
  private var absorbedKeys = ChunkedKeys<AbsorbedKeys>()
  private var rawKeys = ChunkedKeys<RawKeys>()

  init(
    algorithm: HashAlgorithm, implementation: OpenSSLLibrary.Implementation, storage: KeyStorage
  ) {
    self.algorithm = algorithm
    self.implementation = implementation
    self.storage = storage
  }

  public var count: Int { absorbedKeys.count + rawKeys.count }

  /// A key is set once.
  public var prefersStepsOfAKeyTogether: Bool { storage == .compact }

  public mutating func append(_ secrets: [Secret]) throws(OTPError) {
    switch storage {
    case .prepared:
      try absorbedKeys.append(secrets) {
        AbsorbedKeys(implementation, blockLength: algorithm.blockLength)
      }
    case .compact:
      try checkKeys(secrets)
      try rawKeys.append(secrets) { RawKeys() }
    }
  }

  public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try check(key: key)
    switch storage {
    case .prepared: try absorbedKeys.replace(key, with: secret)
    case .compact:
      try checkKeys([secret])
      try rawKeys.replace(key, with: secret)
    }
  }

  /// Lets the provider refuse keys (short ones under FIPS, say) before a batch comes upon them.
  private func checkKeys(_ secrets: [Secret]) throws(OTPError) {
    if secrets.isEmpty { return }
    var context = try MACContext(copying: implementation.mac)
    for secret in secrets {
      try secret.withBytes { (key) throws(OTPError) in try context.begin(key: key) }
    }
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    if keys.isEmpty { return }
    try withWipedScratch(of: UInt8.self, count: algorithm.digestLength) {
      (digest) throws(OTPError) in
      switch storage {
      case .prepared: try copyContexts(keys, counters, digest, &output)
      case .compact: try keyOneContext(keys, counters, digest, &output)
      }
    }
  }

  /// Each code starts from copies of the key's contexts.
  private func copyContexts(
    _ keys: Span<Int>, _ counters: Span<UInt64>, _ digest: UnsafeMutablePointer<UInt8>,
    _ output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    guard let scratch = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(scratch) }
    for index in keys.indices {
      let key = keys[index]
      let context = absorbedKeys[chunkOf: key][ChunkedKeys<AbsorbedKeys>.slot(of: key)]
      var movingFactor = counters[index].bigEndian
      guard EVP_MD_CTX_copy_ex(scratch, context.inner) == 1,
        EVP_DigestUpdate(scratch, &movingFactor, 8) == 1,
        EVP_DigestFinal_ex(scratch, digest, nil) == 1,
        EVP_MD_CTX_copy_ex(scratch, context.outer) == 1,
        EVP_DigestUpdate(scratch, digest, algorithm.digestLength) == 1,
        EVP_DigestFinal_ex(scratch, digest, nil) == 1
      else { throw .openSSL("EVP_MD_CTX_copy_ex or EVP_Digest") }
      output[index] = truncate(Span(_unsafeStart: digest, count: algorithm.digestLength))
    }
  }

  /// One context is given one key after the other.
  private func keyOneContext(
    _ keys: Span<Int>, _ counters: Span<UInt64>, _ digest: UnsafeMutablePointer<UInt8>,
    _ output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    var context = try MACContext(copying: implementation.mac)
    for index in keys.indices {
      let key = keys[index]
      if implementation.keepsKeys, index > 0, keys[index - 1] == key {
        try context.beginAgain()
      } else {
        let slot = ChunkedKeys<RawKeys>.slot(of: key)
        try rawKeys[chunkOf: key].withKey(slot) { (key) throws(OTPError) in
          try context.begin(key: key)
        }
      }
      try withUnsafeBytes(of: counters[index].bigEndian) { (message) throws(OTPError) in
        try context.finish(
          Span(_unsafeBytes: message), into: digest, length: algorithm.digestLength)
      }
      output[index] = truncate(Span(_unsafeStart: digest, count: algorithm.digestLength))
    }
  }
}
