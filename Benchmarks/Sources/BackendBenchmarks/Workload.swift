import OTP
import OTPVerification

/// Keys, and one login attempt for each: the same for every backend that is compared.
struct Workload {
  static let keyCount = 1024
  static let step: UInt64 = 58_919_801

  let hotp: HOTP
  let secrets: [Secret]

  /// The texts that users submit: of the step before ``step``, this one and the next one in turn.
  let codeTexts: [String]

  /// The same around steps of their own.
  let scatteredTexts: [String]

  /// What a keyring must compute for ``step``, key by key.
  let truncatedValues: [UInt32]

  /// - Parameter backend: another one than the one that is measured, whose results are the expected ones.
  init(_ algorithm: HashAlgorithm, by backend: any HMACBackend) throws {
    let hotp = try HOTP(algorithm: algorithm)
    let secrets = try (0..<Self.keyCount).map { key in
      try Secret(
        bytes: (0..<algorithm.digestLength).map { UInt8(truncatingIfNeeded: key * 31 + $0 * 7) })
    }
    func values(_ step: (_ key: Int) -> UInt64) throws -> [UInt32] {
      try backend.values(of: secrets, algorithm, secrets.indices.map(step))
    }
    func texts(around step: (_ key: Int) -> UInt64) throws -> [String] {
      try values { Self.matchingStep($0, around: step($0)) }
        .map { hotp.code(truncatedValue: $0).text }
    }
    self.hotp = hotp
    self.secrets = secrets
    codeTexts = try texts { _ in Self.step }
    scatteredTexts = try texts(around: Self.scatteredStep)
    truncatedValues = try values { _ in Self.step }
  }

  /// The step whose code attempt `index` submits.
  static func matchingStep(_ index: Int, around step: UInt64) -> UInt64 {
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
