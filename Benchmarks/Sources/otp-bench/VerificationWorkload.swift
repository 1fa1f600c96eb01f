import LedgerBenchmarks
import OTP
import OTPVerification

/// Right codes for credentials in random order, with ids of 16 bytes and keys of 20.
struct VerificationWorkload {
  let secrets: [Secret]

  /// Batches of attempts, all at one time.
  let batches: [AttemptBatch]

  /// Attempts in all batches.
  let attemptCount: Int

  private let ids: [CredentialID]
  private let totp: TOTP
  private static let time = UnixTime(seconds: Int64(Workload.step) * 30)

  /// Attempts in a batch.
  private static let batchLength = 4096
  private static let attemptLimit = 65_536

  init(credentialCount: Int) throws {
    let totp = try TOTP()
    var generator = SystemRandomNumberGenerator()
    var secrets: [Secret] = []
    var ids: [CredentialID] = []
    for number in 0..<credentialCount {
      secrets.append(Secret(generatedFor: .sha1, using: &generator))
      let digits = "\(1_000_000_000_000 + number)".dropFirst()
      ids.append(try CredentialID("user\(digits)"))
    }
    let order = (0..<credentialCount).shuffled().prefix(Self.attemptLimit)
    var batches: [AttemptBatch] = []
    for start in stride(from: 0, to: order.count, by: Self.batchLength) {
      var batch = AttemptBatch()
      for number in order[start..<min(start + Self.batchLength, order.count)] {
        let step = Workload.step - 1 + UInt64(number % 3)
        let code = try totp.hotp.code(for: secrets[number], counter: step)
        batch.append(code.text, for: ids[number], at: Self.time)
      }
      batches.append(batch)
    }
    self.totp = totp
    self.secrets = secrets
    self.ids = ids
    self.batches = batches
    attemptCount = order.count
  }

  /// All credentials, in parts.
  func credentialParts() -> [[Credential]] {
    stride(from: 0, to: ids.count, by: 1024).map { start in
      (start..<min(start + 1024, ids.count)).map {
        Credential(id: ids[$0], factor: .totp(totp), secret: secrets[$0])
      }
    }
  }

  /// An attempt for each credential, which comes with it.
  func submissions() throws -> [Submission] {
    try ids.indices.map { number in
      let step = Workload.step - 1 + UInt64(number % 3)
      return Submission(
        try totp.hotp.code(for: secrets[number], counter: step).text,
        for: Credential(id: ids[number], factor: .totp(totp), secret: secrets[number]),
        at: Self.time)
    }
  }

  func check(
    _ name: String, _ tallies: [VerdictTally], _ count: (VerdictTally) -> Int
  ) throws {
    guard tallies.reduce(0, { $0 + count($1) }) == attemptCount else {
      throw BenchmarkFault("\(name) has other verdicts than expected")
    }
  }
}
