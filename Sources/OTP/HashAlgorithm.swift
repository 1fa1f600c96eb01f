/// The hash under the HMAC (RFC 6238 section 1.2).
public enum HashAlgorithm: String, Hashable, Sendable, CaseIterable {
  case sha1, sha256, sha512

  /// The algorithm with this name: `SHA1`, `SHA256` or `SHA512`, in any ASCII case.
  /// - Throws: `unsupportedAlgorithm`. An unknown name never falls back to SHA-1, which would give
  ///   plausible wrong codes.
  public init(name: some StringProtocol) throws(OTPError) {
    let algorithm = Self.allCases.first { algorithm in
      algorithm.rawValue.utf8.elementsEqual(name.utf8.lazy.map(asciiLowercase))
    }
    guard let algorithm else {
      throw OTPError(.unsupportedAlgorithm, "the algorithm must be SHA1, SHA256 or SHA512")
    }
    self = algorithm
  }

  /// The name in otpauth URIs.
  public var name: String {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha512: "SHA512"
    }
  }

  /// Bytes of a digest.
  public var digestLength: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// Bytes of a block: a longer HMAC key is replaced by its digest (RFC 2104 section 2).
  public var blockLength: Int {
    switch self {
    case .sha1, .sha256: 64
    case .sha512: 128
    }
  }
}

/// The lower-case form of an ASCII letter; any other byte as it is.
func asciiLowercase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
