import OTP
import OTPRedis
import OTPTestSupport
import OTPVerification
import Testing

/// What is peculiar to the ledger in Redis, while all goes well.
@Suite struct RedisLedgerTests {
  // MARK: The rule

  /// Groups at the edges of all numbers, many attempts of a credential in each.
  @Test func followsTheRuleAtTheEdges() async throws {
    var generator = SeededGenerator(for: "Redis edges")
    let ledger = try await RedisServer.shared.value.ledger()
    let ids = try (0..<4).map { _ in try freshID() }
    var model: [CredentialID: CredentialState] = [:]
    func seconds() -> Int64 { max(1, Int64(clamping: generator.counter())) }
    for round in 0..<300 {
      let group = try (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        let maximum = Int.random(in: 1...100, using: &generator)
        let throttle =
          if Bool.random(using: &generator) {
            try Throttle(
              .lockout(
                after: .random(in: 1...min(maximum, 4), using: &generator), seconds: seconds()),
              maximumFailures: maximum)
          } else {
            try Throttle(
              .exponential(factor: seconds(), cap: seconds()), maximumFailures: maximum)
          }
        let claim: Settlement.Claim =
          switch Int.random(in: 0..<5, using: &generator) {
          case 0:
            .match(
              step: generator.counter(),
              drift: [.min, -1, 0, 1, .max].randomElement(using: &generator))
          case 1: .noMatchAfter(lastStep: generator.counter())
          default: .noMatch
          }
        let times: [Int64] = [0, 1, 1_700_000_000, 1 << 52, 1 << 53 - 1, 1 << 53]
        return Settlement(
          id: ids.randomElement(using: &generator) ?? ids[0],
          time: UnixTime(seconds: times.randomElement(using: &generator) ?? 0), claim: claim,
          consumes: Int.random(in: 0..<4, using: &generator) > 0, throttle: throttle,
          retention: [nil, 86_400, 1 << 40, .max].randomElement(using: &generator) ?? nil)
      }
      let expected = group.map { model[$0.id, default: CredentialState()].settle($0) }
      #expect(try await ledger.settle(group) == expected, "round \(round)")
      let states = try await ledger.states(of: ids)
      #expect(states == ids.map { model[$0] ?? CredentialState() }, "round \(round)")
      // Locks for good, and last steps of which no higher one is left, end by a reset.
      let id = ids[round % ids.count]
      let part: ResetPart = round.isMultiple(of: 3) ? .everything : .throttle
      model[id, default: CredentialState()].reset(part)
      try await ledger.reset(id, part)
    }
  }

  /// More attempts of few credentials than one exchange takes.
  @Test func manyAttemptsOfOneCredential() async throws {
    let ledger = try await RedisServer.shared.value.ledger()
    let ids = try (0..<3).map { _ in try freshID() }
    let group = (0..<5000).map { index in
      let step = index / 3 * 7 % 2000
      return Settlement.use(ids[index % 3], UInt64(step), drift: Int32(index))
    }
    var model: [CredentialID: CredentialState] = [:]
    let expected = group.map { model[$0.id, default: CredentialState()].settle($0) }
    #expect(try await ledger.settle(group) == expected)
    #expect(try await ledger.states(of: ids) == ids.map { model[$0] })
  }

  @Test func timesOutOfRange() async throws {
    let ledger = try await RedisServer.shared.value.ledger()
    let id = try freshID()
    for time in [-1, 1 << 53 + 1, .max, .min] as [Int64] {
      #expect(await ledger.fault(settling: .use(id, 1), .use(id, 2, at: time)).code == .invalidTime)
    }
    #expect(try await ledger.state(id) == CredentialState())
  }

  // MARK: Expiry

  @Test func expiry() async throws {
    let server = try await RedisServer.shared.value
    let ledger = try server.ledger()
    let start = ContinuousClock.now
    /// Settles and looks at the key's time to live.
    func expect(
      _ seconds: Int, after settlements: Settlement...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      _ = try await ledger.settle(settlements)
      #expect(
        try server.lives(settlements[0].id, seconds: seconds, since: start),
        sourceLocation: sourceLocation)
    }
    let id = try plainID()
    // A wrong code is remembered for longer than a used one, but no longer than until the next success.
    try await expect(1000, after: .use(id, 1, retention: 1000))
    try await expect(5000, after: .guess(id, retention: 5000))
    try await expect(1000, after: .use(id, 2, retention: 1000))
    // What an earlier acceptance demanded is never cut short, nor what an earlier failure did.
    try await expect(1000, after: .use(id, 3, retention: 200))
    try await expect(1000, after: .guess(id, retention: 200))
    try await expect(5000, after: .guess(id, retention: 5000))
    try await expect(5000, after: .guess(id, retention: 200))
    try await expect(1000, after: .use(id, 4, retention: 200))
    // Attempts that change nothing leave it.
    try server.command("EXPIRE", "otp:" + String(decoding: id.bytes, as: UTF8.self), "500")
    try await expect(500, after: .use(id, 4, retention: 90_000))

