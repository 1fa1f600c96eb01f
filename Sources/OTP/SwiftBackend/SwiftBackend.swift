/// HMAC in pure Swift: needs no library and no compiler flags.
///
/// In bulk, each lane of a vector is another (key, counter) pair.
public struct SwiftBackend: HMACBackend {
  /// The version of this package.
  public static let version = "0.1.0"

  public init() {}

  public var information: BackendInformation {
    BackendInformation(
      name: "swift", library: "swift-otp \(Self.version)", license: "Apache-2.0",
      algorithms: HashAlgorithm.allCases, instructionSet: Self.instructionSet)
  }

  private static var instructionSet: String {
    #if arch(x86_64)
      "SSE2 (x86-64 baseline)"
    #elseif arch(arm64)
      "NEON (arm64 baseline)"
    #else
      "baseline"
    #endif
  }

  public func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) -> [UInt8] {
    defer { wipeStack() }
    return switch algorithm {
    case .sha1: HMAC<SHA1>.authenticationCode(for: message, key: key)
    case .sha256: HMAC<SHA256>.authenticationCode(for: message, key: key)
    case .sha512: HMAC<SHA512>.authenticationCode(for: message, key: key)
    }
  }

  public func makeKeyring(_ secrets: [Secret], algorithm: HashAlgorithm) -> SwiftKeyring {
    SwiftKeyring(secrets, algorithm: algorithm)
  }
}

/// Prepared keys of the pure Swift backend: for each, the states after absorbing ipad and opad (40, 64
/// or 128 bytes), in memory that is wiped on release.
public struct SwiftKeyring: HMACKeyring {
  public let algorithm: HashAlgorithm
  package private(set) var states: AbsorbedStates

  public var count: Int { states.count }

  init(_ secrets: [Secret], algorithm: HashAlgorithm) {
    self.algorithm = algorithm
    states = AbsorbedStates(keyBytes: algorithm.absorbedKeyBytes)
    append(secrets)
  }

  public mutating func append(_ secrets: [Secret]) {
    defer { wipeStack() }
    states.append(secrets, absorb: absorb)
  }

  public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try check(key: key)
    defer { wipeStack() }
    states.replace(key, with: secret, absorb: absorb)
  }

  private var absorb: (ArraySlice<Secret>, UnsafeMutableRawPointer) -> Void {
    switch algorithm {
    case .sha1: HMAC<SHA1>.absorb
    case .sha256: HMAC<SHA256>.absorb
    case .sha512: HMAC<SHA512>.absorb
    }
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    defer { wipeStack() }
    states.withChunks { chunks in
      switch algorithm {
      case .sha1:
        HMAC<SHA1>.truncatedValues(chunks, keys: keys, counters: counters, into: &output)
      case .sha256:
        HMAC<SHA256>.truncatedValues(chunks, keys: keys, counters: counters, into: &output)
      case .sha512:
        HMAC<SHA512>.truncatedValues(chunks, keys: keys, counters: counters, into: &output)
      }
    }
  }
}

extension HMAC {
  fileprivate static func absorb(
    _ secrets: ArraySlice<Secret>, into states: UnsafeMutableRawPointer
  ) {
    var words = states.assumingMemoryBound(to: Lane.self)
    for secret in secrets {
      secret.withBytes { absorb(key: $0, into: words) }
      words += keyWords
    }
  }
}

extension HashAlgorithm {
  /// Bytes of a key's two absorbed states.
  package var absorbedKeyBytes: Int {
    switch self {
    case .sha1: 40
    case .sha256: 64
    case .sha512: 128
    }
  }
}
