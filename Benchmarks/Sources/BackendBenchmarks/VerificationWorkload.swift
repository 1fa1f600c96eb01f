import BenchmarkRegistry
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
  private static let batchCount = 16

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
    // Few credentials have several attempts each, of which the first is accepted and the others are replays.
    let order = (0..<credentialCount).shuffled()
    var batches: [AttemptBatch] = []
    for start in stride(from: 0, to: Self.batchCount * Self.batchLength, by: Self.batchLength) {
      var batch = AttemptBatch()
      for place in start..<start + Self.batchLength {
        let number = order[place % order.count]
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
    attemptCount = Self.batchCount * Self.batchLength
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

  /// - Parameter isFirst: whether no code was used before.
  func check(_ name: String, _ tally: VerdictTally, isFirst: Bool) throws {
    let accepted = isFirst ? min(secrets.count, attemptCount) : 0
    guard tally.accepted == accepted, tally.replayed == attemptCount - accepted else {
      throw BenchmarkFault("\(name) has other verdicts than expected")
    }
  }
}
