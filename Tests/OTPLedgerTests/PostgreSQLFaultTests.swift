import Foundation
import OTP
import OTPPostgreSQL
import OTPTestSupport
import OTPVerification
import Synchronization
import Testing

/// What breaks between a ledger and its server: each fault is an error in time, nothing that was accepted
/// is forgotten, and the same ledger works again when the server does.
@Suite struct PostgreSQLFaultTests {
  @Test func connectionsThatCannotBeMade() async throws {
    let server = try await PostgreSQLServer.shared.value
    try await server.sql(
      "CREATE ROLE \(PostgreSQLServer.guardedRole) LOGIN PASSWORD 'correct horse'")
    let id = try freshID()
    let host = server.folder.path
    let escaped = host.split(separator: "/").joined(separator: "%2F")
    for connection in [
      server.connection(role: PostgreSQLServer.guardedRole, "password=hunter2x9q"),
      "postgresql://guarded:hunter2x9q@/postgres?host=%2F\(escaped)",
      server.connection(database: "unknown", "password=hunter2x9q"),
      "host=/nowhere password=hunter2x9q",
      // Not what it was meant to be: parts of the password are taken for something else.
      "postgresql://guarded:hunter2x9q/y@localhost/postgres",
      "postgresql://guarded:z@hunter2x9q@localhost/postgres",
      "postgresql://guarded:z\"@hunter2x9q.invalid/postgres",
      "postgresql://guarded:z@hunter2x9q%22.invalid/postgres",
      "host=localhost port=hunter2x9q", "host=localhost sslmode=hunter2x9q",
    ] {
      let ledger = try PostgreSQLLedger(connection: connection)
      let (error, _) = await failure { try await ledger.settle([match(id, step: 1)]) }
      #expect(error?.code == .ledgerUnavailable)
      #expect(error?.message.contains("hunter2x9q") == false, "\(error?.message ?? "")")
      #expect(error?.message.contains(where: \.isNewline) == false)
    }
    // The reason is of use.
    let ledger = try PostgreSQLLedger(
      connection: server.connection(role: PostgreSQLServer.guardedRole, "password=hunter2x9q"))
    let (error, _) = await failure { try await ledger.settle([match(id, step: 1)]) }
    #expect(error?.message.contains("password authentication failed") == true)
    let right = try PostgreSQLLedger(
      connection: server.connection(
        role: PostgreSQLServer.guardedRole, "password='correct horse'"))
    let (missing, _) = await failure { try await right.settle([match(id, step: 1)]) }
    #expect(missing?.message.contains("migrate") == true)
  }

  /// A port where somebody listens who never says a word.
  @Test func silentServer() async throws {
    let listener = try SilentListener()
    defer { listener.close() }
    let ledger = try PostgreSQLLedger(
      connection: "host=127.0.0.1 port=\(listener.port)", connectTimeout: 300)
    for _ in 0..<3 {
      let (error, duration) = await failure { try await ledger.states(of: [freshID()]) }
      #expect(error?.code == .ledgerUnavailable)
      #expect(duration < .seconds(3))
    }
  }

  @Test func terminatedWhileIdle() async throws {
    let server = try await PostgreSQLServer.shared.value
    let name = freshSchema()
    let ledger = try await server.ledger("application_name=\(name)")
    let id = try freshID()
    for step in 1...5 as ClosedRange<UInt64> {
      #expect(try await ledger.settle([match(id, step: step)]) == [.accepted])
      let pid = try await server.backend(of: name)
      try await server.sql("SELECT pg_terminate_backend(\(pid))")
      try await waitUntil { kill(pid, 0) != 0 }
    }
    // Its end was seen before anything was sent: no call had to fail.
    #expect(try await ledger.states(of: [id])[0].lastStep == 5)
  }

