import Foundation
import OTP
import OTPRedis
import OTPTestSupport
import OTPVerification
import Synchronization
import Testing

/// What breaks between a ledger and its server: each fault is an error in time, nothing that was accepted is
/// accepted again, and the same ledger works again when the server does.
@Suite struct RedisFaultTests {
  // MARK: A server that goes

  @Test func serverThatComesLater() async throws {
    let server = try RedisServer()
    defer { server.remove() }
    let ledger = try server.ledger()
    let id = try freshID()
    #expect(await ledger.fault(settling: .use(id, 1)).code == .ledgerUnavailable)
    #expect(await errorCode { try await ledger.states(of: [id]) } == .ledgerUnavailable)
    #expect(await errorCode { try await ledger.reset(id, .throttle) } == .ledgerUnavailable)
    #expect(await errorCode { try await ledger.reset(id, .everything) } == .ledgerUnavailable)
    try await server.start()
    #expect(try await ledger.settle([.use(id, 1)]) == [.accepted])
    // No name, no port.
    for ledger in [
      try RedisLedger(.tcp(host: "name.invalid")), try RedisLedger(url: "redis://127.0.0.1:1"),
      try RedisLedger(.unix(path: server.folder.path)),
      try RedisLedger(.unix(path: "/" + String(repeating: "x", count: 300))),
    ] {
      #expect(await ledger.fault(settling: .use(id, 1)).code == .ledgerUnavailable)
    }
  }

  /// A port where nobody takes connections: the kernel makes the first ones, the others come to nothing.
  @Test func silentPort() async throws {
    let (listener, port) = try loopbackListener(backlog: 0)
    defer { close(listener) }
    for _ in 0..<4 {
      let ledger = try RedisLedger(
        .tcp(host: "127.0.0.1", port: port), connectTimeout: 300, commandTimeout: 300)
      let (code, duration) = await ledger.fault(settling: .use(try freshID(), 1))
      #expect(code == .ledgerUnavailable)
      #expect(duration < .seconds(5))
    }
  }

  /// With its data on disk before each answer, a server that is killed knows what was accepted.
  @Test func killedAndRestarted() async throws {
    try await RedisServer.with(settings: ["appendonly yes", "appendfsync always"]) { server in
      let ledger = try server.ledger()
      let ids = try (0..<20).map { _ in try freshID() }
      for step in 1...4 as ClosedRange<UInt64> {
        let group = ids.map { Settlement.use($0, step) }
        #expect(try await ledger.settle(group).allSatisfy { $0 == .accepted })
        server.kill()
        #expect(await ledger.fault(settling: .use(ids[0], step)).code == .ledgerUnavailable)
        try await server.start()
        // The new server has no script, and the connection is another.
        #expect(try await ledger.settle(group).allSatisfy { $0 == .replayed })
      }
    }
  }

  /// Killed in the midst of groups: what was answered as accepted is not accepted again.
  @Test func killedDuringLoad() async throws {
    try await RedisServer.with(settings: ["appendonly yes", "appendfsync always"]) { server in
      let ledger = try server.ledger()
      let ids = try (0..<50).map { _ in try freshID() }
      for round in 0..<4 as Range<UInt64> {
        let settled = Mutex(round * 1_000_000)
        let load = Task {
          while true {
            let step = settled.withLock { $0 } + 1
            let outcomes = try await ledger.settle(ids.map { .use($0, step) })
            #expect(outcomes.allSatisfy { $0 == .accepted })
            settled.withLock { $0 = step }
          }
        }
        try await waitUntil { settled.withLock { $0 } >= round * 1_000_000 + 5 }
        server.kill()
        let error = await #expect(throws: OTPError.self) { try await load.value }
        #expect([.ledgerUncertain, .ledgerUnavailable].contains(error?.code))
        try await server.start()
        let last = settled.withLock { $0 }
        #expect(try await ledger.settle(ids.map { .use($0, last) }).allSatisfy { $0 == .replayed })
      }
    }
  }

  /// Without persistence a restart forgets everything, as the documentation says.
  @Test func restartWithoutPersistence() async throws {
    try await RedisServer.with { server in
      let ledger = try server.ledger()
      let id = try freshID()
      #expect(try await ledger.settle([.use(id, 7)]) == [.accepted])
      server.kill()
      try await server.start()
      #expect(try await ledger.state(id) == CredentialState())
    }
  }

  /// The end of a resting connection is seen before anything is sent: no call has to fail.
  @Test func cutWhileIdle() async throws {
    try await RedisServer.with { server in
      let ledger = try server.ledger()
      let id = try freshID()
      for step in 1...5 as ClosedRange<UInt64> {
        #expect(try await ledger.settle([.use(id, step)]) == [.accepted])
        try server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      }
      try server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      #expect(try await ledger.state(id).lastStep == 5)
    }
  }

  // MARK: A network that breaks

