import OTP
import OTPVerification

/// A memory ledger that notes the size of each group, and how many are settled at once.
final class CountingLedger: Ledger {
  private let memory = MemoryLedger()
  private let counts = Locked((groups: [Int](), active: 0, most: 0))

  var groups: [Int] { counts.withLock { $0.groups } }
  var mostAtOnce: Int { counts.withLock { $0.most } }

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    counts.withLock { counts in
      counts.groups.append(group.count)
      counts.active += 1
      counts.most = max(counts.most, counts.active)
    }
    // Others get the processor, so that they arrive while this group is settled.
    for _ in 0..<100 { await Task.yield() }
    defer { counts.withLock { $0.active -= 1 } }
    return try await memory.settle(group)
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    try await memory.states(of: ids)
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await memory.reset(id, part)
  }
}

/// A ledger that is never there.
struct FailingLedger: Ledger {
  private let error = OTPError(.ledgerUnavailable, "switched off")

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] { throw error }
  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] { throw error }
  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) { throw error }
}
