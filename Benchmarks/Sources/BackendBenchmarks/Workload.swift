import OTP
import OTPVerification

/// Keys, and one login attempt for each: the same for every backend that is compared.
struct Workload {
  static let keyCount = 1024
  static let step: UInt64 = 58_919_801

  let hotp: HOTP
  let secrets: [Secret]

  /// All of one time step.
  let together: Submitted

  /// Each of a time step of its own: the windows lie a hundred steps apart, so that none shares a counter with another.
  let scattered: Submitted

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
    func submitted(at step: (_ key: Int) -> UInt64) throws -> Submitted {
      let steps = secrets.indices.map(step)
      let matching = steps.enumerated().map { $1 - 1 + UInt64($0 % 3) }
      let texts = try values { matching[$0] }.map { hotp.code(truncatedValue: $0).text }
      return Submitted(texts: texts, steps: steps, matchingSteps: matching, digits: hotp.digits)
    }
    self.hotp = hotp
    self.secrets = secrets
    together = try submitted { _ in Self.step }
    scattered = try submitted { Self.step + UInt64($0) * 100 }
    truncatedValues = try values { _ in Self.step }
  }

  /// What users submit, key by key.
  struct Submitted {
    /// Codes of the step before the time's, of this one and of the next one in turn.
    fileprivate let texts: [String]

    /// The time's steps, around which the codes are looked for.
    fileprivate let steps: [UInt64]

    /// The steps that the codes are of.
    let matchingSteps: [UInt64]

    fileprivate let digits: Int

    /// Reads the texts. Not generic, so that this costs as little as in a server's own code.
    func attempts() throws -> [Attempt] {
      try texts.indices.map(attempt)
    }

    /// Reads one text.
    func attempt(_ key: Int) throws -> Attempt {
      Attempt(key: key, step: steps[key], code: try OneTimeCode(texts[key], digits: digits))
    }
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
