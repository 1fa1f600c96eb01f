import OTP
import OTPVerification

/// What is measured, the same for every backend: keys in turn, one login attempt for each.
struct Workload {
  static let keyCount = 1024
  static let step: UInt64 = 58_919_801

  let hotp: HOTP
  let secrets: [Secret]

  /// The texts that users submit: of the step before, the current and the next one in turn.
  let codeTexts: [String]

  init(_ algorithm: HashAlgorithm) throws {
    let hotp = try HOTP(algorithm: algorithm)
    self.hotp = hotp
    secrets = try (0..<Self.keyCount).map { key in
      try Secret(
        bytes: (0..<algorithm.digestLength).map { UInt8(truncatingIfNeeded: key * 31 + $0 * 7) })
    }
    codeTexts = try secrets.enumerated().map { index, secret in
      try hotp.code(for: secret, counter: Self.matchingStep(index)).text
    }
  }

  /// The step whose code attempt `index` submits.
  static func matchingStep(_ index: Int) -> UInt64 {
    step - 1 + UInt64(index % 3)
  }

  /// The step around which attempt `index` is looked for, where each attempt has another: the windows lie a
  /// hundred steps apart, so that none shares a counter with another.
  static func scatteredStep(_ index: Int) -> UInt64 {
    step + UInt64(index) * 100
  }
}
