import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// A window that follows a user's clock.
@Suite struct DriftTests {
  private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  /// The code of a step, submitted at step 1000 by a user whose clock was off by some steps before.
  struct Row: Sendable, CustomTestStringConvertible {
    let stored: Int32
    let limit: Int
    let window: Int
    let submitted: UInt64
    /// The distance of an acceptance and the drift that is stored then, or nil for a mismatch.
    let accepted: (offset: Int, drift: Int32)?

    init(
      _ stored: Int32, limit: Int, window: Int = 0, _ submitted: UInt64,
      _ accepted: (offset: Int, drift: Int32)?
    ) {
      self.stored = stored
      self.limit = limit
      self.window = window
      self.submitted = submitted
      self.accepted = accepted
    }

    var testDescription: String {
      "\(submitted), off by \(stored) before, limit \(limit), window \(window)"
    }
  }

  private static let rows: [Row] = [
    // By whole steps: with no tolerance, that step alone.
    Row(0, limit: 3, 1000, (0, 0)),
    Row(0, limit: 3, 999, nil),
    Row(0, limit: 3, 1001, nil),
    Row(2, limit: 3, 1002, (2, 2)),
    Row(2, limit: 3, 1001, nil),
    Row(2, limit: 3, 1003, nil),
    Row(2, limit: 3, 1000, nil),
    Row(-2, limit: 3, 998, (-2, -2)),
    Row(-2, limit: 3, 997, nil),
    Row(-2, limit: 3, 999, nil),
    Row(-2, limit: 3, 1000, nil),
    // The tolerance lies around it.
    Row(2, limit: 3, window: 1, 1000, nil),
    Row(2, limit: 3, window: 1, 1001, (1, 1)),
    Row(2, limit: 3, window: 1, 1003, (3, 3)),
    Row(2, limit: 3, window: 1, 1004, nil),
    Row(-2, limit: 3, window: 1, 1000, nil),
    Row(-2, limit: 3, window: 1, 999, (-1, -1)),
    Row(-2, limit: 3, window: 1, 997, (-3, -3)),
    Row(-2, limit: 3, window: 1, 996, nil),
    // What is stored goes no further than the limit.
    Row(3, limit: 3, window: 1, 1004, (4, 3)),
    Row(-3, limit: 3, window: 1, 996, (-4, -3)),
    Row(0, limit: 3, window: 100, 1100, (100, 3)),
    Row(0, limit: 3, window: 100, 900, (-100, -3)),
    Row(99, limit: 100, window: 1, 1100, (100, 100)),
    Row(-99, limit: 100, window: 1, 900, (-100, -100)),
    // Nor does the window, where a policy with a higher limit stored more.
    Row(10, limit: 3, 1003, (3, 3)),
    Row(10, limit: 3, 1004, nil),
    Row(10, limit: 3, 1010, nil),
    Row(-10, limit: 3, 997, (-3, -3)),
    Row(-10, limit: 3, 996, nil),
    Row(-10, limit: 3, 990, nil),
    // Without a limit nothing is followed, and nothing is stored.
    Row(2, limit: 0, 1000, (0, 2)),
    Row(2, limit: 0, 1002, nil),
    Row(0, limit: 0, window: 1, 1001, (1, 0)),
  ]

  @Test(arguments: allLedgers, rows)
  func window(_ tested: TestedLedger, _ row: Row) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(
        window: Window(back: row.window, forward: row.window), driftLimit: row.limit))
    let credential = try totpCredential(Self.key)
    try #require(
      try await ledger.settle([.use(credential.id, 10, drift: row.stored)]) == [.accepted])
    let verdict = try await verifier.verify(
      code(row.submitted), for: credential, at: UnixTime(seconds: 30_000))
    let state = try await ledger.states(of: [credential.id])[0]
    if let (offset, drift) = row.accepted {
      #expect(verdict == .accepted(step: row.submitted, offset: offset))
      #expect(state.lastStep == row.submitted)
      #expect(state.drift == drift)
    } else {
      #expect(verdict == .mismatch)
      #expect(state.lastStep == 10)
      #expect(state.drift == row.stored)
    }
  }

  /// However the window moves, a used code is never fresh again, nor is one before it.
  @Test(arguments: allLedgers)
  func usedStaysUsed(_ tested: TestedLedger) async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: try await tested.ledger,
      policy: try VerificationPolicy(window: .one, driftLimit: 3))
    let credential = try totpCredential(Self.key)
    for (now, submitted, expected) in [
      (1000, 1001, .accepted(step: 1001, offset: 1)),
      // The window is 1000 ... 1002 now.
      (1000, 1001, .replayed), (1000, 1000, .replayed), (1000, 999, .mismatch),
      (1000, 1002, .accepted(step: 1002, offset: 2)),
      (1000, 1002, .replayed), (1000, 1001, .replayed),
      // The server's clock goes back, and the window with it.
      (998, 1001, .replayed), (998, 1000, .replayed), (997, 998, .replayed),
      (1003, 1004, .accepted(step: 1004, offset: 1)),
      // The user's clock goes back: what it shows again is used up, until it shows something new.
      (1003, 1003, .replayed), (1004, 1004, .replayed),
      (1005, 1005, .accepted(step: 1005, offset: 0)),
      (1005, 1004, .replayed), (1006, 1005, .replayed),
      (1007, 1006, .accepted(step: 1006, offset: -1)),
      (1007, 1005, .replayed), (1007, 1006, .replayed),
    ] as [(Int64, UInt64, Verdict)] {
      let verdict = try await verifier.verify(
        code(submitted), for: credential, at: UnixTime(seconds: now * 30))
      #expect(verdict == expected, "\(submitted) at \(now)")
    }
  }

  /// What the rows rest on: no two steps that the windows hold have the same code.
  @Test func codesDiffer() throws {
    let steps = Array(890...1110 as ClosedRange<UInt64>)
    #expect(Set(try steps.map(code)).count == steps.count)
  }

  private func code(_ step: UInt64) throws -> String {
    try HOTP().code(for: Secret(base32: Self.key), counter: step).text
  }
}