  @Test func terminatedDuringStatement() async throws {
    let server = try await PostgreSQLServer.shared.value
    let (schema, name) = (freshSchema(), freshSchema())
    let ledger = try await server.ledger(schema: schema, "application_name=\(name)")
    let id = try freshID()
    #expect(try await ledger.settle([match(id, step: 1)]) == [.accepted])
    let lock = try await OpenTransaction(
      "SELECT 1 FROM \(schema).credential WHERE id = \(id.literal) FOR UPDATE", on: server)
    for change in ["pg_terminate_backend", "pg_cancel_backend"] {
      async let outcome = failure { try await ledger.settle([match(id, step: 2)]) }
      try await waitUntil { try await server.isWaiting(name) }
      try await server.sql("SELECT \(change)(\(server.backend(of: name)))")
      let error = await outcome.error
      // A backend that ends says nothing of a commit; one that goes on says that there was none.
      let isEnd = change == "pg_terminate_backend"
      #expect(error?.code == (isEnd ? .ledgerUncertain : .ledgerUnavailable))
      #expect(error?.message.contains(isEnd ? "57P01" : "57014") == true)
      #expect(try await ledger.states(of: [id])[0].lastStep == 1)
    }
    try lock.rollBack()
    #expect(try await ledger.settle([match(id, step: 2)]) == [.accepted])
  }

