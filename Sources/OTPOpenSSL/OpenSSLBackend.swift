import COTPOpenSSL
public import OTP

/// HMAC over OpenSSL's libcrypto, 3.0 or later, through its EVP interface.
///
/// One message goes through the provider's own HMAC. In bulk there are two ways:
///
/// - ``KeyStorage/prepared``: a keyring holds two digest contexts per key, which have absorbed key ^ ipad and
///   key ^ opad, and each code starts from copies of them: with OpenSSL 3.0 that is faster than re-initialising
///   a keyed HMAC context, needs half the memory, and the contexts are only read, so tasks share a keyring
///   without a lock. The digests alone come from the provider.
/// - ``KeyStorage/compact``: a keyring holds the bytes of the keys, and each call keys one context of the
///   provider's own HMAC with one after the other. For tens of millions of keys; and where a validation (FIPS
///   140) covers HMAC as a whole, which is then what computes every code.
public struct OpenSSLBackend: HMACBackend {
  private let library: OpenSSLLibrary
  private let storage: KeyStorage

  /// - Parameters:
  ///   - properties: a property query that chooses between providers' implementations, such as `fips=yes`
  ///     (property(7) in OpenSSL's manual).
  ///   - keys: what keyrings hold.
  /// - Throws: `invalidArgument` for a query that OpenSSL cannot read; `backendUnavailable` when no loaded
  ///   provider has HMAC and one of the three hashes.
  public init(properties: String? = nil, keys: KeyStorage = .prepared) throws(OTPError) {
    library = try OpenSSLLibrary(properties: properties)
    storage = keys
  }

  public var information: BackendInformation {
    let settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS).map { String(cString: $0) }
    return BackendInformation(
      name: storage == .compact ? "openssl-compact" : "openssl",
      library: String(cString: OpenSSL_version(OPENSSL_VERSION)),
      license: "Apache-2.0", algorithms: HashAlgorithm.allCases.filter(library.supports),
      instructionSet: settings ?? "unknown")
  }

  public func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    var context = try MACContext(copying: library.implementation(of: algorithm).mac)
    try context.begin(key: key)
    var code = [UInt8](repeating: 0, count: algorithm.digestLength)
    try context.finish(message, into: &code, length: code.count)
    return code
  }

  public func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> OpenSSLKeyring {
    var keyring = OpenSSLKeyring(
      algorithm: algorithm, implementation: try library.implementation(of: algorithm),
      storage: storage)
    try keyring.append(secrets)
    return keyring
  }
}
