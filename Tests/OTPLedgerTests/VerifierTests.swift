import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// What the verifier does on top of a ledger.
@Suite struct VerifierTests {
  private let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private let time = UnixTime(seconds: 1_700_000_000)

  private func code(_ credential: Credential, _ counter: UInt64) throws -> String {
    try HOTP().code(for: credential.secret, counter: counter).text
  }

  @Test(arguments: allLedgers)
  func checkThenRedeem(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(throttle: .lockout(after: 3, seconds: 60)))
    let credential = try totpCredential(key)
    let step = UInt64(time.seconds / 30)
    let right = try code(credential, step)
    let first = try await verifier.check(right, for: credential, at: time)
    #expect(first.verdict == .accepted(step: step, offset: 0))
    // Nothing is used up yet.
    #expect(try await ledger.states(of: [credential.id])[0] == CredentialState())
    let second = try await verifier.check(right, for: credential, at: time)
    let ticket = try #require(first.ticket)
    #expect(try await verifier.redeem(ticket, at: time) == .accepted(step: step, offset: 0))
    #expect(try await verifier.redeem(ticket, at: time) == .replayed)
    #expect(try await verifier.redeem(#require(second.ticket), at: time) == .replayed)
    #expect(try await verifier.check(right, for: credential, at: time).verdict == .replayed)
    #expect(try await verifier.verify(right, for: credential, at: time) == .replayed)