  @Test func answerLost() async throws {
    let server = try await RedisServer.shared.value
    let proxy = try RedisProxy(to: server)
    defer { proxy.close() }
    let ledger = try RedisLedger(.tcp(host: "localhost", port: proxy.port))
    let id = try freshID()
    #expect(try await ledger.settle([.use(id, 1)]) == [.accepted])
    #expect(proxy.connectionCount == 1)

    proxy.set(.answersCut)
    #expect(await ledger.fault(settling: .use(id, 2)).code == .ledgerUncertain)
    proxy.set(.none)
    // It was executed, and it was not sent again.
    #expect(try await ledger.settle([.use(id, 2)]) == [.replayed])
    #expect(proxy.connectionCount == 2)

    proxy.set(.answersCut)
    #expect(await ledger.fault(settling: .guess(id)).code == .ledgerUncertain)
    proxy.set(.none)
    #expect(try await ledger.state(id).failures == 1)

    for part in [ResetPart.throttle, .everything] {
      proxy.set(.none)
      _ = try await ledger.state(id)
      proxy.set(.answersCut)
      #expect(await errorCode { try await ledger.reset(id, part) } == .ledgerUncertain)
    }
    // Without a connection nothing is sent that matters.
    #expect(await ledger.fault(settling: .use(id, 1)).code == .ledgerUnavailable)
    proxy.set(.none)
    #expect(try await ledger.state(id) == CredentialState())
    proxy.set(.answersCut)
    #expect(await errorCode { try await ledger.states(of: [id]) } == .ledgerUnavailable)
    proxy.set(.none)
    #expect(try await ledger.settle([.use(id, 1)]) == [.accepted])
  }

