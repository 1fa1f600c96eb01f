import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// The published faults of other verifiers, on every ledger.
@Suite struct VerificationCaseTests {
  private let hotpKey = "XS3AYRYP4UJATVTVJCZ4YFC2UZ7VDDME"
  private let time = UnixTime(seconds: 1_700_000_000)

  @Test(arguments: allLedgers, try sequenceCases())
  func sequence(_ tested: TestedLedger, _ entry: SequenceCase) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(window: entry.window, throttle: entry.throttle))
    let credential = try totpCredential(entry.key)
    if let step = entry.lastStep { try await seed(ledger, credential.id, lastStep: step) }
    for event in entry.events {
      let verdict = try await verifier.verify(
        event.code, for: credential, at: UnixTime(seconds: event.time))
      #expect(event.expected.isMet(by: verdict), "\(event) gave \(verdict)")
    }
    if let step = entry.finalStep {
      #expect(try await ledger.states(of: [credential.id])[0].lastStep == step)
    }
  }

  @Test(arguments: allLedgers)
  func counters(_ tested: TestedLedger) async throws {
    for entry in counterCases {
      let ledger = try await tested.ledger
      let verifier = Verifier(
        backend: SwiftBackend(), ledger: ledger,
        policy: try VerificationPolicy(lookAhead: entry.lookAhead))
      let credential = try hotpCredential(hotpKey, counter: entry.counter)
      let verdict = try await verifier.verify(entry.code, for: credential, at: time)
      if let matched = entry.matched {
        #expect(
          verdict == .accepted(step: matched, offset: Int(matched - entry.counter)), "\(entry.id)")
      } else {
        #expect(verdict == .mismatch, "\(entry.id)")
      }
      #expect(try await ledger.states(of: [credential.id])[0].lastStep == entry.matched)
    }
  }

  @Test(arguments: allLedgers)
  func counterSequenceInARow(_ tested: TestedLedger) async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: try await tested.ledger,
      policy: try VerificationPolicy(lookAhead: 5))
    let credential = try hotpCredential(hotpKey, counter: 0)
    for entry in counterSequence {
      let verdict = try await verifier.verify(entry.code, for: credential, at: time)
      if case .accepted(let step, _) = verdict {
        #expect(step == entry.matched, "\(entry)")
      } else {
        #expect(entry.matched == nil, "\(entry) gave \(verdict)")
      }
    }
    // The same in one batch, which must be settled in order.
    let batch = try hotpCredential(hotpKey, counter: 0)
    let verdicts = try await verifier.verify(
      counterSequence.map { Submission($0.code, for: batch, at: time) })
    for (entry, verdict) in zip(counterSequence, verdicts) {
      if case .accepted(let step, _) = try verdict.get() {
        #expect(step == entry.matched)
      } else {
        #expect(entry.matched == nil)
      }
    }
  }

  @Test(arguments: allLedgers)
  func resynchronisation(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
    for entry in resynchronisationCases {
      let credential = try hotpCredential(hotpKey, counter: 10)
      let verdict = try await verifier.resynchronize(
        entry.codes, for: credential, lookAhead: 50, at: time)
      let state = try await ledger.states(of: [credential.id])[0]
      if let next = entry.nextCounter {
        #expect(verdict == .accepted(step: next - 1, offset: Int(next - 11)), "\(entry)")
        #expect(state.lastStep == next - 1)
        // Both codes are used up.
        for code in entry.codes {
          let again = try await verifier.verify(code, for: credential, at: time)
          #expect(again == .mismatch || again == .replayed)
        }
      } else {
        #expect(verdict == .mismatch, "\(entry)")
        #expect(state.lastStep == nil)
        #expect(state.failures == 1)
      }
    }
    let credential = try hotpCredential(hotpKey, counter: 10)
    await #expect(throws: OTPError.self) {
      try await verifier.resynchronize(["560608"], for: credential, at: time)
    }
  }

  @Test(arguments: allLedgers)
  func mixed(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    for inOneBatch in [true, false] {
      let verifier = Verifier(
        backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy())
      var credentials: [String: Credential] = [:]
      for entry in mixedBatchKeys {
        guard let secret = try? Secret(base32: entry.key) else { continue }
        let credential = Credential(id: try freshID(), factor: .totp(try TOTP()), secret: secret)
        credentials[entry.id] = credential
        if let step = entry.lastStep { try await seed(ledger, credential.id, lastStep: step) }
      }
      let known = mixedBatch.compactMap { entry in
        credentials[entry.id].map {
          (Submission(entry.code, for: $0, at: UnixTime(seconds: entry.time)), entry.expected)
        }
      }
      var verdicts: [Verdict] = []
      if inOneBatch {
        verdicts = try await verifier.verify(known.map(\.0)).map { try $0.get() }
      } else {
        for (submission, _) in known {
          verdicts.append(
            try await verifier.verify(
              submission.code, for: submission.credential, at: submission.time))
        }
      }
      for (verdict, (submission, expected)) in zip(verdicts, known) {
        #expect(expected?.isMet(by: verdict) == true, "\(submission.code) gave \(verdict)")
      }
    }
  }

  @Test(arguments: allLedgers)
  func emptyBatch(_ tested: TestedLedger) async throws {
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: try await tested.ledger, policy: try VerificationPolicy())
    #expect(try await verifier.verify([]).isEmpty)
    #expect(try await verifier.ledger.settle([]).isEmpty)
    #expect(try await verifier.ledger.states(of: []).isEmpty)
  }

  /// 20 wrong codes at once with a limit of 3, then the right one.
  @Test(arguments: allLedgers)
  func burstOfGuesses(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let policy = try VerificationPolicy(throttle: .lockout(after: 3, seconds: 20))
    let credential = try totpCredential("XY7EHPRRTYF6U2OP6EKMTKWKB6YUD5QI")
    let time = UnixTime(seconds: 1_700_000_011)
    // Verifiers of their own, as on several machines.
    let verdicts = try await withThrowingTaskGroup { group in
      for code in burst {
        group.addTask {
          try await Verifier(backend: SwiftBackend(), ledger: ledger, policy: policy)
            .verify(code, for: credential, at: time)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(verdicts.filter { $0 == .mismatch }.count == 3)
    #expect(
      verdicts.filter { $0 == .throttled(retryAt: UnixTime(seconds: 1_700_000_031)) }.count == 17)
    let verifier = Verifier(backend: SwiftBackend(), ledger: ledger, policy: policy)
    let right = try await verifier.verify(
      "507896", for: credential, at: UnixTime(seconds: 1_700_000_012))
    #expect(right == .throttled(retryAt: UnixTime(seconds: 1_700_000_031)))
    let batch = try totpCredential("XY7EHPRRTYF6U2OP6EKMTKWKB6YUD5QI")
    let inBatch = try await verifier.verify(
      burst.map { Submission($0, for: batch, at: time) })
    #expect(try inBatch.map { try $0.get() }.filter { $0 == .mismatch }.count == 3)
  }

  @Test(arguments: allLedgers)
  func sameCodeFromManyTasks(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let policy = try VerificationPolicy()
    let shared = Verifier(backend: SwiftBackend(), ledger: ledger, policy: policy)
    for sharesVerifier in [true, false] {
      let credential = try totpCredential("H2VI67HGPFSWHKUV7GH27KST655FF6IK")
      let verdicts = try await withThrowingTaskGroup { group in
        for _ in 0..<64 {
          group.addTask {
            let verifier =
              sharesVerifier
              ? shared : Verifier(backend: SwiftBackend(), ledger: ledger, policy: policy)
            return try await verifier.verify(
              "811030", for: credential, at: UnixTime(seconds: 1_650_000_003))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(verdicts.filter { $0 == .accepted(step: 55_000_000, offset: 0) }.count == 1)
      #expect(verdicts.filter { $0 == .replayed }.count == 63)
      #expect(try await ledger.states(of: [credential.id])[0].lastStep == 55_000_000)
    }
  }

  @Test(arguments: allLedgers)
  func sameCounterFromManyTasks(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let policy = try VerificationPolicy(lookAhead: 3, throttle: .lockout(after: 100, seconds: 1))
    let credential = try hotpCredential(hotpKey, counter: 7)
    let verdicts = try await withThrowingTaskGroup { group in
      for _ in 0..<64 {
        group.addTask {
          try await Verifier(backend: SwiftBackend(), ledger: ledger, policy: policy)
            .verify("614138", for: credential, at: time)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(verdicts.filter { $0 == .accepted(step: 8, offset: 1) }.count == 1)
    #expect(try await ledger.states(of: [credential.id])[0].lastStep == 8)
  }
}

/// Claims a step as an enrolment does.
func seed(_ ledger: any Ledger, _ id: CredentialID, lastStep: UInt64) async throws {
  let outcome = try await ledger.settle([
    Settlement(
      id: id, time: UnixTime(seconds: 0), claim: .match(step: lastStep, drift: nil),
      throttle: .standard, retention: nil)
  ])
  #expect(outcome == [.accepted])
}