    // The end of a lock, and as long again after it as the failures are remembered.
    let throttle = try Throttle.lockout(after: 2, seconds: 100_000)
    let locked = try plainID()
    try await expect(5000, after: .guess(locked, throttle: throttle, retention: 5000))
    try await expect(105_000, after: .guess(locked, at: 77, throttle: throttle, retention: 5000))
    try await ledger.reset(locked, .throttle)
    #expect(try server.timeToLive(locked) == -2)
    // In one call as in two.
    let both = try plainID()
    try await expect(
      105_000, after: .use(both, 1, at: 50, retention: 10),
      .guess(both, at: 60, throttle: throttle, retention: 4000),
      .guess(both, at: 70, throttle: throttle, retention: 5000),
      .use(both, 2, at: 80, retention: 10))
    try await ledger.reset(both, .throttle)
    #expect(try server.lives(both, seconds: 10, since: start))

    // The least and the most.
    try await expect(1, after: .use(try plainID(), 1, retention: .min))
    try await expect(9_999_999_998, after: .use(try plainID(), 1, retention: 9_999_999_998))
  }

  @Test func keysThatNeverExpire() async throws {
    let server = try await RedisServer.shared.value
    let ledger = try server.ledger()
    let forGood = try Throttle(.exponential(factor: 1, cap: 1), maximumFailures: 1)
    for settlement in [
      Settlement.use(try plainID(), 1, retention: nil), .use(try plainID(), 1, retention: .max),
      .use(try plainID(), 1, retention: 1 << 53), .use(try plainID(), 1, retention: 9_999_999_999),
      .guess(try plainID(), retention: nil), .guess(try plainID(), retention: .max),
      .guess(try plainID(), throttle: forGood, retention: 1),
      .guess(try plainID(), throttle: try .lockout(after: 1, seconds: .max), retention: 1),
      .guess(try plainID(), throttle: try .lockout(after: 1, seconds: 1 << 53), retention: 1),
      .guess(
        try plainID(), throttle: try .lockout(after: 1, seconds: 9_999_999_998), retention: 1),
    ] {
      _ = try await ledger.settle([settlement])
      #expect(try server.timeToLive(settlement.id) == -1, "\(settlement)")
    }
    // An acceptance for ever stays one. A lock for good, once it is reset, does not hold the key.
    let id = try plainID()
    _ = try await ledger.settle([.use(id, 1, retention: nil), .use(id, 2, retention: 5)])
    _ = try await ledger.settle([.use(id, 3, retention: 5)])
    #expect(try server.timeToLive(id) == -1)
    let start = ContinuousClock.now
    let other = try plainID()
    _ = try await ledger.settle([.use(other, 1, retention: 500), .guess(other, throttle: forGood)])
    #expect(try server.timeToLive(other) == -1)
    try await ledger.reset(other, .throttle)
    #expect(try server.lives(other, seconds: 500, since: start))
  }

  /// What the verifier asks for.
  @Test func expiryOfTOTPAndHOTP() async throws {
    let server = try await RedisServer.shared.value
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: try server.ledger(), policy: try VerificationPolicy())
    let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    let time = UnixTime(seconds: 59)
    let start = ContinuousClock.now
    let totp = try totpCredential(key, plainID())
    #expect(
      try await verifier.verify("287082", for: totp, at: time) == .accepted(step: 1, offset: 0))
    #expect(try server.lives(totp.id, seconds: 86_490, since: start))
    #expect(try await verifier.verify("287082", for: totp, at: time) == .replayed)
    #expect(try await verifier.verify("000000", for: totp, at: time) == .mismatch)
    #expect(try server.lives(totp.id, seconds: 2_678_490, since: start))

    let hotp = try hotpCredential(key, counter: 0, plainID())
    #expect(try await verifier.verify("000000", for: hotp, at: time) == .mismatch)
    #expect(try server.timeToLive(hotp.id) == -1)
    #expect(
      try await verifier.verify("755224", for: hotp, at: time) == .accepted(step: 0, offset: 0))
    #expect(try server.timeToLive(hotp.id) == -1)
  }

  // MARK: Keys

  @Test func prefixesAndDatabasesAreSeparate() async throws {
    try await RedisServer.with { server in
      let path = server.socket
      let ledgers = try [
        RedisLedger(.unix(path: path)), RedisLedger(.unix(path: path), prefix: ""),
        RedisLedger(.unix(path: path), prefix: "other:"),
        RedisLedger(.unix(path: path), database: 3),
        RedisLedger(.unix(path: path), database: 3, prefix: "other:"),
      ]
      let id = try CredentialID("ann")
      for ledger in ledgers {
        #expect(try await ledger.state(id) == CredentialState())
        #expect(try await ledger.settle([.use(id, 1)]) == [.accepted])
        #expect(try await ledger.settle([.use(id, 1)]) == [.replayed])
      }
      let keys = try server.command("KEYS", "*").split(separator: "\n").sorted()
      #expect(keys == ["ann", "other:ann", "otp:ann"])
      try await ledgers[0].reset(id, .everything)
      #expect(try await ledgers[0].state(id) == CredentialState())
      for ledger in ledgers.dropFirst() { #expect(try await ledger.state(id).lastStep == 1) }
      // The same by URLs.
      #expect(try await RedisLedger(url: "unix://\(path)?prefix=other%3A").state(id).lastStep == 1)
      #expect(
        try await RedisLedger(url: "unix://\(path)?db=3&prefix=other:").state(id).lastStep == 1)
      #expect(
        try await RedisLedger(url: "unix://\(path)?prefix=%6ftp:&db=3").state(id).lastStep == 1)
      #expect(try await RedisLedger(url: "unix://\(path)?db=4").state(id).lastStep == nil)
      // A database that the server does not have.
      let beyond = try RedisLedger(.unix(path: path), database: 16)
      #expect(await beyond.fault(settling: .use(id, 9)).code == .ledgerUnavailable)
    }
  }

  /// A key that somebody else put there is an error, and never a fresh credential.
  @Test(arguments: [
    ["SET", "x"], ["SET", ""],
    ["SET", "0123456789012345678901234567890123456789012345678901234567890"],
    ["SET", "00000000000000000001+0000000000x"], ["SET", "00000000000000000001+00000000001 2"],
    ["RPUSH", "x"], ["SADD", "x"],
  ])
  func foreignValue(_ command: [String]) async throws {
    let server = try await RedisServer.shared.value
    let ledger = try server.ledger()
    let (id, good) = (try plainID(), try plainID())
    try server.command(command[0], "otp:" + String(decoding: id.bytes, as: UTF8.self), command[1])
    #expect(await ledger.fault(settling: .use(id, 1)).code == .ledgerUnavailable)
    #expect(await ledger.fault(settling: .guess(id)).code == .ledgerUnavailable)
    await #expect(throws: OTPError.self) { try await ledger.states(of: [good, id, good]) }
    // A part of the group was settled: what became of the group is not known to who asked.
    #expect(await ledger.fault(settling: .use(good, 1), .use(id, 1)).code == .ledgerUncertain)
    #expect(try await ledger.settle([.use(good, 1)]) == [.replayed])
    // The other one changes nothing, so that nothing was stored.
    #expect(await ledger.fault(settling: .use(id, 1), .use(good, 1)).code == .ledgerUnavailable)
    try await ledger.reset(id, .everything)
    #expect(try await ledger.settle([.use(id, 1)]) == [.accepted])
  }

  // MARK: The script

  @Test func forgottenScript() async throws {
    try await RedisServer.with { server in
      let ledger = try server.ledger()
      let id = try freshID()
      for step in 1...5 as ClosedRange<UInt64> {
        let outcomes = try await ledger.settle([.use(id, step), .use(id, step), .use(id, 0)])
        #expect(outcomes == [.accepted, .replayed, .replayed])
        try server.command("SCRIPT", "FLUSH")
      }
      try await ledger.reset(id, .throttle)
      #expect(try await ledger.state(id).lastStep == 5)
    }
  }

  /// The script goes in the midst of groups, and comes back by another ledger: what was settled is not settled
  /// again, and each credential's attempts keep their order.
  @Test func scriptForgottenDuringLoad() async throws {
    try await RedisServer.with { server in
      let ledgers = try (0..<2).map { _ in try server.ledger() }
      let flushing = Task {
        while !Task.isCancelled { try server.command("SCRIPT", "FLUSH") }
      }
      try await withThrowingTaskGroup { tasks in
        for ledger in ledgers {
          tasks.addTask {
            let ids = try (0..<400).map { _ in try freshID() }
            for round in 0..<60 as Range<UInt64> {
              // A right code, a wrong one, and the right one of the step after and again.
              let group =
                ids.map { Settlement.use($0, 2 * round) } + ids.map { .guess($0) }
                + ids.flatMap { [.use($0, 2 * round + 1), .use($0, 2 * round + 1)] }
              let expected =
                [Outcome](repeating: .accepted, count: 400)
                + [Outcome](repeating: .mismatch, count: 400)
                + (0..<400).flatMap { _ in [.accepted, .replayed] as [Outcome] }
              #expect(try await ledger.settle(group) == expected)
            }
          }
        }
        try await tasks.waitForAll()
      }
      flushing.cancel()
      try await flushing.value
      #expect(try server.command("INFO", "errorstats").contains("NOSCRIPT"))
    }
  }

  // MARK: Settings

  @Test func urlsThatAreRefused() {
    for url in [
      "", "redis", "redis:/", "redis://", "rediss://localhost", "http://localhost",
      "localhost:6379",
      "redis:///1", "redis://:1", "redis://localhost:", "redis://localhost:0",
      "redis://localhost:65536",
      "redis://localhost:+1", "redis://localhost:1x", "redis://localhost/x",
      "redis://localhost/1/2",
      "redis://localhost/-1", "redis://localhost/9999999999", "redis://ann@localhost",
      "redis://@localhost", "redis://::1", "redis://[::1", "redis://[::1]6379", "redis://[]:1",
      "redis://local host", "redis://localhost#1", "redis://localhost?db=1",
      "redis://localhost?prefix",
      "redis://localhost?prefix=a&prefix=b", "redis://localhost?%", "redis://localhost?prefix=%4",
      "redis://localhost?prefix=%+4", "redis://localhost%00", "redis://%FF",
      "redis://localhost?timeout=1",
      "unix://", "unix://path", "unix://user:password@path", "unix:///path?db=",
      "unix:///path?db=x",
      "unix:///pa%00th", "unix:///path?db=1&db=1", "unix://user@/path",
      // Passwords that were not percent-encoded.
      "redis://ann:hunter2/9@localhost", "redis://ann:hunter2?9@localhost",
      "redis://:hunter2#9@localhost",
      "redis://ann:hunter2 9@localhost", "redis://:hunter2%@localhost",
      "redis://localhost?prefix=\(String(repeating: "x", count: 1025))",
    ] {
      let error = #expect(throws: OTPError.self, "\(url)") { try RedisLedger(url: url) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.description.contains("hunter2") == false)
    }
    for url in [
      "redis://localhost", "redis://localhost/", "redis://localhost:1/15", "redis://[::1]",
      "redis://[::1]:1",
      "redis://:@localhost", "redis://a:b@c:1/2?prefix=", "redis://a:b@c@localhost", "unix:///path",
      "unix://:b@/path", "redis://localhost?", "redis://localhost/0?&",
    ] {
      #expect(throws: Never.self, "\(url)") { try RedisLedger(url: url) }
    }
  }

  @Test func settingsOutOfRange() {
    for make in [
      { try RedisLedger(.tcp(host: "")) }, { try RedisLedger(.tcp(host: "a\0b")) },
      { try RedisLedger(.tcp(host: "a", port: 0)) },
      { try RedisLedger(.tcp(host: "a", port: 65_536)) },
      { try RedisLedger(.tcp(host: "a", port: .min)) },
      { try RedisLedger(.unix(path: "")) }, { try RedisLedger(.unix(path: "/a\0")) },
      { try RedisLedger(.tcp(host: "a"), user: "ann") },
      { try RedisLedger(.tcp(host: "a"), database: -1) },
      { try RedisLedger(.tcp(host: "a"), database: .max) },
      { try RedisLedger(.tcp(host: "a"), connectTimeout: 0) },
      { try RedisLedger(.tcp(host: "a"), connectTimeout: 3_600_001) },
      { try RedisLedger(.tcp(host: "a"), commandTimeout: .min) },
      { try RedisLedger(.tcp(host: "a"), commandTimeout: .max) },
      { try RedisLedger(url: "redis://a", commandTimeout: 0) },
    ] { #expect(errorCode(make) == .invalidArgument) }
  }

  @Test func passwordIsNotShown() throws {
    let ledger = try RedisLedger(url: "redis://ann:hunter2@localhost")
    var dumped = ""
    dump(ledger, to: &dumped)
    for text in ["\(ledger)", String(reflecting: ledger), dumped] {
      #expect(!text.contains("hunter2"))
      #expect(!text.contains("ann"))
    }
    #expect(Mirror(reflecting: ledger).children.isEmpty)
  }
}
