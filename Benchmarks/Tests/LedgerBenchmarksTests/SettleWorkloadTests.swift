import LedgerBenchmarks
import OTP
import OTPVerification
import Testing

@Suite struct SettleWorkloadTests {
  @Test func namesHaveTwelveDigits() {
    #expect(SettleWorkload.name(0) == "000000000000")
    #expect(SettleWorkload.name(102_399) == "000000102399")
  }

  @Test func everyCredentialIsUsedOnceAtFirst() throws {
    let workload = try SettleWorkload(credentialCount: 2500)
    let groups = workload.firstUses()
    #expect(groups.map(\.count) == [1024, 1024, 452])
    let ids = Set(groups.joined().map(\.id))
    #expect(ids == Set(try (0..<2500).map { try CredentialID(SettleWorkload.name($0)) }))
  }

  /// Whatever was drawn before, a ledger accepts all of the one and none of the other.
  @Test func outcomesAreKnown() async throws {
    let workload = try SettleWorkload(credentialCount: 1500)
    let ledger = MemoryLedger()
    for group in workload.firstUses() {
      #expect(try await ledger.settle(group) == group.map { _ in .accepted })
    }
    for _ in 0..<10 {
      let accepted = workload.acceptances()
      #expect(accepted.count == 1024)
      #expect(Set(accepted.map(\.id)).count == 1024)
      #expect(try await ledger.settle(accepted) == accepted.map { _ in .accepted })
      let replayed = workload.replays()
      #expect(Set(replayed.map(\.id)).count == 1024)
      #expect(try await ledger.settle(replayed) == replayed.map { _ in .replayed })
    }
  }

  /// The windows of two times have no step in common.
  @Test func timesAreAWindowApart() throws {
    let workload = try SettleWorkload(credentialCount: 1)
    let totp = try TOTP(period: SettleWorkload.period)
    let first = workload.advance()
    let second = workload.advance()
    #expect(try totp.step(at: SettleWorkload.time(of: second)) == second)
    let windows = [first, second].map { Window.one.steps(around: $0) }
    #expect(!windows[0].overlaps(windows[1]))
  }

  /// What a verifier would ask to be kept for the same credential.
  @Test func retentionIsAVerifiers() async throws {
    let recorder = RecordingLedger()
    let totp = try TOTP(period: SettleWorkload.period)
    let secret = try Secret(bytes: Array(0..<20))
    let workload = try SettleWorkload(credentialCount: 1)
    let attempt = try #require(workload.acceptances(1).first)
    let credential = Credential(id: attempt.id, factor: .totp(totp), secret: secret)
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: recorder, policy: try VerificationPolicy())
    let code = try totp.code(for: secret, at: attempt.time).text
    _ = try await verifier.verify(code, for: credential, at: attempt.time)
    #expect(await recorder.settled.map(\.retention) == [attempt.retention])
    #expect(await recorder.settled.map(\.throttle) == [attempt.throttle])
  }
}

/// A ledger that accepts everything and keeps what it was asked.
private actor RecordingLedger: Ledger {
  private(set) var settled: [Settlement] = []

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    settled += group
    return group.map { _ in .accepted }
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    ids.map { _ in CredentialState() }
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {}
}
