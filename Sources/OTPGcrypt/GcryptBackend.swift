import COTPGcrypt
public import OTP

/// HMAC over libgcrypt, 1.8 or later.
///
/// In bulk there are two ways:
///
/// - ``KeyStorage/prepared``: a keyring holds one keyed handle per key, which is reset to its keyed state for
///   each code. A reset changes the handle, so the handles are spread over a number of locks: tasks that verify
///   different credentials at once seldom meet.
/// - ``KeyStorage/compact``: a keyring holds the bytes of the keys, and each call keys one handle of its own with
///   one after the other, without a lock. For tens of millions of keys.
public struct GcryptBackend: HMACBackend {
  private let algorithms: [HashAlgorithm]
  private let storage: KeyStorage

  /// Initialises libgcrypt for this process unless some other part of it has done so.
  /// - Parameter keys: what keyrings hold.
  /// - Throws: `backendUnavailable` when the loaded library is too old or refuses to start.
  public init(keys: KeyStorage = .prepared) throws(OTPError) {
    try GcryptLibrary.start()
    storage = keys
    algorithms = HashAlgorithm.allCases.filter {
      gcry_md_algo_info($0.gcryptNumber, Int32(GCRYCTL_TEST_ALGO.rawValue), nil, nil) == 0
    }
  }

  public var information: BackendInformation {
    BackendInformation(
      name: storage == .compact ? "gcrypt-compact" : "gcrypt",
      library: "libgcrypt \(GcryptLibrary.version)",
      license: "LGPL-2.1-or-later", algorithms: algorithms,
      instructionSet: GcryptLibrary.hardwareFeatures)
  }

  public func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    var handle = try KeyedHandle(algorithm: try supported(algorithm), key: key)
    return try handle.withCode(of: message) { code in
      [UInt8](UnsafeBufferPointer(start: code, count: algorithm.digestLength))
    }
  }

  public func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> GcryptKeyring {
    var keyring = GcryptKeyring(algorithm: try supported(algorithm), storage: storage)
    try keyring.append(secrets)
    return keyring
  }

  private func supported(_ algorithm: HashAlgorithm) throws(OTPError) -> HashAlgorithm {
    guard algorithms.contains(algorithm) else {
      throw OTPError(.unsupportedAlgorithm, "this libgcrypt has no \(algorithm.name)")
    }
    return algorithm
  }
}