  /// The request ends anywhere: the attempts before that were settled, the others were not, and the process
  /// gets no signal for writing on.
  @Test(arguments: [1, 100, 5_000, 50_000, 150_000])
  func requestLost(after bytes: Int) async throws {
    signal(SIGPIPE, SIG_DFL)
    let server = try await RedisServer.shared.value
    let proxy = try RedisProxy(to: server)
    defer { proxy.close() }
    let ledger = try RedisLedger(.tcp(host: "127.0.0.1", port: proxy.port))
    let ids = try (0..<3000).map { _ in try freshID() }
    _ = try await ledger.states(of: ids)
    proxy.set(.requestsCut(after: bytes))
    #expect(
      await errorCode { try await ledger.settle(ids.map { .use($0, 1) }) } == .ledgerUncertain)
    proxy.set(.none)
    let states = try await ledger.states(of: ids)
    let settled = try #require(states.firstIndex { $0.lastStep == nil })
    #expect(settled > 0 || bytes <= 100)
    let outcomes = try await ledger.settle(ids.map { .use($0, 1) })
    #expect(outcomes[..<settled].allSatisfy { $0 == .replayed })
    #expect(outcomes[settled...].allSatisfy { $0 == .accepted })
  }

  /// An answer that comes, but too slowly: no single wait is long.
  @Test func answerTrickles() async throws {
    let server = try await RedisServer.shared.value
    let proxy = try RedisProxy(to: server)
    defer { proxy.close() }
    let ledger = try RedisLedger(.tcp(host: "127.0.0.1", port: proxy.port), commandTimeout: 500)
    let ids = try (0..<500).map { _ in try freshID() }
    try await waitUntilAnswered(ledger)
    proxy.set(.answersTrickle)
    let start = ContinuousClock.now
    #expect(
      await errorCode { try await ledger.settle(ids.map { .use($0, 1) }) } == .ledgerUncertain)
    // The whole answer would take more than a minute.
    #expect(start.duration(to: .now) < .seconds(20))
    proxy.set(.none)
    try await waitUntilAnswered(ledger)
    #expect(try await ledger.state(ids[0]).lastStep == 1)
  }

  @Test func answerOfAnotherProtocol() async throws {
    let server = try await RedisServer.shared.value
    let proxy = try RedisProxy(to: server)
    defer { proxy.close() }
    let ledger = try RedisLedger(.tcp(host: "127.0.0.1", port: proxy.port))
    let id = try freshID()
    #expect(try await ledger.settle([.use(id, 1)]) == [.accepted])
    proxy.set(.answersForeign)
    #expect(await ledger.fault(settling: .use(id, 2)).code == .ledgerUncertain)
    #expect(await ledger.fault(settling: .use(id, 3)).code == .ledgerUnavailable)
    #expect(await errorCode { try await ledger.states(of: [id]) } == .ledgerUnavailable)
    proxy.set(.none)
    #expect(try await ledger.settle([.use(id, 2), .use(id, 3)]) == [.replayed, .accepted])
  }

  // MARK: A server that hangs

  @Test func hungServer() async throws {
    try await RedisServer.with { server in
      let id = try freshID()
      let patient = try server.ledger()
      #expect(try await patient.settle([.use(id, 1)]) == [.accepted])
      let ledger = try server.ledger(commandTimeout: 1_000)
      try await waitUntilAnswered(ledger)
      server.send(SIGSTOP)
      // It was sent, and nobody can tell.
      let (code, duration) = await ledger.fault(settling: .use(id, 2))
      #expect(code == .ledgerUncertain)
      #expect(duration < .seconds(20))
      // The kernel still connects, but there is no answer.
      #expect(await ledger.fault(settling: .use(id, 3)).code == .ledgerUnavailable)
      // Many calls do not wait one after the other.
      let start = ContinuousClock.now
      await withTaskGroup { tasks in
        for _ in 0..<100 {
          tasks.addTask {
            #expect(await errorCode { try await ledger.states(of: [id]) } == .ledgerUnavailable)
          }
        }
      }
      #expect(start.duration(to: .now) < .seconds(30))
      server.send(SIGCONT)
      try await waitUntilAnswered(ledger)
      // What lay in the socket was executed when the server came back.
      #expect(try await ledger.settle([.use(id, 2), .use(id, 3)]) == [.replayed, .accepted])
    }
  }

  // MARK: A server that refuses

  /// Refusals are certain, and last until their reason is gone.
  @Test(arguments: [
    (["CONFIG", "SET", "maxmemory", "1mb"], ["CONFIG", "SET", "maxmemory", "0"]),
    (["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]),
    (
      ["CONFIG", "SET", "min-replicas-to-write", "1"],
      ["CONFIG", "SET", "min-replicas-to-write", "0"]
    ),
  ])
  func refusal(_ causing: [String], _ ending: [String]) async throws {
    try await RedisServer.with(settings: ["maxmemory-policy noeviction"]) { server in
      let ledger = try server.ledger()
      let (id, other) = (try freshID(), try freshID())
      #expect(try await ledger.settle([.use(id, 1), .guess(id)]) == [.accepted, .mismatch])
      let before = try await ledger.states(of: [id, other])
      try server.command(causing)
      #expect(await ledger.fault(settling: .use(id, 2)).code == .ledgerUnavailable)
      #expect(await ledger.fault(settling: .guess(id)).code == .ledgerUnavailable)
      #expect(await ledger.fault(settling: .use(other, 1), .use(id, 1)).code == .ledgerUnavailable)
      #expect(await errorCode { try await ledger.reset(id, .throttle) } == .ledgerUnavailable)
      // States can be read, and were not changed.
      #expect(try await ledger.states(of: [id, other]) == before)
      try server.command(ending)
      #expect(try await ledger.settle([.use(id, 2), .use(other, 1)]) == [.accepted, .accepted])
    }
  }

  @Test func passwords() async throws {
    try await RedisServer.with { server in
      let path = server.socket
      let id = try CredentialID("ann")
      // What the documentation says is enough.
      try server.command(
        "ACL", "SETUSER", "o:t@p", "on", ">hunter2 /%?#", "~otp:*", "+get", "+set", "+del",
        "+evalsha", "+eval", "+script|load", "+select")
      try server.command("ACL", "SETUSER", "unable", "on", ">hunter2", "~otp:*", "+get", "+evalsha")
      let ledger = try RedisLedger(url: "unix://o%3At%40p:hunter2%20%2F%25%3f%23@\(path)?db=2")
      #expect(try await ledger.settle([.use(id, 1), .guess(id)]) == [.accepted, .mismatch])
      try server.command("SCRIPT", "FLUSH")
      try await ledger.reset(id, .throttle)
      #expect(try await ledger.settle([.use(id, 1)]) == [.replayed])
      try await ledger.reset(id, .everything)

      for (user, password) in [("o:t@p", "hunter2"), ("nobody", "hunter2"), ("unable", "hunter2")] {
        let ledger = try RedisLedger(.unix(path: path), user: user, password: password)
        let error = await #expect(throws: OTPError.self) { try await ledger.settle([.use(id, 9)]) }
        #expect(error?.code == .ledgerUnavailable)
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.description.contains(user) == false)
      }
      // Keys that the user has no right to.
      let elsewhere = try RedisLedger(
        .unix(path: path), user: "o:t@p", password: "hunter2 /%?#", prefix: "x:")
      #expect(await elsewhere.fault(settling: .use(id, 1)).code == .ledgerUnavailable)
      #expect(await errorCode { try await elsewhere.states(of: [id]) } == .ledgerUnavailable)
      // A password that nobody asked for.
      let eager = try RedisLedger(.unix(path: path), password: "hunter2")
      #expect(await eager.fault(settling: .use(id, 1)).code == .ledgerUnavailable)

      // The password of the default user, and none where one is needed; then also for a user who is gone.
      try server.command("ACL", "SETUSER", "default", "resetpass", ">hunter3")
      #expect(
        try await RedisLedger(url: "unix://:hunter3@\(path)").settle([.use(id, 1)]) == [.accepted])
      for ledger in [
        try RedisLedger(.unix(path: path)), try RedisLedger(.unix(path: path), password: "hunter2"),
      ] {
        #expect(await ledger.fault(settling: .use(id, 2)).code == .ledgerUnavailable)
      }
    }
  }
}

/// Waits until a ledger with a short timeout has its connection, however busy the machine is.
private func waitUntilAnswered(_ ledger: RedisLedger) async throws {
  let id = try freshID()
  try await waitUntil { await errorCode { try await ledger.states(of: [id]) } == nil }
}

/// The code of the error that `body` throws, or nil when it throws none.
private func errorCode<R>(_ body: () async throws -> R) async -> OTPError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? OTPError)?.code
  }
}
