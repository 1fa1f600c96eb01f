import COTPOpenSSL
public import OTP

/// HMAC over OpenSSL's libcrypto, 3.0 or later, through its EVP interface.
///
/// One message goes through the provider's own HMAC. In bulk, a keyring holds two digest contexts per
/// key, which have absorbed key ^ ipad and key ^ opad, and each code starts from copies of them: with
/// OpenSSL 3.0 that is faster than re-initialising a keyed HMAC context, needs half the memory, and
/// the contexts are only read, so tasks share a keyring without a lock. (The digests come from the
/// provider; a validation that covers HMAC as a whole covers the one-message form alone.)
public struct OpenSSLBackend: HMACBackend {
  private let library: OpenSSLLibrary

  /// - Parameter properties: a property query that chooses between providers' implementations, such
  ///   as `fips=yes` (property(7) in OpenSSL's manual).
  /// - Throws: `invalidArgument` for a query that OpenSSL cannot read; `backendUnavailable` when no loaded
  ///   provider has HMAC and one of the three hashes.
  public init(properties: String? = nil) throws(OTPError) {
    library = try OpenSSLLibrary(properties: properties)
  }

  public var information: BackendInformation {
    let settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS).map { String(cString: $0) }
    return BackendInformation(
      name: "openssl", library: String(cString: OpenSSL_version(OPENSSL_VERSION)),
      license: "Apache-2.0", algorithms: HashAlgorithm.allCases.filter(library.supports),
      instructionSet: settings ?? "unknown")
  }

  public func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    guard let context = EVP_MAC_CTX_dup(try library.implementation(of: algorithm).mac) else {
      throw .openSSL("EVP_MAC_CTX_dup")
    }
    defer { EVP_MAC_CTX_free(context) }
    // A null key would mean "keep the old one": an empty key needs an address too.
    let initialized = key.withBytesOrAddress { EVP_MAC_init(context, $0, $1, nil) }
    guard initialized == 1 else { throw .openSSL("EVP_MAC_init") }
    let updated = message.withBytesOrAddress { EVP_MAC_update(context, $0, $1) }
    guard updated == 1 else { throw .openSSL("EVP_MAC_update") }
    var code = [UInt8](repeating: 0, count: algorithm.digestLength)
    var length = 0
    guard EVP_MAC_final(context, &code, &length, code.count) == 1, length == code.count else {
      throw .openSSL("EVP_MAC_final")
    }
    return code
  }

  public func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> OpenSSLKeyring {
    var keyring = OpenSSLKeyring(
      algorithm: algorithm, implementation: try library.implementation(of: algorithm))
    try keyring.append(secrets)
    return keyring
  }
}

/// Prepared keys over libcrypto.
public struct OpenSSLKeyring: HMACKeyring {
  public let algorithm: HashAlgorithm
  let implementation: OpenSSLLibrary.Implementation
  private var keys = ChunkedKeys<AbsorbedKeys>()

  init(algorithm: HashAlgorithm, implementation: OpenSSLLibrary.Implementation) {
    self.algorithm = algorithm
    self.implementation = implementation
  }

  public var count: Int { keys.count }

  public mutating func append(_ secrets: [Secret]) throws(OTPError) {
    try keys.append(secrets) {
      AbsorbedKeys(implementation, blockLength: algorithm.blockLength)
    }
  }

  public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try check(key: key)
    try keys.replace(key, with: secret)
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    guard let scratch = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(scratch) }
    try withWipedScratch(of: UInt8.self, count: algorithm.digestLength) {
      (digest) throws(OTPError) in
      for index in keys.indices {
        let key = keys[index]
        let context = self.keys[chunkOf: key][ChunkedKeys<AbsorbedKeys>.slot(of: key)]
        var movingFactor = counters[index].bigEndian
        guard EVP_MD_CTX_copy_ex(scratch, context.inner) == 1,
          EVP_DigestUpdate(scratch, &movingFactor, 8) == 1,
          EVP_DigestFinal_ex(scratch, digest, nil) == 1,
          EVP_MD_CTX_copy_ex(scratch, context.outer) == 1,
          EVP_DigestUpdate(scratch, digest, algorithm.digestLength) == 1,
          EVP_DigestFinal_ex(scratch, digest, nil) == 1
        else { throw .openSSL("EVP_MD_CTX_copy_ex or EVP_Digest") }
        output[index] = truncate(
          Span(_unsafeStart: digest, count: algorithm.digestLength))
      }
    }
  }
}

extension Span<UInt8> {
  /// Lends the bytes, with some valid address even when there are none.
  fileprivate func withBytesOrAddress<R>(_ body: (UnsafePointer<UInt8>, Int) -> R) -> R {
    withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { return body(start, bytes.count) }
      return withUnsafePointer(to: 0) { body($0, 0) }
    }
  }
}
