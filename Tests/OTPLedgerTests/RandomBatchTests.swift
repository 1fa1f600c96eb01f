import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// Random batches against a model of the whole rule, from windows to locks, that looks at one attempt after the other
/// and shares nothing with the verifier but single codes.
@Suite struct RandomBatchTests {
  @Test(arguments: allLedgers, [0, 1, 2, 255, 256, 257, 1023, 1024, 1025, 3000])
  func followTheModel(_ tested: TestedLedger, count: Int) async throws {
    var generator = SeededGenerator(for: "batches of \(count), \(tested.testDescription)")
    if Bool.random(using: &generator) {
      try await followTheModel(SwiftBackend(), tested.ledger, count, &generator)
    } else {
      try await followTheModel(KeyByKeyBackend(), tested.ledger, count, &generator)
    }
  }

  private func followTheModel(
    _ backend: some HMACBackend, _ ledger: any Ledger, _ count: Int,
    _ generator: inout SeededGenerator
  ) async throws {
    let policy = try Self.policy(&generator)
    let known = try credentials(.random(in: 1...40, using: &generator), &generator)
    let table = CredentialTable(backend: backend)
    try table.insert(contentsOf: known)
    let unknown = try freshID()
    var model = Model(policy: policy)
    // What an earlier batch left counts in the next.
    for round in 0..<3 {
      var batch = AttemptBatch()
      var expected: [Result<Verdict, OTPError>] = []
      for _ in 0..<count {
        let credential = known.randomElement(using: &generator) ?? known[0]
        let isKnown = generator.next() % 50 > 0
        let time = Self.time(round, &generator)
        let code = try model.code(for: credential, at: time, &generator)
        batch.append(code, for: isKnown ? credential.id : unknown, at: UnixTime(seconds: time))
        expected.append(
          isKnown
            ? try model.verdict(on: code, for: credential, at: time)
            : .failure(OTPError(.unknownCredential, "")))
      }
      let verifier = Verifier(
        backend: backend, ledger: ledger, policy: policy,
        parallelism: [1, 2, 3, 64][Int(generator.next() % 4)])
      let verdicts = try await verifier.verify(batch, in: table)
      #expect(verdicts.count == count)
      let wrong = zip(verdicts, expected).enumerated().first { !isSame($1.0, $1.1) }
      #expect(wrong == nil, "round \(round) with \(policy)")
    }
    let ids = known.map(\.id)
    #expect(try await ledger.states(of: ids) == ids.map { model.states[$0] ?? CredentialState() })
  }

  private static func policy(_ generator: inout SeededGenerator) throws -> VerificationPolicy {
    let throttles = try [
      Throttle.standard, .lockout(after: 2, seconds: 7), .lockout(after: 100, seconds: .max),
      .exponential(factor: 1, cap: 60), .exponential(factor: .max, cap: 1 << 40),
      Throttle(.exponential(factor: 1, cap: 2), maximumFailures: 9),
    ]
    let reaches = [0, 0, 1, 1, 2, 3, 9, 100]
    func reach() -> Int { reaches.randomElement(using: &generator) ?? 0 }
    return try VerificationPolicy(
      window: Window(back: reach(), forward: reach()), lookAhead: reach(),
      throttle: throttles.randomElement(using: &generator) ?? .standard,
      driftLimit: Bool.random(using: &generator) ? 0 : reach())
  }

  /// Credentials of all kinds, of which nothing is in the ledger.
  private func credentials(
    _ count: Int, _ generator: inout SeededGenerator
  ) throws -> [Credential] {
    var known: [Credential] = []
    for number in 0..<count {
      let hotp = try HOTP(
        algorithm: HashAlgorithm.allCases[number % 3], digits: 6 + Int(generator.next() % 3))
      let factor: OTPAuthURI.Factor =
        if generator.next() % 3 == 0 {
          .hotp(hotp, counter: [0, 0, 77, .max - 40, .max - 1, .max][Int(generator.next() % 6)])
        } else {
          .totp(
            try TOTP(
              algorithm: hotp.algorithm, digits: hotp.digits,
              period: [1, 30, 30, 60, 86_400, .max][Int(generator.next() % 6)],
              t0: UnixTime(seconds: [0, 0, 100, 1_700_000_010][Int(generator.next() % 4)])))
        }
      // The bytes that all have in common come first or last, and some collide.
      let fresh = generator.bytes(12)
      let id =
        switch number % 4 {
        case 0: fresh
        case 1: fresh + [UInt8](repeating: 7, count: 243)
        case 2: [UInt8](repeating: 7, count: 243) + fresh
        default: collidingID(fresh.prefix(8))
        }
      let secret = try Secret(bytes: generator.bytes(1 + Int(generator.next() % 200)))
      known.append(Credential(id: try CredentialID(bytes: id), factor: factor, secret: secret))
    }
    return known
  }

