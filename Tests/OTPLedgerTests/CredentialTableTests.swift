import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// Verification by ids, with keys that are prepared once.
@Suite struct CredentialTableTests {
  private let time = UnixTime(seconds: 1_700_000_000)

  private static func credential(
    _ number: Int, _ generator: inout SeededGenerator
  ) throws -> Credential {
    let algorithm = HashAlgorithm.allCases[Int(generator.next() % 3)]
    let digits = 6 + Int(generator.next() % 3)
    let factor: OTPAuthURI.Factor =
      if generator.next() % 4 == 0 {
        .hotp(
          try HOTP(algorithm: algorithm, digits: digits), counter: generator.next() % 2 * 1000)
      } else {
        .totp(
          try TOTP(
            algorithm: algorithm, digits: digits, period: [30, 60][Int(generator.next() % 2)],
            t0: UnixTime(seconds: generator.next() % 5 == 0 ? 100 : 0)))
      }
    // Ids of all lengths, some of which begin or end alike.
    let length = 1 + number % 40
    let id = (0..<length).map { UInt8(truncatingIfNeeded: $0 == length / 2 ? number : length) }
    return Credential(
      id: try CredentialID(bytes: id), factor: factor,
      secret: try Secret(bytes: generator.bytes(1 + number)))
  }

  private struct Attempt {
    let credential: Credential
    let isKnown: Bool
    let code: String
    let time: UnixTime
  }

  private static func attempts(
    on credentials: [Credential], _ unknown: Credential, _ generator: inout SeededGenerator
  ) throws -> [Attempt] {
    try (0..<700).map { place in
      let isKnown = generator.next() % 20 > 0
      let credential = isKnown ? credentials[Int(generator.next() % 40)] : unknown
      let time = UnixTime(seconds: 1_700_000_000 + Int64(place / 100 * 40))
      let hotp: HOTP
      let step: UInt64
      switch credential.factor {
      case .totp(let totp): (hotp, step) = (totp.hotp, try totp.step(at: time))
      case .hotp(let own, let first): (hotp, step) = (own, first + UInt64(place / 50))
      }
      let near = step &+ generator.next() % 5 &- 2
      var code = try hotp.code(for: credential.secret, counter: near).text
      switch generator.next() % 8 {
      case 0: code = String(repeating: "0", count: hotp.digits)
      case 1: code += ["", "1", "\u{661}", "-", "+"][Int(generator.next() % 5)]
      case 2: code.insert(" ", at: code.index(code.startIndex, offsetBy: 3))
      default: break
      }
      let isOdd = generator.next() % 30 == 0
      return Attempt(
        credential: credential, isKnown: isKnown, code: code,
        time: isOdd ? UnixTime(seconds: [-1, 50, .max][Int(generator.next() % 3)]) : time)
    }
  }

  /// A batch over a table gives what its attempts give one by one, in order, with any number of tasks.
  @Test(arguments: [0, 3])
  func batchesAreTheirAttempts(driftLimit: Int) async throws {
    var generator = SeededGenerator(for: "table")
    let all = try (0...40).map { try Self.credential($0, &generator) }
    let (credentials, unknown) = (Array(all.dropLast()), all[40])
    let attempts = try Self.attempts(on: credentials, unknown, &generator)
    let policy = try VerificationPolicy(
      throttle: .lockout(after: 4, seconds: 60), driftLimit: driftLimit)

    let single = Verifier(backend: SwiftBackend(), ledger: MemoryLedger(), policy: policy)
    var expected: [Result<Verdict, OTPError>] = []
    for attempt in attempts {
      if !attempt.isKnown {
        expected.append(.failure(OTPError(.unknownCredential, "")))
        continue
      }
      do throws(OTPError) {
        expected.append(
          .success(
            try await single.verify(attempt.code, for: attempt.credential, at: attempt.time)))
      } catch {
        expected.append(.failure(error))
      }
    }
    let kinds = expected.reduce(into: VerdictTally()) { $0.count($1) }
    #expect(
      min(kinds.accepted, kinds.replayed, kinds.mismatch, kinds.malformed, kinds.throttled) > 5)
    #expect(kinds.failed > 20)