    // A wrong code counts, and a lock holds for both halves.
    let other = try totpCredential(key)
    let held = try #require(try await verifier.check(right, for: other, at: time).ticket)
    for _ in 0..<3 {
      let wrong = try await verifier.check("000000", for: other, at: time)
      #expect(wrong.verdict == .mismatch)
      #expect(wrong.ticket == nil)
    }
    let lock = Verdict.throttled(retryAt: UnixTime(seconds: time.seconds + 60))
    #expect(try await verifier.check(right, for: other, at: time).verdict == lock)
    #expect(try await verifier.redeem(held, at: time) == lock)
  }

  @Test(arguments: allLedgers)
  func drift(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy(driftLimit: 3))
    let credential = try totpCredential(key)
    func verify(_ step: UInt64, at now: UInt64) async throws -> Verdict {
      try await verifier.verify(
        code(credential, step), for: credential, at: UnixTime(seconds: Int64(now * 30)))
    }
    #expect(try await verify(1000 - 2, at: 1000) == .mismatch)
    #expect(try await verify(1000 - 1, at: 1000) == .accepted(step: 999, offset: -1))
    #expect(try await ledger.states(of: [credential.id])[0].drift == -1)
    #expect(try await verify(1010 - 2, at: 1010) == .accepted(step: 1008, offset: -2))
    #expect(try await verify(1020 - 3, at: 1020) == .accepted(step: 1017, offset: -3))
    #expect(try await verify(1030 - 4, at: 1030) == .accepted(step: 1026, offset: -4))
    // No further than the limit: the window lies around 3 steps back.
    #expect(try await ledger.states(of: [credential.id])[0].drift == -3)
    #expect(try await verify(1040 - 5, at: 1040) == .mismatch)
    // The window follows the clock back, and a used code stays used.
    #expect(try await verify(1040 - 2, at: 1040) == .accepted(step: 1038, offset: -2))
    #expect(try await verify(1038, at: 1040) == .replayed)
    #expect(try await verify(1037, at: 1040) == .replayed)
    // Near step 0 nothing wraps.
    let young = try totpCredential(key)
    _ = try await ledger.settle([
      Settlement(
        id: young.id, time: UnixTime(seconds: 0), claim: .match(step: 0, drift: -3),
        throttle: .standard, retention: 100)
    ])
    let verdict = try await verifier.verify(
      code(young, 1), for: young, at: UnixTime(seconds: 30))
    #expect(verdict == .accepted(step: 1, offset: 0))
  }

  /// Lockouts come and go, but a hundred wrong codes in a row lock for good.
  @Test(arguments: allLedgers)
  func hundredFailures(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let credential = try totpCredential(key)
    var now: Int64 = 1_700_000_000
    for failure in 1...100 {
      let verdict = try await verifier.verify(
        "000000", for: credential, at: UnixTime(seconds: now))
      #expect(verdict == .mismatch, "failure \(failure)")
      if failure.isMultiple(of: 5) { now += 300 }
    }
    let forGood = Verdict.throttled(retryAt: UnixTime(seconds: .max))
    let late = UnixTime(seconds: 1 << 52)
    #expect(try await verifier.verify("000000", for: credential, at: late) == forGood)
    try await ledger.reset(credential.id, .throttle)
    #expect(
      try await verifier.verify("000000", for: credential, at: UnixTime(seconds: now)) == .mismatch)
  }

  @Test(arguments: allLedgers)
  func resetKeepsWhatIsUsedUp(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let credential = try totpCredential(key)
    let right = try code(credential, UInt64(time.seconds / 30))
    _ = try await verifier.verify(right, for: credential, at: time)
    try await ledger.reset(credential.id, .throttle)
    #expect(try await verifier.verify(right, for: credential, at: time) == .replayed)
    try await ledger.reset(credential.id, .everything)
    #expect(try await ledger.states(of: [credential.id]) == [CredentialState()])
    try await ledger.reset(freshID(), .everything)
  }

  /// A form that is sent twice is no guess; the codes of older counters are mismatches.
  @Test(arguments: allLedgers)
  func sameCounterAgain(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let credential = try hotpCredential(key, counter: 3)
    let older = try code(credential, 3)
    let used = try code(credential, 4)
    #expect(
      try await verifier.verify(older, for: credential, at: time) == .accepted(step: 3, offset: 0))
    #expect(
      try await verifier.verify(used, for: credential, at: time) == .accepted(step: 4, offset: 0))
    #expect(try await verifier.verify(used, for: credential, at: time) == .replayed)
    #expect(try await ledger.states(of: [credential.id])[0].failures == 0)
    #expect(try await verifier.verify(older, for: credential, at: time) == .mismatch)
    // A credential that was set to a later counter begins there.
    let moved = try hotpCredential(key, counter: 9, credential.id)
    #expect(try await verifier.verify(used, for: moved, at: time) == .mismatch)
    #expect(
      try await verifier.verify(code(moved, 9), for: moved, at: time)
        == .accepted(step: 9, offset: 0))
  }

  /// What a submission shows has no code and no key.
  @Test func submissionsShowNothing() throws {
    let submission = Submission("755224", for: try totpCredential(key), at: time)
    var dumped = ""
    dump(submission, to: &dumped)
    for text in ["\(submission)", String(reflecting: submission), dumped, "\([submission])"] {
      #expect(!text.contains("755224"))
      #expect(!text.contains("GEZD"))
    }
  }

  /// The last counter of all can be used once.
  @Test(arguments: allLedgers)
  func exhaustedCounter(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let credential = try hotpCredential(key, counter: .max - 1)
    let last = try code(credential, .max)
    #expect(
      try await verifier.verify(last, for: credential, at: time) == .accepted(step: .max, offset: 1)
    )
    #expect(try await verifier.verify(last, for: credential, at: time) == .replayed)
    #expect(
      try await verifier.verify(code(credential, 0), for: credential, at: time) == .mismatch)
    #expect(
      try await verifier.resynchronize(
        [code(credential, 0), code(credential, 1)], for: credential, at: time) == .replayed)
  }

  /// One attempt's fault is its own.
  @Test(arguments: allLedgers)
  func badTimesFailAlone(_ tested: TestedLedger) async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: try await tested.ledger, policy: try VerificationPolicy())
    let late = Credential(
      id: try freshID(), factor: .totp(try TOTP(t0: UnixTime(seconds: 2_000_000_000))),
      secret: try Secret(base32: key))
    let credential = try totpCredential(key)
    let right = try code(credential, UInt64(time.seconds / 30))
    let results = try await verifier.verify([
      Submission(right, for: late, at: time),
      Submission(right, for: credential, at: UnixTime(seconds: -1)),
      Submission(right, for: credential, at: UnixTime(seconds: .max)),
      Submission("x", for: credential, at: time),
      Submission(right, for: credential, at: time),
    ])
    for index in 0...2 {
      guard case .failure(let error) = results[index] else {
        Issue.record("attempt \(index) passed")
        continue
      }
      #expect(error.code == .invalidTime)
    }
    #expect(try results[3].get() == .malformed)
    #expect(try results[4].get() == .accepted(step: UInt64(time.seconds / 30), offset: 0))
  }

  /// All algorithms and digits in one batch.
  @Test func mixedParameters() async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: MemoryLedger(), policy: try VerificationPolicy())
    var batch: [Submission] = []
    for algorithm in HashAlgorithm.allCases {
      for digits in 6...8 {
        for period in [30, 60] as [Int64] {
          let totp = try TOTP(algorithm: algorithm, digits: digits, period: period)
          let secret = try Secret(bytes: [UInt8(digits), UInt8(period)])
          batch.append(
            Submission(
              try totp.code(for: secret, at: time).text,
              for: Credential(id: try freshID(), factor: .totp(totp), secret: secret), at: time))
        }
      }
    }
    let verdicts = try await verifier.verify(batch)
    for (verdict, submission) in zip(verdicts, batch) {
      guard case .accepted(_, 0) = try verdict.get() else {
        Issue.record("\(submission.code) gave \(verdict)")
        continue
      }
    }
  }

  /// While one group is settled the others gather: few calls for many attempts, and one for one alone.
  @Test func concurrentAttemptsShareGroups() async throws {
    let ledger = CountingLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let credential = try totpCredential(key)
    _ = try await verifier.verify("000000", for: credential, at: time)
    #expect(ledger.groups == [1])
    try await withThrowingTaskGroup { group in
      for _ in 0..<200 {
        let credential = try totpCredential(key)
        group.addTask { _ = try await verifier.verify("000000", for: credential, at: time) }
      }
      try await group.waitForAll()
    }
    #expect(ledger.groups.reduce(0, +) == 201)
    #expect(ledger.groups.count < 150)
    #expect(ledger.mostAtOnce == 1)
  }

  /// A ledger that cannot answer is an error for everyone in the group, and never a verdict.
  @Test func failingLedger() async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: FailingLedger(), policy: try VerificationPolicy())
    let credential = try totpCredential(key)
    let right = try code(credential, UInt64(time.seconds / 30))
    for code in [right, "000000"] {
      let error = await #expect(throws: OTPError.self) {
        try await verifier.verify(code, for: credential, at: time)
      }
      #expect(error?.code == .ledgerUnavailable)
      await #expect(throws: OTPError.self) {
        try await verifier.verify([Submission(code, for: credential, at: time)])
      }
    }
  }

  /// When the ledger fails in a later group of a batch, what was settled before it stands.
  @Test func ledgerThatFailsLater() async throws {
    let ledger = FailingLaterLedger(after: 1)
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let first = try hotpCredential(key, counter: 0)
    let second = try hotpCredential(key, counter: 0)
    let results = try await verifier.verify([
      Submission(code(first, 0), for: first, at: time),
      Submission(code(second, 0), for: second, at: time),
      Submission(code(first, 1), for: first, at: time),
    ])
    #expect(try results[0].get() == .accepted(step: 0, offset: 0))
    #expect(try results[1].get() == .accepted(step: 0, offset: 0))
    #expect(errorCode { try results[2].get() } == .ledgerUnavailable)
  }

  /// The counter moves on between the state that a window is computed from and the settlement: the window is
  /// computed again, and nothing is counted for the old one.
  @Test func counterThatMovesOn() async throws {
    let ledger = MovingLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy(lookAhead: 3))
    let credential = try hotpCredential(key, counter: 0)
    // Out of the first window 0 ... 3, and in that after counter 5, where somebody else gets meanwhile.
    ledger.move(credential.id, to: 5)
    let verdict = try await verifier.verify(code(credential, 8), for: credential, at: time)
    #expect(verdict == .accepted(step: 8, offset: 2))
    #expect(try await ledger.states(of: [credential.id])[0].failures == 0)
    ledger.move(credential.id, to: 20)
    let wrong = try await verifier.verify("000000", for: credential, at: time)
    #expect(wrong == .mismatch)
    #expect(try await ledger.states(of: [credential.id])[0].failures == 1)
    ledger.move(credential.id, to: 30)
    let codes = try [31, 32].map { try code(credential, $0) }
    let resynchronized = try await verifier.resynchronize(
      codes, for: credential, lookAhead: 5, at: time)
    #expect(resynchronized == .accepted(step: 32, offset: 1))
  }

  /// A credential is reset after its state was read, which said that its counter is used up: then codes are looked
  /// for after all, and no other is accepted.
  @Test func resetAfterTheLastCounter() async throws {
    let ledger = MovingLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    let credential = try hotpCredential(key, counter: 0)
    for (codes, expected) in [
      (["000000", "000000"], Verdict.mismatch),
      (try [2, 3].map { try code(credential, $0) }, .accepted(step: 3, offset: 3)),
    ] {
      _ = try await ledger.settle([.use(credential.id, .max)])
      ledger.resetOnce(credential.id)
      #expect(
        try await verifier.resynchronize(codes, for: credential, lookAhead: 5, at: time) == expected
      )
    }
    _ = try await ledger.settle([.use(credential.id, .max)])
    let codes = try [2, 3].map { try code(credential, $0) }
    #expect(try await verifier.resynchronize(codes, for: credential, at: time) == .replayed)
  }

  /// A ledger with too few states is one that cannot answer.
  @Test func missingStates() async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: StatelessLedger(), policy: try VerificationPolicy())
    let credential = try hotpCredential(key, counter: 0)
    let codes = try [0, 1].map { try code(credential, $0) }
    for call in [
      { _ = try await verifier.verify(codes[0], for: credential, at: time) },
      { _ = try await verifier.resynchronize(codes, for: credential, at: time) },
    ] {
      let error = await #expect(throws: OTPError.self) { try await call() }
      #expect(error?.code == .ledgerUnavailable)
    }
  }

  /// An attempt whose window is computed again stays before the later ones of its credential.
  @Test func staleAttemptsKeepTheirOrder() async throws {
    let ledger = MovingLedger()
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy(lookAhead: 3))
    let credential = try hotpCredential(key, counter: 0)
    ledger.move(credential.id, to: 5)
    let verdicts = try await verifier.verify(
      [8, 7, 9].map { Submission(try code(credential, $0), for: credential, at: time) })
    #expect(
      try verdicts.map { try $0.get() } == [
        .accepted(step: 8, offset: 2), .mismatch, .accepted(step: 9, offset: 0),
      ])
  }

  /// A credential's state may change again and again while windows are computed, but not for ever: then its attempts
  /// fail, and no others.
  @Test func stateThatKeepsChanging() async throws {
    let patient = try hotpCredential(key, counter: 0)
    let codes = try (0..<2).map { try code(patient, $0) }
    func verifier(times: Int) throws -> Verifier<SwiftBackend> {
      Verifier(
        backend: SwiftBackend(), ledger: StaleLedger(patient.id, times: times),
        policy: try VerificationPolicy())
    }
    #expect(
      try await verifier(times: 99).verify(codes[0], for: patient, at: time)
        == .accepted(step: 0, offset: 0))
    #expect(
      try await verifier(times: 99).resynchronize(codes, for: patient, at: time)
        == .accepted(step: 1, offset: 1))

    // So many times that whoever never gives up is done at some time all the same.
    let restless = try verifier(times: 10_000)
    for call in [
      { _ = try await restless.verify(codes[0], for: patient, at: time) },
      { _ = try await restless.resynchronize(codes, for: patient, at: time) },
    ] {
      let error = await #expect(throws: OTPError.self) { try await call() }
      #expect(error?.code == .ledgerUnavailable)
    }
    let other = try hotpCredential(key, counter: 0)
    let verdicts = try await restless.verify([
      Submission(codes[0], for: patient, at: time), Submission(codes[0], for: other, at: time),
      Submission(codes[1], for: patient, at: time), Submission(codes[1], for: other, at: time),
    ])
    for place in [0, 2] {
      #expect(errorCode { try verdicts[place].get() } == .ledgerUnavailable)
    }
    #expect(try verdicts[1].get() == .accepted(step: 0, offset: 0))
    #expect(try verdicts[3].get() == .accepted(step: 1, offset: 0))
  }

  /// One key that the backend refuses fails alone.
  @Test func refusedKeyFailsAlone() async throws {
    let verifier = Verifier(
      backend: FussyBackend(), ledger: MemoryLedger(), policy: try VerificationPolicy())
    let weak = Credential(
      id: try freshID(), factor: .totp(try TOTP()), secret: try Secret(bytes: [1, 2, 3]))
    let good = try (0..<3).map { _ in try totpCredential(key) }
    let right = try code(good[0], UInt64(time.seconds / 30))
    let results = try await verifier.verify(
      [good[0], weak, good[1], good[2]].map { Submission(right, for: $0, at: time) })
    for index in [0, 2, 3] {
      #expect(try results[index].get() == .accepted(step: UInt64(time.seconds / 30), offset: 0))
    }
    #expect(errorCode { try results[1].get() } == .backendFailure)
  }

  /// A lock for good holds at every time, and a time out of range is an error and no verdict.
  @Test(arguments: allLedgers)
  func redeemingDuringALockForGood(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(
        throttle: Throttle(.lockout(after: 1, seconds: 1), maximumFailures: 1)))
    let credential = try totpCredential(key)
    let right = try code(credential, UInt64(time.seconds / 30))
    let ticket = try #require(try await verifier.check(right, for: credential, at: time).ticket)
    for seconds in [-5, .min, .max] as [Int64] {
      let error = await #expect(throws: OTPError.self) {
        try await verifier.redeem(ticket, at: UnixTime(seconds: seconds))
      }
      #expect(error?.code == .invalidTime)
    }
    _ = try await verifier.verify("000000", for: credential, at: time)
    let forGood = Verdict.throttled(retryAt: UnixTime(seconds: .max))
    #expect(try await verifier.redeem(ticket, at: UnixTime(seconds: 1 << 53)) == forGood)
  }

  @Test func anyParallelism() async throws {
    for parallelism in [Int.min, 0, 1, 2, .max] {
      let verifier = Verifier(
        backend: SwiftBackend(), ledger: MemoryLedger(), policy: try VerificationPolicy(),
        parallelism: parallelism)
      let credentials = try (0..<300).map { _ in try totpCredential(key) }
      let right = try code(credentials[0], UInt64(time.seconds / 30))
      let results = try await verifier.verify(
        credentials.enumerated().map {
          Submission($0 % 7 == 0 ? "000000" : right, for: $1, at: time)
        })
      for (index, result) in results.enumerated() {
        #expect(try result.get().clientView == (index % 7 == 0 ? .refused : .accepted))
      }
    }
  }

  @Test func clientViews() {
    let time = UnixTime(seconds: 5)
    #expect(Verdict.accepted(step: 1, offset: 0).clientView == .accepted)
    #expect(Verdict.replayed.clientView == .refused)
    #expect(Verdict.mismatch.clientView == .refused)
    #expect(Verdict.malformed.clientView == .refused)
    #expect(Verdict.throttled(retryAt: time).clientView == .tryLater(at: time))
  }

  @Test func policiesOutOfRange() {
    for make in [
      { try Throttle.lockout(after: 0, seconds: 1) },
      { try Throttle.lockout(after: 101, seconds: 1) },
      { try Throttle.lockout(after: 1, seconds: 0) },
      { try Throttle.exponential(factor: 0, cap: 1) },
      { try Throttle.exponential(factor: 1, cap: 0) },
      { try Throttle.lockout(after: .min, seconds: .min) },
      { try Throttle(.exponential(factor: 1, cap: 1), maximumFailures: 101) },
      { try Throttle(.exponential(factor: 1, cap: 1), maximumFailures: 0) },
    ] { #expect(errorCode(make) == .invalidThrottle) }
    #expect(errorCode { try VerificationPolicy(lookAhead: -1) } == .invalidWindow)
    #expect(errorCode { try VerificationPolicy(lookAhead: 101) } == .invalidWindow)
    #expect(errorCode { try VerificationPolicy(driftLimit: 101) } == .invalidWindow)
  }
}