  private static func time(_ round: Int, _ generator: inout SeededGenerator) -> Int64 {
    let odd: [Int64] = [.min, -1, 0, 99, 1 << 53, 1 << 53 + 1, .max]
    if generator.next() % 40 == 0 { return odd.randomElement(using: &generator) ?? 0 }
    return 1_700_000_000 + Int64(round) * 50 + Int64(generator.next() % 40)
  }
}

/// What must become of attempts, one after the other.
private struct Model {
  let policy: VerificationPolicy
  var states: [CredentialID: CredentialState] = [:]

  init(policy: VerificationPolicy) { self.policy = policy }

  /// The expected moving factor, and all that are tried, in numbers that cannot overflow.
  private func window(
    of credential: Credential, at time: Int64
  ) -> (expected: Int128, steps: ClosedRange<Int128>)? {
    let state = states[credential.id] ?? CredentialState()
    switch credential.factor {
    case .totp(let totp):
      guard time >= totp.t0.seconds else { return nil }
      let expected = (Int128(time) - Int128(totp.t0.seconds)) / Int128(totp.period)
      let drift = Int128(min(max(Int(state.drift), -policy.driftLimit), policy.driftLimit))
      let centre = max(expected + drift, 0)
      return (
        expected,
        max(centre - Int128(policy.window.back), 0)...(centre + Int128(policy.window.forward))
      )
    case .hotp(_, let first):
      let last = state.lastStep.map { Int128($0) }
      let next = max(Int128(first), (last ?? -1) + 1)
      let top = Int128(UInt64.max)
      // The last used counter is looked for too where nothing lies between it and the next.
      let lowest = last == next - 1 ? next - 1 : next
      return (min(next, top), max(lowest, 0)...min(next + Int128(policy.lookAhead), top))
    }
  }

  /// A code near the window, often a right one.
  func code(
    for credential: Credential, at time: Int64, _ generator: inout SeededGenerator
  ) throws -> String {
    let hotp = credential.factor.parameters
    let steps = window(of: credential, at: time)?.steps ?? 0...0
    let near = Int128.random(
      in: max(0, steps.lowerBound - 3)...min(steps.upperBound + 3, Int128(UInt64.max)),
      using: &generator)
    var code = try hotp.code(for: credential.secret, counter: UInt64(near)).text
    switch generator.next() % 10 {
    case 0, 1: code = String(repeating: "0", count: hotp.digits)
    case 2: code += ["1", "\u{661}", "+"][Int(generator.next() % 3)]
    case 3: code.insert("-", at: code.index(code.startIndex, offsetBy: 3))
    default: break
    }
    return code
  }

  mutating func verdict(
    on text: String, for credential: Credential, at time: Int64
  ) throws -> Result<Verdict, OTPError> {
    guard (0...(1 << 53)).contains(time) else { return .failure(OTPError(.invalidTime, "")) }
    let hotp = credential.factor.parameters
    let code = text.filter { $0 != "-" }
    guard code.utf8.count == hotp.digits else { return .success(.malformed) }
    guard let (expected, steps) = window(of: credential, at: time) else {
      return .failure(OTPError(.invalidTime, ""))
    }
    var state = states[credential.id] ?? CredentialState()
    if state.lockedUntil == .max || time < state.lockedUntil {
      return .success(.throttled(retryAt: UnixTime(seconds: state.lockedUntil)))
    }
    var match: Int128?
    for step in steps {
      let right = try hotp.code(for: credential.secret, counter: UInt64(step)).text
      if right == code { match = step }
    }
    guard let match else {
      state.failures += 1
      state.lockedUntil = lockEnd(Int128(state.failures), Int128(time))
      states[credential.id] = state
      return .success(.mismatch)
    }
    if let last = state.lastStep, match <= Int128(last) { return .success(.replayed) }
    state.lastStep = UInt64(match)
    state.failures = 0
    state.lockedUntil = 0
    let offset = Int(match - expected)
    if case .totp = credential.factor, policy.driftLimit > 0 {
      state.drift = Int32(min(max(offset, -policy.driftLimit), policy.driftLimit))
    }
    states[credential.id] = state
    return .success(.accepted(step: UInt64(match), offset: offset))
  }

  private func lockEnd(_ failures: Int128, _ time: Int128) -> Int64 {
    guard failures < Int128(policy.throttle.maximumFailures) else { return .max }
    let seconds: Int128
    switch policy.throttle.delay {
    case .lockout(let after, let length):
      guard failures % Int128(after) == 0 else { return 0 }
      seconds = Int128(length)
    case .exponential(let factor, let cap):
      seconds = failures > 60 ? Int128(cap) : min(Int128(factor) << (failures - 1), Int128(cap))
    }
    return Int64(min(time + seconds, Int128(Int64.max)))
  }
}