    let table = CredentialTable(backend: SwiftBackend())
    try table.insert(contentsOf: credentials)
    var batch = AttemptBatch()
    for (place, attempt) in attempts.enumerated() {
      if place.isMultiple(of: 2) {
        batch.append(attempt.code, for: attempt.credential.id, at: attempt.time)
      } else {
        let id = Array(attempt.credential.id.bytes)
        try batch.append(Array(attempt.code.utf8).span, for: id.span, at: attempt.time)
      }
    }
    for parallelism in [1, 2, 5] {
      for ledger in [MemoryLedger(), CountingLedger()] as [any Ledger] {
        let verifier = Verifier(
          backend: SwiftBackend(), ledger: ledger, policy: policy, parallelism: parallelism)
        let verdicts = try await verifier.verify(batch, in: table)
        #expect(verdicts.count == attempts.count)
        for (place, (verdict, expected)) in zip(verdicts, expected).enumerated() {
          #expect(isSame(verdict, expected), "\(parallelism), \(type(of: ledger)), \(place)")
        }
        #expect(verdicts.tally == kinds)
      }
    }
  }

  /// Inserting, replacing and removing at random: each id has the key that it was given last.
  @Test(arguments: [1, 2, 3])
  func changes(round: Int) async throws {
    var generator = SeededGenerator(for: "changes of a table")
    let table = CredentialTable(backend: SwiftBackend())
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: MemoryLedger(),
      policy: try VerificationPolicy(throttle: Throttle(.lockout(after: 100, seconds: 1))))
    var model: [CredentialID: Credential] = [:]
    let ids = try (0..<300).map { try CredentialID("\($0)") }
    func credential(_ id: CredentialID) throws -> Credential {
      let algorithm = HashAlgorithm.allCases[Int(generator.next() % 3)]
      return Credential(
        id: id, factor: .totp(try TOTP(algorithm: algorithm, digits: 8)),
        secret: try Secret(bytes: generator.bytes(20)))
    }
    for step in 0..<400 {
      let id = ids[Int(generator.next() % 300)]
      switch generator.next() % 4 {
      case 0:
        #expect(table.remove(id) == (model.removeValue(forKey: id) != nil))
      case 1:
        let many = try (0..<Int(generator.next() % 40)).map { _ in
          try credential(ids[Int(generator.next() % 300)])
        }
        let new = Set(many.map(\.id)).subtracting(model.keys).count
        #expect(try table.insert(contentsOf: many) == new)
        for credential in many { model[credential.id] = credential }
      default:
        let one = try credential(id)
        #expect(try table.insert(one) == (model.updateValue(one, forKey: id) == nil))
      }
      #expect(table.count == model.count)
      guard step % 50 == 49 else { continue }
      var batch = AttemptBatch()
      let now = UnixTime(seconds: time.seconds + Int64(step) * 1000)
      for id in ids {
        #expect(table.contains(id) == (model[id] != nil))
        var code = "00000000"
        if let credential = model[id], case .totp(let totp) = credential.factor {
          code = try totp.code(for: credential.secret, at: now).text
        }
        batch.append(code, for: id, at: now)
      }
      let verdicts = try await verifier.verify(batch, in: table)
      for (id, verdict) in zip(ids, verdicts) {
        switch verdict {
        case .success(.accepted(_, 0)): #expect(model[id] != nil)
        case .failure(let error): #expect(error.code == .unknownCredential && model[id] == nil)
        default: Issue.record("\(id.bytes): \(verdict)")
        }
      }
    }
  }

  /// A key that the backend refuses changes nothing.
  @Test func refusedKeys() async throws {
    let table = CredentialTable(backend: FussyBackend())
    let good = try totpCredential("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    let weak = Credential(
      id: good.id, factor: .totp(try TOTP()), secret: try Secret(bytes: [1, 2, 3]))
    let other = Credential(
      id: try freshID(), factor: .totp(try TOTP(algorithm: .sha256)), secret: weak.secret)
    #expect(errorCode { try table.insert(weak) } == .backendFailure)
    #expect(table.count == 0)
    try table.insert(good)
    #expect(errorCode { try table.insert(weak) } == .backendFailure)
    #expect(errorCode { try table.insert(contentsOf: [good, other]) } == .backendFailure)
    #expect(table.count == 1 && !table.contains(other.id))
    let verifier = Verifier(
      backend: FussyBackend(), ledger: MemoryLedger(), policy: try VerificationPolicy())
    guard case .totp(let totp) = good.factor else { return }
    let code = try totp.code(for: good.secret, at: time).text
    #expect(
      try await verifier.verify(code, for: good.id, in: table, at: time).clientView == .accepted)
    await #expect(throws: OTPError.self) {
      try await verifier.verify(code, for: other.id, in: table, at: time)
    }
  }

  private final class Changes: Sendable {
    private let state = Locked(false)
    var haveEnded: Bool { state.withLock { $0 } }
    func end() { state.withLock { $0 = true } }
  }

  /// While some verify, others replace keys, add and remove: every attempt sees one whole credential.
  @Test func changesDuringVerification() async throws {
    let backend = SwiftBackend()
    let table = CredentialTable(backend: backend)
    let totp = try TOTP(digits: 8)
    let keys = try [Secret(bytes: [1, 2, 3]), Secret(bytes: [4, 5, 6])]
    let ids = try (0..<500).map { try CredentialID("user\($0)") }
    try table.insert(
      contentsOf: ids.map { Credential(id: $0, factor: .totp(totp), secret: keys[0]) })
    let changes = Changes()
    let policy = try VerificationPolicy(throttle: Throttle(.lockout(after: 100, seconds: 1)))
    try await withThrowingTaskGroup { group in
      group.addTask {
        defer { changes.end() }
        for round in 0..<2000 {
          let id = ids[round % ids.count]
          let key = keys[(round / ids.count + 1) % 2]
          try table.insert(Credential(id: id, factor: .totp(totp), secret: key))
          let extra = try CredentialID("extra\(round)")
          try table.insert(Credential(id: extra, factor: .totp(totp), secret: key))
          if round.isMultiple(of: 3) { table.remove(extra) }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          var seconds = 1_700_000_000 as Int64
          repeat {
            // Each round in a window of its own: a code of either key is accepted unless the other's came first.
            seconds += 300
            let now = UnixTime(seconds: seconds)
            let verifier = Verifier(
              backend: backend, ledger: MemoryLedger(), policy: policy, parallelism: 2)
            var batch = AttemptBatch()
            let codes = try keys.map { try totp.code(for: $0, at: now).text }
            for id in ids { for code in codes { batch.append(code, for: id, at: now) } }
            let verdicts = try await verifier.verify(batch, in: table)
            for place in stride(from: 0, to: verdicts.count, by: 2) {
              let pair = try [verdicts[place].get(), verdicts[place + 1].get()]
              // A change between the two may make both right or both wrong, never anything else.
              #expect(pair.allSatisfy { $0.clientView != .tryLater(at: now) && $0 != .malformed })
            }
            #expect(verdicts.tally.accepted > ids.count / 2)
          } while !changes.haveEnded
        }
      }
      try await group.waitForAll()
    }
    #expect(table.count == ids.count + 2000 - 667)
  }

  /// What a verifier does with one credential it also does with one of a table.
  @Test(arguments: allLedgers)
  func singleCalls(_ tested: TestedLedger) async throws {
    let backend = SwiftBackend()
    let table = CredentialTable(backend: backend)
    let verifier = Verifier(
      backend: backend, ledger: try await tested.ledger, policy: try VerificationPolicy())
    let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    let totp = try totpCredential(key)
    let hotp = try hotpCredential(key, counter: 5)
    try table.insert(contentsOf: [totp, hotp])
    let step = UInt64(time.seconds / 30)
    func code(_ counter: UInt64) throws -> String {
      try HOTP().code(for: totp.secret, counter: counter).text
    }

    let (verdict, ticket) = try await verifier.check(
      code(step), for: totp.id, in: table, at: time)
    #expect(verdict == .accepted(step: step, offset: 0))
    #expect(
      try await verifier.redeem(#require(ticket), at: time) == .accepted(step: step, offset: 0))
    #expect(try await verifier.verify(code(step), for: totp.id, in: table, at: time) == .replayed)
    let wrong = try await verifier.check("000000", for: totp.id, in: table, at: time)
    #expect(wrong.verdict == .mismatch && wrong.ticket == nil)

    let far = try [40, 41].map { try code($0) }
    #expect(
      try await verifier.resynchronize(far, for: hotp.id, in: table, at: time)
        == .accepted(step: 41, offset: 36))
    #expect(
      try await verifier.verify(code(42), for: hotp.id, in: table, at: time)
        == .accepted(step: 42, offset: 0))
    let unknown = try freshID()
    for id in [totp.id, unknown] {
      let error = await #expect(throws: OTPError.self) {
        try await verifier.resynchronize(far, for: id, in: table, at: time)
      }
      #expect(error?.code == (id == unknown ? .unknownCredential : .invalidArgument))
    }
    await #expect(throws: OTPError.self) {
      try await verifier.check("000000", for: unknown, in: table, at: time)
    }
  }

  /// Keys that nobody uses any more are wiped, and their places are taken by others.
  @Test func placesOfKeysAreUsedAgain() throws {
    let backend = WatchedBackend()
    let table = CredentialTable(backend: backend)
    func credential(_ name: String, _ key: [UInt8]) throws -> Credential {
      Credential(
        id: try CredentialID(name), factor: .totp(try TOTP()), secret: try Secret(bytes: key))
    }
    for round in 0..<100 { try table.insert(credential("a", [1, UInt8(round)])) }
    #expect(backend.notes.appended == 2)
    #expect(backend.notes.wiped == 99)
    table.remove(try CredentialID("a"))
    #expect(backend.notes.wiped == 100)
    try table.insert(credential("b", [2, 2]))
    try table.insert(credential("c", [3, 3]))
    #expect(backend.notes.appended == 2)

    // What was added before a key is refused is taken back.
    let other = Credential(
      id: try CredentialID("d"), factor: .totp(try TOTP(algorithm: .sha512)),
      secret: try Secret(bytes: [1]))
    #expect(
      errorCode { try table.insert(contentsOf: [credential("e", [5, 5]), other]) }
        == .backendFailure)
    #expect(table.count == 2)
    #expect(backend.notes.appended == 3)
    #expect(backend.notes.wiped == 101)
    try table.insert(credential("f", [6, 6]))
    #expect(backend.notes.appended == 3)
  }

  /// A backend that cannot compute one algorithm fails its attempts, and no others.
  @Test func failingAlgorithm() async throws {
    let backend = WatchedBackend(failing: .sha256)
    let table = CredentialTable(backend: backend)
    let credentials = try (0..<600).map { number in
      let algorithm = HashAlgorithm.allCases[number % 3]
      return Credential(
        id: try CredentialID("\(number)"), factor: .totp(try TOTP(algorithm: algorithm)),
        secret: try Secret(bytes: [UInt8(number % 200), UInt8(number / 200)]))
    }
    try table.insert(contentsOf: credentials)
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy())
    var batch = AttemptBatch()
    for credential in credentials {
      guard case .totp(let totp) = credential.factor else { continue }
      batch.append(
        try totp.code(for: credential.secret, at: time).text, for: credential.id, at: time)
    }
    let verdicts = try await verifier.verify(batch, in: table)
    for (number, verdict) in verdicts.enumerated() {
      if number % 3 == 1 {
        #expect(errorCode { try verdict.get() } == .backendFailure, "\(number)")
      } else {
        #expect(try verdict.get().clientView == .accepted, "\(number)")
      }
    }
  }

  /// A keyring that prefers all steps of a key together gets them so: the key changes once for each attempt, and
  /// where a call ends in the middle of a window.
  @Test func keyByKey() async throws {
    let backend = KeyByKeyBackend()
    let table = CredentialTable(backend: backend)
    let totp = try TOTP()
    let credentials = try (0..<1500).map { number in
      Credential(
        id: try CredentialID("\(number)"), factor: .totp(totp),
        secret: try Secret(bytes: [UInt8(number % 250), UInt8(number / 250)]))
    }
    try table.insert(contentsOf: credentials)
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(),
      policy: try VerificationPolicy(window: Window(back: 5, forward: 5)))
    var batch = AttemptBatch()
    for credential in credentials {
      batch.append(
        try totp.code(for: credential.secret, at: time).text, for: credential.id, at: time)
    }
    let verdicts = try await verifier.verify(batch, in: table)
    for verdict in verdicts { #expect(try verdict.get().clientView == .accepted) }
    // A call has at least 256 pairs.
    #expect((1500...1500 + 1500 * 11 / 256).contains(backend.keyChanges))
  }

  /// Attempts keep their order when others between them fail.
  @Test func failuresKeepTheOrder() async throws {
    let backend = WatchedBackend(failing: .sha512)
    let secret = try Secret(bytes: [1, 2, 3])
    let (totp, other) = (try TOTP(), try TOTP(algorithm: .sha512))
    let ann = Credential(id: try CredentialID("ann"), factor: .totp(totp), secret: secret)
    let bob = Credential(id: try CredentialID("bob"), factor: .totp(other), secret: secret)
    let table = CredentialTable(backend: backend)
    try table.insert(contentsOf: [ann, bob])
    let right = try totp.code(for: secret, at: time).text
    let attempts = [(bob, right), (ann, "000000"), (bob, right), (ann, right)]
    var batch = AttemptBatch()
    for (credential, code) in attempts { batch.append(code, for: credential.id, at: time) }
    func verifier() throws -> Verifier<WatchedBackend> {
      Verifier(
        backend: backend, ledger: MemoryLedger(),
        policy: try VerificationPolicy(throttle: .lockout(after: 1, seconds: 300)))
    }
    let lock = Verdict.throttled(retryAt: UnixTime(seconds: time.seconds + 300))
    for verdicts in try await [
      verifier().verify(batch, in: table),
      verifier().verify(attempts.map { Submission($0.1, for: $0.0, at: time) }),
    ] {
      #expect(errorCode { try verdicts[0].get() } == .backendFailure)
      #expect(try verdicts[1].get() == .mismatch)
      #expect(errorCode { try verdicts[2].get() } == .backendFailure)
      #expect(try verdicts[3].get() == lock)
    }
  }

  /// A server that loads all its credentials again and again keeps no more keys than it has credentials.
  @Test func loadingAgainTakesNoMore() throws {
    let backend = WatchedBackend()
    let table = CredentialTable(backend: backend)
    let credentials = try (0..<3000).map { number in
      Credential(
        id: try CredentialID("\(number)"), factor: .totp(try TOTP()),
        secret: try Secret(bytes: [UInt8(number % 200), UInt8(number / 200), 1]))
    }
    for _ in 0..<5 { try table.insert(contentsOf: credentials) }
    // One part's keys more: the old ones are wiped when the new ones are there.
    #expect(backend.notes.appended <= 3000 + 1024)
    for credential in credentials { table.remove(credential.id) }
    try table.insert(contentsOf: credentials)
    #expect(backend.notes.appended <= 3000 + 1024)
    #expect(table.count == 3000)
  }

  /// The first counter of an HOTP credential goes with it.
  @Test func firstCounters() async throws {
    let table = CredentialTable(backend: SwiftBackend())
    let ledger = MemoryLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy(lookAhead: 0))
    let secret = try Secret(bytes: [1, 2, 3])
    let ids = try ["ann", "bob"].map { try CredentialID($0) }
    func accepts(_ id: CredentialID, _ counter: UInt64) async throws -> Bool {
      try await ledger.reset(id, .everything)
      let code = try HOTP().code(for: secret, counter: counter).text
      return try await verifier.verify(code, for: id, in: table, at: time).clientView == .accepted
    }
    func insert(_ id: CredentialID, _ counter: UInt64) throws {
      try table.insert(
        Credential(id: id, factor: .hotp(try HOTP(), counter: counter), secret: secret))
    }
    try insert(ids[0], 1000)
    #expect(try await accepts(ids[0], 1000))
    try insert(ids[0], 0)
    #expect(try await accepts(ids[0], 0))
    try insert(ids[0], 7)
    table.remove(ids[0])
    // It gets the number that the other one had.
    try insert(ids[1], 0)
    #expect(try await accepts(ids[1], 0))
  }

  @Test func showsNothing() throws {
    let table = CredentialTable(backend: SwiftBackend())
    try table.insert(totpCredential("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
    var dumped = ""
    dump(table, to: &dumped)
    #expect("\(table)" == "CredentialTable(1 credentials)")
    #expect(dumped.split(separator: "\n").count == 1)
    var batch = AttemptBatch()
    batch.append("123456", for: try freshID(), at: time)
    dump(batch, to: &dumped)
    #expect(!dumped.contains("123456"))
  }

  @Test func talliesOfAnyOffset() {
    var tally = VerdictTally()
    for offset in [Int.min, -11, -10, 0, 10, 11, .max] {
      tally.count(.success(.accepted(step: 0, offset: offset)))
    }
    #expect(tally.accepted == 7)
    #expect(tally.offsets == [.min: 1, -11: 1, -10: 1, 0: 1, 10: 1, 11: 1, .max: 1])
    tally += tally
    #expect(tally.offsets[.min] == 2 && tally.offsets[0] == 2)
  }

  /// Windows of many steps, whose pairs do not all fit into one call of the keyring.
  @Test(arguments: [(0, 0), (2, 1), (2, 2), (7, 6), (100, 100)])
  func wideWindows(back: Int, forward: Int) async throws {
    let backend = SwiftBackend()
    let table = CredentialTable(backend: backend)
    let totp = try TOTP(digits: 8)
    let credentials = try (0..<300).map { number in
      Credential(
        id: try CredentialID("\(number)"), factor: .totp(totp),
        secret: try Secret(bytes: [UInt8(number % 200), UInt8(number / 200), 1]))
    }
    try table.insert(contentsOf: credentials)
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(),
      policy: try VerificationPolicy(window: Window(back: back, forward: forward)))
    let step = Int(try totp.step(at: time))
    var batch = AttemptBatch()
    let reach = back + forward + 3
    for (number, credential) in credentials.enumerated() {
      // From one step before the window to one step behind it.
      let offset = number % reach - back - 1
      let code = try totp.hotp.code(for: credential.secret, counter: UInt64(step + offset))
      batch.append(code.text, for: credential.id, at: time)
    }
    let verdicts = try await verifier.verify(batch, in: table)
    for (number, verdict) in verdicts.enumerated() {
      let offset = number % reach - back - 1
      let expected: Verdict =
        (-back...forward).contains(offset)
        ? .accepted(step: UInt64(step + offset), offset: offset) : .mismatch
      #expect(try verdict.get() == expected, "\(number)")
    }
  }

  @Test func idsOfWrongLengths() {
    var batch = AttemptBatch()
    for length in [0, 256] {
      let id = [UInt8](repeating: 1, count: length)
      #expect(
        errorCode { try batch.append([0x30].span, for: id.span, at: time) } == .invalidArgument)
    }
    #expect(batch.isEmpty)
  }
}
