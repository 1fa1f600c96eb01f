import COTPSQLite
import Foundation
import OTP
import OTPPostgreSQL
import OTPSQLite
import OTPTestSupport
import OTPVerification
import Testing

/// The rule that all ledgers follow, against what was written by hand.
@Suite struct RuleTests {
  @Test(arguments: try ruleRows())
  func inSwift(_ row: RuleRow) throws {
    var state = row.before
    #expect(try state.settle(row.settlement(of: freshID())) == row.outcome)
    #expect(state == row.after)
  }

  @Test(arguments: allLedgers, try ruleRows())
  func inLedger(_ tested: TestedLedger, _ row: RuleRow) async throws {
    let ledger = try await tested.ledger
    let id = try freshID()
    try await bring([(id, row.before)], in: ledger)
    #expect(try await ledger.settle([row.settlement(of: id)]) == [row.outcome])
    #expect(try await ledger.states(of: [id]) == [row.after])
  }

  /// All rows in one group, each for a credential of its own: none has an effect on another.
  @Test(arguments: allLedgers)
  func inOneGroup(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let rows = try ruleRows().map { (id: try freshID(), row: $0) }
    try await bring(rows.map { ($0.id, $0.row.before) }, in: ledger)
    let outcomes = try await ledger.settle(rows.map { $0.row.settlement(of: $0.id) })
    #expect(outcomes == rows.map(\.row.outcome))
    #expect(try await ledger.states(of: rows.map(\.id)) == rows.map(\.row.after))
  }

  /// A success ends the lock for earlier times too: a clock that is set back meets no lock that is over.
  @Test(arguments: allLedgers)
  func noLockComesBack(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let id = try freshID()
    let throttle = try Throttle.lockout(after: 1, seconds: 100)
    let outcomes = try await ledger.settle([
      .guess(id, at: 50, throttle: throttle), .use(id, 1, at: 149), .use(id, 1, at: 150),
      .use(id, 2, at: 149), .guess(id, at: 60, throttle: throttle), .use(id, 3, at: 159),
    ])
    let locked = { Outcome.throttled(retryAt: UnixTime(seconds: $0)) }
    #expect(outcomes == [.mismatch, locked(150), .accepted, .accepted, .mismatch, locked(160)])
  }

  /// A lock for good has no end, not even the last second of all. A ledger may refuse that time altogether.
  @Test(arguments: allLedgers)
  func lockForGoodHasNoEnd(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let id = try freshID()
    let throttle = try Throttle(.lockout(after: 1, seconds: 1), maximumFailures: 1)
    #expect(try await ledger.settle([.guess(id, throttle: throttle)]) == [.mismatch])
    let before = try await ledger.states(of: [id])
    #expect(before[0].lockedUntil == .max)
    do {
      let outcomes = try await ledger.settle([.use(id, 1, at: .max), .guess(id, at: .max)])
      let locked = Outcome.throttled(retryAt: UnixTime(seconds: .max))
      #expect(outcomes == [locked, locked])
    } catch {
      #expect(error.code == .invalidTime)
    }
    #expect(try await ledger.states(of: [id]) == before)
  }

  /// The count of failures ends at its largest value. No attempts get it there: it is written by hand.
  @Test func failuresEndAtTheLargest() async throws {
    let throttle = try Throttle.lockout(after: 3, seconds: 60)
    let id = try CredentialID("largest-\(UInt64.random(in: .min ... .max))")
    for (before, after) in [(.max - 2, .max - 1), (.max - 1, .max), (.max, .max)]
      as [(UInt32, UInt32)]
    {
      var expected = CredentialState()
      expected.lastStep = 7
      expected.failures = after
      expected.lockedUntil = .max
      let guess = Settlement.guess(id, at: 10, throttle: throttle)

      var state = CredentialState()
      state.lastStep = 7
      state.failures = before
      #expect(state.settle(guess) == .mismatch)
      #expect(state == expected)

      for ledger in [
        try await sqliteLedger(storing: before, of: id),
        try await postgreSQLLedger(storing: before, of: id),
        try await redisLedger(storing: before, of: id),
      ] {
        #expect(try await ledger.settle([guess]) == [.mismatch])
        #expect(try await ledger.states(of: [id]) == [expected])
      }
    }
  }

  // MARK: States before

  /// Brings new credentials into these states by attempts alone.
  private func bring(
    _ states: [(id: CredentialID, state: CredentialState)], in ledger: any Ledger
  ) async throws {
    var group: [Settlement] = []
    for (id, state) in states {
      if let step = state.lastStep { group.append(.use(id, step, at: 0, drift: state.drift)) }
      guard state.failures > 0 else { continue }
      for _ in 1..<state.failures {
        group.append(.guess(id, at: 0, throttle: try .lockout(after: 100, seconds: 1)))
      }
      let last =
        state.lockedUntil == 0
        ? try Throttle.lockout(after: 100, seconds: 1)
        : try .lockout(after: Int(state.failures), seconds: state.lockedUntil)
      group.append(.guess(id, at: 0, throttle: last))
    }
    let outcomes = try await ledger.settle(group)
    try #require(outcomes.allSatisfy { $0 == .accepted || $0 == .mismatch })
    try #require(try await ledger.states(of: states.map(\.id)) == states.map(\.state))
  }

  private func sqliteLedger(
    storing failures: UInt32, of id: CredentialID
  ) async throws -> any Ledger {
    let path = "\(TemporaryFolder.shared.path)/failures-\(UUID())"
    let ledger = try await SQLiteLedger(path: path)
    try await seed(ledger, id, lastStep: 7)
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    let update = "UPDATE otp_state SET failures = \(failures)"
    try #require(sqlite3_exec(connection, update, nil, nil, nil) == SQLITE_OK)
    return ledger
  }

  private func postgreSQLLedger(
    storing failures: UInt32, of id: CredentialID
  ) async throws -> any Ledger {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let ledger = try await server.ledger(schema: schema)
    try await seed(ledger, id, lastStep: 7)
    try await server.sql("UPDATE \(schema).credential SET failures = \(failures)")
    return ledger
  }

  private func redisLedger(
    storing failures: UInt32, of id: CredentialID
  ) async throws -> any Ledger {
    let server = try await RedisServer.shared.value
    let key = "otp:" + String(decoding: id.bytes, as: UTF8.self)
    try server.command(
      "SET", key, "00000000000000000007+0000000000100 \(failures) 00000000000000000000 100")
    return try server.ledger()
  }
}
