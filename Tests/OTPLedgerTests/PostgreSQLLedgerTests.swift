import OTP
import OTPPostgreSQL
import OTPTestSupport
import OTPVerification
import Testing

/// What the PostgreSQL ledger does beyond what every ledger must.
@Suite struct PostgreSQLLedgerTests {
  @Test func connectionStringsInBothForms() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let pairs = try await server.ledger(schema: schema)
    let socket = server.folder.path.split(separator: "/").joined(separator: "%2F")
    let uri = try PostgreSQLLedger(
      connection: "postgresql://postgres@/postgres?host=%2F\(socket)&application_name=a%20b",
      schema: schema)
    let id = try freshID()
    #expect(try await pairs.settle([match(id, step: 7)]) == [.accepted])
    #expect(try await uri.settle([match(id, step: 7)]) == [.replayed])
  }

  @Test func argumentsOutOfRange() {
    let pairs = "host=/nowhere"
    for make in [
      { try PostgreSQLLedger(connection: "no pairs") },
      { try PostgreSQLLedger(connection: "host=a sslmood=require") },
      { try PostgreSQLLedger(connection: "postgresql://user@[host/") },
      { try PostgreSQLLedger(connection: "host=a\0b") },
      { try PostgreSQLLedger(connection: pairs, schema: "") },
      { try PostgreSQLLedger(connection: pairs, schema: "1a") },
      { try PostgreSQLLedger(connection: pairs, schema: "a\"b") },
      { try PostgreSQLLedger(connection: pairs, schema: "a.b") },
      { try PostgreSQLLedger(connection: pairs, schema: "ä") },
      { try PostgreSQLLedger(connection: pairs, schema: String(repeating: "a", count: 64)) },
      { try PostgreSQLLedger(connection: pairs, connectTimeout: 99) },
      { try PostgreSQLLedger(connection: pairs, connectTimeout: 600_001) },
      { try PostgreSQLLedger(connection: pairs, statementTimeout: 99) },
      { try PostgreSQLLedger(connection: pairs, statementTimeout: .max) },
    ] { #expect(errorCode(make) == .invalidArgument) }
  }

  /// Processes that start together each see to the schema.
  @Test func migrationsAtOnce() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = "Mixed_\(freshSchema())"
    let ledgers = try await withThrowingTaskGroup { tasks in
      for _ in 0..<8 { tasks.addTask { try await server.ledger(schema: schema) } }
      return try await tasks.reduce(into: []) { $0.append($1) }
    }
    let id = try freshID()
    for (step, ledger) in ledgers.enumerated() {
      #expect(try await ledger.settle([match(id, step: UInt64(step))]) == [.accepted])
      try await ledger.migrate()
    }
    #expect(try await server.sql("SELECT count(*) FROM \"\(schema)\".version") == "1")
  }

  @Test func schemaThatIsNotThere() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let ledger = try PostgreSQLLedger(connection: server.connection(), schema: schema)
    let id = try freshID()
    func expectAdvice() async {
      for error in [
        await failure { try await ledger.settle([match(id, step: 1)]) }.error,
        await failure { try await ledger.states(of: [id]) }.error,
        await failure { try await ledger.reset(id, .throttle) }.error,
        await failure { try await ledger.prune(before: UnixTime(seconds: 1)) }.error,
      ] {
        #expect(error?.code == .ledgerUnavailable)
        #expect(error?.message.contains("migrate") == true, "\(error?.message ?? "")")
      }
    }
    await expectAdvice()
    try await ledger.migrate()
    #expect(try await ledger.settle([match(id, step: 1)]) == [.accepted])
    // It vanishes while the ledger is connected and has prepared its statements.
    try await server.sql("DROP SCHEMA \(schema) CASCADE")
    await expectAdvice()
    // An administrator has made the schema; the role may not be allowed to.
    try await server.sql("CREATE SCHEMA \(schema)")
    await expectAdvice()
    try await ledger.migrate()
    #expect(try await ledger.settle([match(id, step: 1)]) == [.accepted])
    for version in [0, 2] {
      try await server.sql("UPDATE \(schema).version SET version = \(version)")
      let other = try PostgreSQLLedger(connection: server.connection(), schema: schema)
      for error in [
        await failure { try await other.settle([match(id, step: 2)]) }.error,
        await failure { try await other.migrate() }.error,
      ] {
        #expect(error?.code == .ledgerUnavailable)
        #expect(error?.message.contains("version \(version)") == true)
        #expect(error?.message.contains("migrate") == true)
      }
    }
    try await server.sql("DELETE FROM \(schema).version")
    #expect(
      await failure {
        try await PostgreSQLLedger(connection: server.connection(), schema: schema).migrate()
      }.error?.code == .ledgerUnavailable)
  }

  /// Several connections settle the same credentials in different orders: none is ever chosen to die.
  @Test func groupsInOppositeOrdersOnManyConnections() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let ids = try (0..<40).map { _ in try freshID() }
    let rounds = 100
    let accepted = try await withThrowingTaskGroup { tasks in
      for number in 0..<4 {
        let ledger = try await server.ledger(schema: schema)
        let order = number.isMultiple(of: 2) ? ids : ids.reversed()
        tasks.addTask {
          var accepted = 0
          for round in 0..<rounds {
            let group = order.map { match($0, step: UInt64(round)) }
            accepted += try await ledger.settle(group).filter { $0 == .accepted }.count
          }
          return accepted
        }
      }
      return try await tasks.reduce(0, +)
    }
    #expect(accepted >= ids.count)
    #expect(accepted <= ids.count * rounds)
  }

  /// Connections race for the same steps and count the same failures: each step is accepted once, and no
  /// failure is lost, whatever the role's defaults are.
  @Test func racesOnManyConnections() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let id = try freshID()
    let guessed = try freshID()
    let throttle = try Throttle.lockout(after: 100, seconds: 1)
    let steps = 90
    let outcomes = try await withThrowingTaskGroup { tasks in
      for isolation in ["read", "repeatable", "serializable", "read"] {
        let level =
          isolation == "serializable"
          ? isolation : "\(isolation)\\ \(isolation == "read" ? "committed" : "read")"
        let ledger = try await server.ledger(
          schema: schema,
          "options='-c default_transaction_isolation=\(level.replacing("\\", with: "\\\\"))'")
        tasks.addTask {
          var outcomes: [Outcome] = []
          for step in 0..<steps {
            let other = try freshID()
            outcomes += try await ledger.settle([
              match(other, step: 1), match(id, step: UInt64(step)), match(id, step: UInt64(step)),
            ]).dropFirst()
            if step.isMultiple(of: 4) {
              outcomes += try await ledger.settle([mismatch(guessed, throttle: throttle)])
            }
          }
          return outcomes
        }
      }
      return try await tasks.reduce(into: []) { $0 += $1 }
    }
    let accepted = outcomes.filter { $0 == .accepted }.count
    #expect(accepted <= steps)
    #expect(accepted > 0)
    let failures = outcomes.filter { $0 == .mismatch }.count
    #expect(outcomes.count == accepted + failures + outcomes.filter { $0 == .replayed }.count)
    let ledger = try await server.ledger(schema: schema)
    let states = try await ledger.states(of: [id, guessed])
    #expect(states[0].lastStep == UInt64(steps - 1))
    #expect(states[1].failures == UInt32(failures))
    #expect(failures == 4 * ((steps + 3) / 4))
  }

  /// An attempt that changes nothing writes nothing, and a group of them takes no lock.
  @Test func nothingIsWrittenInVain() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let ledger = try await server.ledger(schema: schema)
    let ids = try (0..<3).map { _ in try freshID() }
    let lockout = try Throttle.lockout(after: 1, seconds: 100)
    _ = try await ledger.settle([
      match(ids[0], step: 5), mismatch(ids[1], throttle: lockout), match(ids[2], step: 5),
    ])
    func rows() async throws -> String {
      try await server.sql(
        "SELECT ctid, xmin, xmax FROM \(schema).credential ORDER BY id")
    }
    let before = try await rows()
    let unknown = try freshID()
    let lock = try await OpenTransaction(
      "SELECT 1 FROM \(schema).credential WHERE id = \(ids[2].literal) FOR UPDATE", on: server)
    let locked = try await rows()
    #expect(
      try await ledger.settle([
        match(ids[0], step: 5), match(ids[0], step: 4), match(ids[0], step: 6, consumes: false),
        match(ids[1], step: 9), mismatch(ids[1]), match(unknown, step: 1, consumes: false),
        Settlement(
          id: unknown, time: UnixTime(seconds: 1), claim: .noMatchAfter(lastStep: 3),
          throttle: .standard, retention: nil),
        match(ids[2], step: 5),
      ]) == [
        .replayed, .replayed, .accepted, .throttled(retryAt: UnixTime(seconds: 101)),
        .throttled(retryAt: UnixTime(seconds: 101)), .accepted, .stale, .replayed,
      ])
    #expect(try await rows() == locked)
    try lock.rollBack()
    #expect(before.split(separator: "\n").count == 3)
    #expect(try await ledger.states(of: [unknown]) == [CredentialState()])
  }

  @Test func pruning() async throws {
    let server = try await PostgreSQLServer.shared.value
    let ledger = try await server.ledger()
    #expect(try await ledger.prune(before: UnixTime(seconds: .max)) == 0)
    let old = try (0..<3000).map { _ in try freshID() }
    let (hotp, young, locked, lockedForGood, renewed, gone) = try (
      freshID(), freshID(), freshID(), freshID(), freshID(), freshID()
    )
    _ = try await ledger.settle(old.map { match($0, step: 1, at: 100, retention: 100) })
    _ = try await ledger.settle([
      match(hotp, step: 1, at: 100, retention: 100), mismatch(hotp, at: 100, retention: nil),
      match(hotp, step: 2, at: 100, retention: 100),
      match(young, step: 1, at: 900, retention: 100),
      mismatch(locked, at: 100, throttle: try .lockout(after: 1, seconds: 901), retention: 100),
      mismatch(
        lockedForGood, at: 100, throttle: try .lockout(after: 1, seconds: .max), retention: 100),
      match(renewed, step: 1, at: 100, retention: 900),
      match(renewed, step: 2, at: 50, retention: 1),
      match(gone, step: 1, retention: nil),
    ])
    try await ledger.reset(gone, .everything)
    #expect(try await ledger.prune(before: UnixTime(seconds: 0)) == 0)
    #expect(try await ledger.prune(before: UnixTime(seconds: 200)) == 1)
    #expect(try await ledger.prune(before: UnixTime(seconds: 1000)) == 3000)
    #expect(try await ledger.states(of: old).allSatisfy { $0 == CredentialState() })
    #expect(
      try await ledger.states(of: [hotp, young, locked, lockedForGood, renewed]).allSatisfy {
        $0 != CredentialState()
      })
    #expect(try await ledger.prune(before: UnixTime(seconds: 1001)) == 3)
    #expect(try await ledger.prune(before: UnixTime(seconds: .max)) == 1)
    #expect(try await ledger.states(of: [hotp])[0].lastStep == 2)
  }

  /// A row vanishes after it was read and before it is written: the credential is judged as a new one.
  @Test func prunedMeanwhile() async throws {
    let server = try await PostgreSQLServer.shared.value
    let (schema, name) = (freshSchema(), freshSchema())
    let ledger = try await server.ledger(schema: schema, "application_name=\(name)")
    let ids = try (0..<5).map { _ in try freshID() }
    let pruned = ids[2]
    try await seed(ledger, pruned, lastStep: 8)
    _ = try await ledger.settle([mismatch(pruned), mismatch(pruned)])
    let deletion = try await OpenTransaction(
      "DELETE FROM \(schema).credential WHERE id = \(pruned.literal)", on: server)
    async let outcomes = ledger.settle(
      ids.map { mismatch($0) } + [match(pruned, step: 7), mismatch(pruned)])
    try await waitUntil { try await server.isWaiting(name) }
    try deletion.commit()
    let expected = [Outcome](repeating: .mismatch, count: 5) + [.accepted, .mismatch]
    #expect(try await outcomes == expected)
    let states = try await ledger.states(of: ids)
    #expect(states.allSatisfy { $0.failures == 1 })
    #expect(states[2].lastStep == 7)
  }

  /// Pruning beside groups that write what it wants to delete: neither fails, and nothing is lost.
  @Test func pruningBesideGroups() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let ids = try (0..<100).map { _ in try freshID() }
    let pruner = try await server.ledger(schema: schema)
    let ledger = try await server.ledger(schema: schema)
    async let pruned: Void = {
      for _ in 0..<100 { _ = try await pruner.prune(before: UnixTime(seconds: 1000)) }
    }()
    for round in 0..<100 {
      // What is kept only until now may vanish, and what was accepted just now must not.
      _ = try await ledger.settle(ids.map { match($0, step: 1, at: 1, retention: 1) })
      let kept = ids[round]
      let outcome = try await ledger.settle([match(kept, step: 9, at: 1000, retention: 1)])
      #expect(outcome == [.accepted])
      #expect(
        try await ledger.settle([match(kept, step: 9, at: 1000, retention: 1)]) == [.replayed])
    }
    try await pruned
    #expect(try await ledger.states(of: ids).allSatisfy { $0.lastStep == 9 })
  }

  /// The connection string shows nowhere.
  @Test func nothingShows() async throws {
    let ledger = try PostgreSQLLedger(
      connection: "host=/nowhere user=otp password=hunter2", schema: "ledger")
    var text = ""
    dump(ledger, to: &text)
    text += "\(ledger) \(String(reflecting: ledger)) \(Mirror(reflecting: ledger).children.count)"
    for error in [
      await failure { try await ledger.migrate() }.error,
      await failure { try await ledger.settle([match(freshID(), step: 1)]) }.error,
    ] {
      #expect(error?.code == .ledgerUnavailable)
      text += "\(error?.description ?? "")"
    }
    #expect(!text.contains("hunter2") && !text.contains("nowhere"), "\(text)")
  }
}
