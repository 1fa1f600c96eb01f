import OTP
import OTPVerification
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct BatchVerdictsTests {
  /// Foreign memory could read as an acceptance: the process ends by a trap before it is looked at.
  @Test func indexOutsideTheBatch() async {
    #if arch(x86_64)
      let trap = SIGILL
    #else
      let trap = SIGTRAP
    #endif
    await #expect(processExitsWith: .signal(trap)) { try await Self.read(-1) }
    await #expect(processExitsWith: .signal(trap)) { try await Self.read(2) }
    await #expect(processExitsWith: .signal(trap)) { try await Self.read(.max) }
    await #expect(processExitsWith: .success) { try await Self.read(1) }
  }

  /// Reads a verdict of a batch of two.
  private static func read(_ attempt: Int) async throws {
    let backend = SwiftBackend()
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy())
    var batch = AttemptBatch()
    for _ in 0..<2 {
      batch.append("000000", for: try CredentialID("nobody"), at: UnixTime(seconds: 0))
    }
    let verdicts = try await verifier.verify(batch, in: CredentialTable(backend: backend))
    _ = verdicts[attempt]
  }
}
