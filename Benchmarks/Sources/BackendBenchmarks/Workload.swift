import OTP
import OTPVerification

/// Keys, and one login attempt for each: the same for every backend that is compared.
struct Workload {
  static let keyCount = 1024
  static let step: UInt64 = 58_919_801

  let hotp: HOTP
  let secrets: [Secret]

  /// The texts that users submit: of the step before, the current and the next one in turn.
  let codeTexts: [String]

  /// What a keyring must compute for ``step``, key by key.
  let truncatedValues: [UInt32]

  /// - Parameter backend: another one than the one that is measured, whose results are the expected ones.
  init(_ algorithm: HashAlgorithm, by backend: any HMACBackend) throws {
    hotp = try HOTP(algorithm: algorithm)
    secrets = try (0..<Self.keyCount).map { key in
      try Secret(
        bytes: (0..<algorithm.digestLength).map { UInt8(truncatingIfNeeded: key * 31 + $0 * 7) })
    }
    let keys = Array(secrets.indices)
    let matching = try backend.values(of: secrets, algorithm, keys.map(Self.matchingStep))
    codeTexts = matching.map { [hotp] in hotp.code(truncatedValue: $0).text }
    truncatedValues = try backend.values(of: secrets, algorithm, keys.map { _ in Self.step })
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

extension HMACBackend {
  /// The truncated values of each key with the counter in its place.
  func values(
    of secrets: [Secret], _ algorithm: HashAlgorithm, _ counters: [UInt64]
  ) throws -> [UInt32] {
    try makeKeyring(secrets, algorithm: algorithm)
      .truncatedValues(keys: Array(secrets.indices), counters: counters)
  }
}
