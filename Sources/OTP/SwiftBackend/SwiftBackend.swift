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
  public let count: Int
  package let states: SecretMemory

  init(_ secrets: [Secret], algorithm: HashAlgorithm) {
    self.algorithm = algorithm
    count = secrets.count
    defer { wipeStack() }
    switch algorithm {
    case .sha1: states = HMAC<SHA1>.absorb(secrets)
    case .sha256: states = HMAC<SHA256>.absorb(secrets)
    case .sha512: states = HMAC<SHA512>.absorb(secrets)
    }
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    defer { wipeStack() }
    states.withBytes { states in
      // An empty keyring has no address, but then there is no pair either.
      guard let start = states.baseAddress else { return }
      switch algorithm {
      case .sha1:
        HMAC<SHA1>.truncatedValues(
          states: start.assumingMemoryBound(to: UInt32.self), keys: keys, counters: counters,
          into: &output)
      case .sha256:
        HMAC<SHA256>.truncatedValues(
          states: start.assumingMemoryBound(to: UInt32.self), keys: keys, counters: counters,
          into: &output)
      case .sha512:
        HMAC<SHA512>.truncatedValues(
          states: start.assumingMemoryBound(to: UInt64.self), keys: keys, counters: counters,
          into: &output)
      }
    }
  }
}

extension HMAC {
  fileprivate static func absorb(_ secrets: [Secret]) -> SecretMemory {
    let words = secrets.count * keyWords
    return SecretMemory(count: words * Hash.wordBytes) { memory in
      guard let states = memory.bindMemory(to: Lane.self).baseAddress else { return }
      for (index, secret) in secrets.enumerated() {
        secret.withBytes { absorb(key: $0, into: states + index * keyWords) }
      }
    }
  }
}
