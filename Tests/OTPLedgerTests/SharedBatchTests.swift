import OTP
import OTPVerification
import Testing

/// However many tasks share a batch, the attempts of one credential are settled in its order.
@Suite struct SharedBatchTests {
  private let backend = SwiftBackend()
  private let time = UnixTime(seconds: 1_700_000_000)

  /// A table of users, all with one secret, and the code that is right for it.
  private func users(
    _ count: Int
  ) throws -> (table: CredentialTable<SwiftBackend>, ids: [CredentialID], code: String) {
    let totp = try TOTP()
    let secret = try Secret(bytes: [1, 2, 3])
    let ids = try (0..<count).map { try CredentialID("user\($0)") }
    let table = CredentialTable(backend: backend)
    try table.insert(
      contentsOf: ids.map { Credential(id: $0, factor: .totp(totp), secret: secret) })
    return (table, ids, try totp.code(for: secret, at: time).text)
  }

  /// Here the first ones come after long work in the first part, and the later ones at the beginning of the next.
  @Test(arguments: [2, 4]) func partsShareNoCredential(parallelism: Int) async throws {
    let (table, ids, code) = try users(200)
    let half = 4000
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(),
      policy: try VerificationPolicy(throttle: Throttle(.lockout(after: 100, seconds: 1))),
      parallelism: parallelism)
    var batch = AttemptBatch()
    while batch.count < half - ids.count {
      batch.append("000000", for: ids[batch.count % 40], at: time)  // 95 each, fewer than lock
    }
    for _ in 0..<2 { for id in ids { batch.append(code, for: id, at: time) } }
    while batch.count < 2 * half { batch.append("x", for: ids[0], at: time) }
    let verdicts = try await verifier.verify(batch, in: table)
    for place in half - ids.count..<half {
      #expect(try verdicts[place].get().clientView == .accepted, "\(place)")
      #expect(try verdicts[place + ids.count].get() == .replayed, "\(place)")
    }
  }

  /// Tasks share no more than 65,536 attempts at a time: what comes before such a border is settled first, and nothing
  /// is left out around it.
  @Test(arguments: [1, 2, 3]) func blocksFollowEachOther(parallelism: Int) async throws {
    let (table, ids, code) = try users(50)
    let block = 65_536
    var batch = AttemptBatch()
    func fill(upTo count: Int) {
      while batch.count < count { batch.append("x", for: ids[batch.count % 40], at: time) }
    }
    for (border, new) in [(block, ids[..<25]), (2 * block, ids[25...])] {
      fill(upTo: border - new.count)
      for id in new + new { batch.append(code, for: id, at: time) }
    }
    for id in ids { batch.append(code, for: id, at: time) }
    fill(upTo: 2 * block + 1000)
    batch.append(code, for: try CredentialID("nobody"), at: time)
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy(),
      parallelism: parallelism)
    let verdicts = try await verifier.verify(batch, in: table)
    let tally = verdicts.tally
    #expect(tally.accepted == 50 && tally.replayed == 100 && tally.failed == 1)
    for border in [block, 2 * block] {
      for place in border - 25..<border {
        #expect(try verdicts[place].get().clientView == .accepted, "\(place)")
        #expect(try verdicts[place + 25].get() == .replayed, "\(place)")
      }
    }
    #expect(throws: OTPError.self) { try verdicts[batch.count - 1].get() }
  }
}
