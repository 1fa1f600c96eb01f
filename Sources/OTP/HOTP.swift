/// The parameters of counter-based one-time passwords (RFC 4226), checked once.
public struct HOTP: Hashable, Sendable {
  public let algorithm: HashAlgorithm

  /// Digits of a code: 6, 7 or 8.
  public let digits: Int

  /// - Throws: `invalidDigits` when `digits` is not 6, 7 or 8.
  public init(algorithm: HashAlgorithm = .sha1, digits: Int = 6) throws(OTPError) {
    try Self.check(digits: digits)
    self.algorithm = algorithm
    self.digits = digits
  }

  /// The code of one value of the counter.
  /// - Throws: what the backend throws; the pure Swift backend throws nothing.
  public func code(
    for secret: Secret, counter: UInt64, using backend: some HMACBackend = SwiftBackend()
  ) throws(OTPError) -> OneTimeCode {
    let movingFactor = counter.bigEndian
    var mac = try secret.withBytes { (key) throws(OTPError) in
      try withUnsafeBytes(of: movingFactor) { (message) throws(OTPError) in
        try backend.authenticationCode(
          for: Span(_unsafeBytes: message), key: key, algorithm: algorithm)
      }
    }
    defer { mac.withUnsafeMutableBytes { wipe($0) } }
    guard mac.count == algorithm.digestLength else {
      throw OTPError(.backendFailure, "the backend's HMAC has the wrong length")
    }
    return code(truncatedValue: truncate(mac.span))
  }

  /// The code that a keyring's 31-bit truncated value stands for.
  public func code(truncatedValue: UInt32) -> OneTimeCode {
    OneTimeCode(truncatedValue: truncatedValue, digits: digits)
  }

  /// RFC 4226 section 5.3 asks for at least 6 digits; 31 bits do not fill a ninth.
  static func check(digits: Int) throws(OTPError) {
    guard (6...8).contains(digits) else {
      throw OTPError(.invalidDigits, "digits must be 6, 7 or 8")
    }
  }
}
