import BenchmarkRegistry
import BenchmarkTestSupport
import LedgerBenchmarks
import OTP
import OTPVerification
import Testing

@Suite struct LedgerBenchmarkTests {
  /// A benchmark of a ledger that errs must fail, however fast it is.
  @Test(arguments: [Outcome.replayed, .mismatch, .throttled(retryAt: UnixTime(seconds: 1))])
  func anotherOutcomeIsAFault(outcome: Outcome) async throws {
    try await onOwnThread {
      let workload = try SettleWorkload(credentialCount: 1024)
      let benchmarks = SettleBenchmarks("wrong", WrongLedger(outcome: outcome))
      #expect(throws: BenchmarkFault.self) { try benchmarks.fill(workload) }
      for (way, benchmark) in try all(of: benchmarks, workload) {
        #expect(throws: BenchmarkFault.self, "\(way)") { try benchmark.run() }
      }
    }
  }

  @Test func aRightLedgerHasARate() async throws {
    try await onOwnThread {
      let workload = try SettleWorkload(credentialCount: 1024)
      let benchmarks = SettleBenchmarks("memory", MemoryLedger())
      try benchmarks.fill(workload)
      for (way, benchmark) in try all(of: benchmarks, workload) {
        for _ in 0..<3 { #expect(try benchmark.run() > 0, "\(way)") }
      }
    }
  }

  @Test func whatTheWorkThrowsIsThrown() async throws {
    try await onOwnThread {
      #expect(throws: OTPError.self) {
        try waiting { throw OTPError(.ledgerUnavailable, "none") }
      }
    }
  }

  private func all(
    of benchmarks: SettleBenchmarks, _ workload: SettleWorkload
  ) throws -> [(way: String, benchmark: PreparedBenchmark)] {
    [
      ("one", benchmarks.one(workload, items: 3)),
      ("group", benchmarks.groups { workload.acceptances() }),
      ("replays", benchmarks.groups(expecting: .replayed) { workload.replays() }),
      ("concurrent", try benchmarks.concurrent(workload, items: 4)),
    ]
  }
}

/// Accepts all of a group but the last one.
private struct WrongLedger: Ledger {
  let outcome: Outcome

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    group.dropLast().map { _ in .accepted } + [outcome]
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    ids.map { _ in CredentialState() }
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {}
}
