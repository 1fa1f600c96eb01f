import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// Attempts that arrive while the ledger is busy become one group: in the order in which they came, and each
/// gets its own outcome.
@Suite struct GroupCommitTests {
  private let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private let time = UnixTime(seconds: 1_700_000_000)

  /// Requests for the ascending steps of one credential: in another order, some would be replays.
  @Test func requestsKeepTheirOrder() async throws {
    let ledger = GatedLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(window: Window(back: 0, forward: 20)))
    let credential = try totpCredential(key)
    let first = UInt64(time.seconds / 30)
    var tickets: [Verifier<SwiftBackend>.Ticket] = []
    for step in first..<(first + 20) {
      let code = try HOTP().code(for: credential.secret, counter: step).text
      tickets.append(
        try #require(try await verifier.check(code, for: credential, at: time).ticket))
    }
    ledger.close()
    let thread = OwnThread()
    var requests: [Task<Verdict, any Error>] = []
    for ticket in tickets {
      requests.append(
        Task(executorPreference: thread) { try await verifier.redeem(ticket, at: time) })
      // Until it waits for the ledger: then it has joined the others.
      thread.finishJobs()
      if requests.count == 1 { try await waitUntil { ledger.isWaiting } }
    }
    ledger.open()
    for (offset, request) in requests.enumerated() {
      let verdict = try await request.value
      #expect(verdict == .accepted(step: first + UInt64(offset), offset: offset))
    }
    // They were together, or their order would mean nothing.
    let groups = ledger.groups.suffix(from: tickets.count)
    #expect(groups.map(\.count).reduce(0, +) == tickets.count)
    #expect(groups.count < tickets.count)
  }

  /// Requests of several attempts each, whose outcomes are all different.
  @Test func eachRequestHasItsOwnOutcomes() async throws {
    let ledger = GatedLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    var batches: [[Submission]] = []
    var expected: [[Verdict]] = []
    var seconds: Int64 = 0
    for request in 0..<20 {
      var batch: [Submission] = []
      var verdicts: [Verdict] = []
      for _ in 0...(request % 4) {
        // Each credential has a lock that ends at a time of its own.
        seconds += 1
        let credential = try totpCredential(key)
        let throttle = try Throttle.lockout(after: 1, seconds: seconds)
        try #require(
          try await ledger.settle([.guess(credential.id, at: time.seconds, throttle: throttle)])
            == [.mismatch])
        batch.append(Submission("000000", for: credential, at: time))
        verdicts.append(.throttled(retryAt: UnixTime(seconds: time.seconds + seconds)))
      }
      batches.append(batch)
      expected.append(verdicts)
    }
    ledger.close()
    let thread = OwnThread()
    var requests: [Task<[Verdict], any Error>] = []
    for batch in batches {
      requests.append(
        Task(executorPreference: thread) {
          try await verifier.verify(batch).map { try $0.get() }
        })
      thread.finishJobs()
      if requests.count == 1 { try await waitUntil { ledger.isWaiting } }
    }
    ledger.open()
    for (request, verdicts) in zip(requests, expected) {
      #expect(try await request.value == verdicts)
    }
  }
}

/// A memory ledger that can be made to wait before it settles a group.
private final class GatedLedger: Ledger {
  private let memory = MemoryLedger()
  private let gate = Locked(Gate())

  private struct Gate {
    var isOpen = true
    var groups: [[Settlement]] = []
    var waiting: [@Sendable (Bool) -> Void] = []
  }

  var groups: [[Settlement]] { gate.withLock { $0.groups } }
  var isWaiting: Bool { gate.withLock { !$0.waiting.isEmpty } }

  func close() { gate.withLock { $0.isOpen = false } }

  func open() {
    let waiting = gate.withLock { gate in
      gate.isOpen = true
      defer { gate.waiting = [] }
      return gate.waiting
    }
    for pass in waiting { pass(true) }
  }

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    _ = await awaitResult { (pass: @escaping @Sendable (Bool) -> Void) in
      let isOpen = gate.withLock { gate in
        gate.groups.append(group)
        if !gate.isOpen { gate.waiting.append(pass) }
        return gate.isOpen
      }
      if isOpen { pass(true) }
    }
    return try await memory.settle(group)
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    try await memory.states(of: ids)
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await memory.reset(id, part)
  }
}
