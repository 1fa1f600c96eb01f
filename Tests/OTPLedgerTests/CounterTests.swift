import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// An HOTP credential's window: from which counters on, and as far as which.
@Suite struct CounterTests {
  private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private let time = UnixTime(seconds: 1_700_000_000)

  /// The code of a counter, submitted to a credential whose ledger knows the last used counter.
  struct Row: Sendable, CustomTestStringConvertible {
    let first: UInt64
    let used: UInt64?
    let lookAhead: Int
    let submitted: UInt64
    let verdict: Verdict

    init(
      first: UInt64, used: UInt64?, lookAhead: Int = 2, _ submitted: UInt64, _ verdict: Verdict
    ) {
      self.first = first
      self.used = used
      self.lookAhead = lookAhead
      self.submitted = submitted
      self.verdict = verdict
    }

    var testDescription: String {
      "\(submitted) after \(used.map { "\($0)" } ?? "none"), first \(first), \(lookAhead) ahead"
    }
  }

  private static let rows: [Row] = [
    // Nothing used: from the first counter to the look-ahead.
    Row(first: 0, used: nil, 0, .accepted(step: 0, offset: 0)),
    Row(first: 3, used: nil, 2, .mismatch),
    Row(first: 3, used: nil, 3, .accepted(step: 3, offset: 0)),
    Row(first: 3, used: nil, 5, .accepted(step: 5, offset: 2)),
    Row(first: 3, used: nil, 6, .mismatch),
    Row(first: 3, used: nil, lookAhead: 0, 3, .accepted(step: 3, offset: 0)),
    Row(first: 3, used: nil, lookAhead: 0, 4, .mismatch),
    // The next one is that after the used one; before it only the used one itself is known.
    Row(first: 0, used: 5, 3, .mismatch),
    Row(first: 0, used: 5, 4, .mismatch),
    Row(first: 0, used: 5, 5, .replayed),
    Row(first: 0, used: 5, 6, .accepted(step: 6, offset: 0)),
    Row(first: 0, used: 5, 8, .accepted(step: 8, offset: 2)),
    Row(first: 0, used: 5, 9, .mismatch),
    Row(first: 0, used: 5, lookAhead: 0, 5, .replayed),
    Row(first: 0, used: 5, lookAhead: 0, 6, .accepted(step: 6, offset: 0)),
    Row(first: 0, used: 5, lookAhead: 0, 7, .mismatch),
    Row(first: 5, used: 5, 5, .replayed),
    Row(first: 5, used: 5, 6, .accepted(step: 6, offset: 0)),
    Row(first: 6, used: 5, 5, .replayed),
    Row(first: 6, used: 5, 6, .accepted(step: 6, offset: 0)),
    // The first counter is a floor, whatever was used before it was set.
    Row(first: 9, used: 5, 5, .mismatch),
    Row(first: 9, used: 5, 6, .mismatch),
    Row(first: 9, used: 5, 8, .mismatch),
    Row(first: 9, used: 5, 9, .accepted(step: 9, offset: 0)),
    Row(first: 9, used: 5, 11, .accepted(step: 11, offset: 2)),
    Row(first: 9, used: 5, 12, .mismatch),
    Row(first: 7, used: 5, 5, .mismatch),
    // The last counter can be used once, and nothing wraps.
    Row(first: .max, used: nil, .max, .accepted(step: .max, offset: 0)),
    Row(first: .max, used: nil, .max - 1, .mismatch),
    Row(first: .max, used: nil, 0, .mismatch),
    Row(first: .max, used: nil, 1, .mismatch),
    Row(first: .max, used: 5, .max, .accepted(step: .max, offset: 0)),
    Row(first: 0, used: .max - 1, .max - 1, .replayed),
    Row(first: 0, used: .max - 1, .max, .accepted(step: .max, offset: 0)),
    Row(first: 0, used: .max - 1, 0, .mismatch),
    Row(first: 0, used: .max - 1, 1, .mismatch),
    Row(first: 0, used: .max - 3, .max, .accepted(step: .max, offset: 2)),
    Row(first: 0, used: .max, .max, .replayed),
    Row(first: 0, used: .max, .max - 1, .mismatch),
    Row(first: 0, used: .max, 0, .mismatch),
    Row(first: 0, used: .max, 1, .mismatch),
    Row(first: .max, used: .max, .max, .replayed),
  ]

  @Test(arguments: allLedgers, rows)
  func window(_ tested: TestedLedger, _ row: Row) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(lookAhead: row.lookAhead))
    let credential = try hotpCredential(Self.key, counter: row.first)
    if let used = row.used { try await seed(ledger, credential.id, lastStep: used) }
    let verdict = try await verifier.verify(code(row.submitted), for: credential, at: time)
    #expect(verdict == row.verdict)
    let state = try await ledger.states(of: [credential.id])[0]
    switch row.verdict {
    case .accepted(let counter, _):
      #expect(state.lastStep == counter)
      // The next one is that after the matched one.
      if counter < .max {
        let next = try await verifier.verify(code(counter + 1), for: credential, at: time)
        #expect(next == .accepted(step: counter + 1, offset: 0))
      }
    case .mismatch:
      #expect(state.failures == 1)
      #expect(state.lastStep == row.used)
    default:
      #expect(state.failures == 0)
      #expect(state.lastStep == row.used)
    }
  }

  /// What the rows rest on: no two of these counters have the same code.
  @Test func codesDiffer() throws {
    let counters = Array(0...13) + Array((UInt64.max - 4)...(.max))
    #expect(Set(try counters.map(code)).count == counters.count)
  }

  private func code(_ counter: UInt64) throws -> String {
    try HOTP().code(for: Secret(base32: Self.key), counter: counter).text
  }
}