  @Test func statementTimeout() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    let ledger = try await server.ledger(schema: schema, statementTimeout: 2_000)
    let ids = [try freshID(), try freshID()]
    #expect(try await ledger.settle(ids.map { match($0, step: 1) }) == [.accepted, .accepted])
    let lock = try await OpenTransaction(
      "SELECT 1 FROM \(schema).credential WHERE id = \(ids[1].literal) FOR UPDATE", on: server)
    for operation in [
      { _ = try await ledger.settle(ids.map { match($0, step: 2) }) },
      { try await ledger.reset(ids[1], .everything) },
    ] {
      let (error, duration) = await failure(operation)
      #expect(error?.code == .ledgerUnavailable)
      #expect(error?.message.contains("57014") == true)
      #expect(duration < .seconds(5))
    }
    // The whole group was rolled back, and others are not held up.
    #expect(try await ledger.states(of: ids).map(\.lastStep) == [1, 1])
    #expect(try await ledger.settle([match(ids[0], step: 2)]) == [.accepted])
    try lock.rollBack()
    #expect(try await ledger.settle(ids.map { match($0, step: 2) }) == [.replayed, .accepted])
  }

  @Test func readOnly() async throws {
    let server = try await PostgreSQLServer.shared.value
    let schema = freshSchema()
    _ = try await server.ledger(schema: schema)
    let ledger = try PostgreSQLLedger(
      connection: server.connection("options='-c default_transaction_read_only=on'"), schema: schema
    )
    let id = try freshID()
    for _ in 0..<2 {
      let (error, _) = await failure { try await ledger.settle([match(id, step: 1)]) }
      #expect(error?.code == .ledgerUnavailable)
      #expect(error?.message.contains("25006") == true)
      #expect(try await ledger.states(of: [id])[0].lastStep == nil)
    }
  }

  /// A role without rights on the schema.
  @Test func noRights() async throws {
    let server = try await PostgreSQLServer.shared.value
    let (schema, role) = (freshSchema(), freshSchema())
    _ = try await server.ledger(schema: schema)
    try await server.sql("CREATE ROLE \(role) LOGIN")
    let ledger = try PostgreSQLLedger(connection: server.connection(role: role), schema: schema)
    let id = try freshID()
    func expectRefusal(_ body: () async throws -> Void) async {
      let (error, _) = await failure(body)
      #expect(error?.code == .ledgerUnavailable)
      #expect(error?.message.contains("42501") == true, "\(error?.message ?? "")")
    }
    await expectRefusal { _ = try await ledger.settle([match(id, step: 1)]) }
    // Those that the documentation asks for are enough.
    try await server.sql(
      """
      GRANT USAGE ON SCHEMA \(schema) TO \(role);
      GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role);
      GRANT INSERT, UPDATE ON \(schema).credential TO \(role);
      """)
    #expect(try await ledger.settle([match(id, step: 1)]) == [.accepted])
    try await ledger.migrate()
    await expectRefusal { _ = try await ledger.prune(before: UnixTime(seconds: 0)) }
    try await server.sql("GRANT DELETE ON \(schema).credential TO \(role)")
    #expect(try await ledger.prune(before: UnixTime(seconds: 0)) == 0)
  }

  /// A backend that does not run any more cannot end the statement itself.
  @Test func stoppedBackend() async throws {
    let server = try await PostgreSQLServer.shared.value
    let name = freshSchema()
    let ledger = try await server.ledger(
      connectTimeout: 5_000, statementTimeout: 2_000, "application_name=\(name)")
    let id = try freshID()
    // Few bytes, and more than the socket's buffers take.
    for (count, step) in [(1, 1), (200_000, 10)] as [(Int, UInt64)] {
      #expect(try await ledger.settle([match(id, step: step)]) == [.accepted])
      let pid = try await server.backend(of: name)
      kill(pid, SIGSTOP)
      let group = [Settlement](repeating: match(id, step: step + 1), count: count)
      let (error, duration) = await failure { try await ledger.settle(group) }
      #expect(error?.code == .ledgerUncertain)
      #expect(duration < .seconds(10))
      #expect(try await ledger.states(of: [id]).count == 1)
      kill(pid, SIGCONT)
      try await waitUntil { kill(pid, 0) != 0 }
    }
    #expect(try await ledger.settle([match(id, step: .max)]) == [.accepted])
  }

  /// The whole server is stopped: connections are taken by the kernel, and nobody answers.
  @Test func stoppedServer() async throws {
    try await PostgreSQLServer.with(settings: ["fsync=off"]) { server in
      let schema = freshSchema()
      _ = try await server.ledger(schema: schema)
      let ledger = try PostgreSQLLedger(
        connection: server.connection(), schema: schema, connectTimeout: 300)
      server.send(SIGSTOP)
      let id = try freshID()
      for _ in 0..<3 {
        let (error, duration) = await failure { try await ledger.settle([match(id, step: 1)]) }
        #expect(error?.code == .ledgerUnavailable)
        #expect(duration < .seconds(3))
      }
      // Callers who wait behind each other do not add up their timeouts.
      let queued = try PostgreSQLLedger(
        connection: server.connection(), schema: schema, connectTimeout: 1_000,
        statementTimeout: 1_000)
      let start = ContinuousClock.now
      await withTaskGroup { tasks in
        for _ in 0..<20 {
          tasks.addTask {
            let (error, _) = await failure { try await queued.settle([match(id, step: 1)]) }
            #expect(error?.code == .ledgerUnavailable)
          }
        }
      }
      #expect(start.duration(to: .now) < .seconds(10))
      server.send(SIGCONT)
      let patient = try PostgreSQLLedger(connection: server.connection(), schema: schema)
      #expect(try await patient.settle([match(id, step: 1)]) == [.accepted])
      try await eventually { try await ledger.settle([match(id, step: 1)]) == [.replayed] }

      // Stopped for good, and started again.
      try await server.stop()
      let (error, _) = await failure { try await ledger.settle([match(id, step: 2)]) }
      #expect(error?.code == .ledgerUnavailable)
      try await server.start()
      try await eventually { try await ledger.settle([match(id, step: 2)]) == [.accepted] }
    }
  }

  /// The server is killed again and again while codes are accepted: no accepted one is right again, even
  /// where the server's own default would not wait for the disk.
  @Test func killedServer() async throws {
    try await PostgreSQLServer.with(
      settings: ["fsync=on", "synchronous_commit=off", "wal_writer_delay=10s"]
    ) { server in
      let ledger = try await server.ledger()
      let ids = try (0..<20).map { _ in try freshID() }
      var step: UInt64 = 0
      for round in 0..<5 {
        let accepted = Mutex<UInt64>(step)
        let next = step
        async let end: OTPError? = {
          for step in (next + 1)... {
            do throws(OTPError) {
              let outcomes = try await ledger.settle(ids.map { match($0, step: step) })
              if outcomes.allSatisfy({ $0 == .accepted }) { accepted.withLock { $0 = step } }
            } catch {
              return error
            }
          }
          return nil
        }()
        try await waitUntil { accepted.withLock { $0 } >= next + 20 }
        try await server.stop(by: round.isMultiple(of: 2) ? SIGKILL : SIGQUIT)
        let code = await end?.code
        #expect(code == .ledgerUncertain || code == .ledgerUnavailable)
        try await server.start()
        let last = accepted.withLock { $0 }
        try await eventually {
          try await ledger.settle(ids.map { match($0, step: last) }).allSatisfy { $0 == .replayed }
        }
        // The step whose answer was lost may be used up or not, but is so for the whole group.
        let lastSteps = Set(try await ledger.states(of: ids).map(\.lastStep))
        #expect(lastSteps == [last] || lastSteps == [last + 1])
        step = last + 1
      }
    }
  }

  /// The primary fails, and a standby takes over: the ledger finds the one that can write.
  @Test func failover() async throws {
    try await PostgreSQLServer.with(settings: ["fsync=off"]) { primary in
      let schema = freshSchema()
      _ = try await primary.ledger(schema: schema)
      try await PostgreSQLServer.with(settings: ["fsync=off"], following: primary) { standby in
        try await expectFailover(from: primary, to: standby, schema)
      }
    }
  }

  private func expectFailover(
    from primary: PostgreSQLServer, to standby: PostgreSQLServer, _ schema: String
  ) async throws {
    let id = try freshID()
    let reader = try PostgreSQLLedger(connection: standby.connection(), schema: schema)
    for operation in [
      { _ = try await reader.settle([match(id, step: 2)]) },
      { _ = try await reader.states(of: [id]) },
    ] {
      let (error, _) = await failure(operation)
      #expect(error?.code == .ledgerUnavailable)
      #expect(error?.message.contains("standby") == true)
    }
    // The schema is there, so there is nothing to write.
    try await reader.migrate()

    let hosts = "\(standby.folder.path),\(primary.folder.path)"
    let ledger = try PostgreSQLLedger(
      connection: "host=\(hosts) user=postgres dbname=postgres target_session_attrs=read-write",
      schema: schema)
    #expect(try await ledger.settle([match(id, step: 2)]) == [.accepted])
    try await waitUntil {
      try await standby.sql("SELECT count(*) FROM \(schema).credential") == "1"
    }
    try await primary.stop(by: SIGQUIT)
    let (error, _) = await failure { try await ledger.settle([match(id, step: 3)]) }
    #expect(error?.code == .ledgerUnavailable)
    try await standby.sql("SELECT pg_promote()")
    try await eventually { try await ledger.settle([match(id, step: 2)]) == [.replayed] }
    #expect(try await ledger.settle([match(id, step: 3)]) == [.accepted])
  }

  /// libpq's own options choose TLS: a server that is not the one that is trusted gets no attempt.
  @Test func tls() async throws {
    let keys = try ServerFolder("tls", owner: PostgreSQLServer.role)
    defer { keys.remove() }
    for name in ["right", "wrong"] {
      let path = "\(keys.path)/\(name)"
      let arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", "\(path).key", "-out", "\(path).crt",
      ]
      try await onOwnThread {
        try run("/usr/bin/openssl", arguments, as: PostgreSQLServer.role)
      }
    }
    let port = try freePort()
    try await PostgreSQLServer.with(
      port: port,
      settings: [
        "fsync=off", "listen_addresses=127.0.0.1", "ssl=on", "ssl_cert_file=\(keys.path)/right.crt",
        "ssl_key_file=\(keys.path)/right.key",
      ]
    ) { server in
      let schema = freshSchema()
      _ = try await server.ledger(schema: schema)
      func ledger(trusting name: String, host: String = "localhost") throws -> PostgreSQLLedger {
        try PostgreSQLLedger(
          connection: """
            postgresql://postgres@\(host):\(port)/postgres?sslmode=verify-full&hostaddr=127.0.0.1\
            &sslrootcert=\(keys.path)/\(name).crt
            """, schema: schema)
      }
      let id = try freshID()
      let trusting = try ledger(trusting: "right")
      let group = try (0..<3000).map { match(try freshID(), step: $0) }
      #expect(try await trusting.settle(group).allSatisfy { $0 == .accepted })
      #expect(
        try await server.sql(
          "SELECT count(*) FROM pg_stat_ssl WHERE ssl AND pid <> pg_backend_pid()")
          == "1")
      for other in [
        try ledger(trusting: "wrong"), try ledger(trusting: "right", host: "other.invalid"),
      ] {
        let (error, _) = await failure { try await other.settle([match(id, step: 1)]) }
        #expect(error?.code == .ledgerUnavailable)
        #expect(error?.message.contains("certificate") == true, "\(error?.message ?? "")")
      }
    }
  }
}

/// Waits until an operation succeeds with the result that is expected: the server may be starting.
private func eventually(_ condition: () async throws -> Bool) async throws {
  let start = ContinuousClock.now
  while true {
    do {
      if try await condition() { return }
      throw RunFailure("the ledger works again, with another result")
    } catch let error as OTPError {
      guard error.code == .ledgerUnavailable, start.duration(to: .now) < .seconds(60) else {
        throw error
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// A socket that listens on a port of the loopback interface, and takes no connection.
private struct SilentListener {
  let port: Int
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    try #require(isListening)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  func close() {
    Foundation.close(descriptor)
  }
}

/// A port that nobody listens on.
private func freePort() throws -> Int {
  let listener = try SilentListener()
  listener.close()
  return listener.port
}
