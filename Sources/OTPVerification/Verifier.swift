public import OTP

/// One attempt of a batch.
public struct Submission: Sendable {
  public let credential: Credential
  public let code: String
  public let time: UnixTime

  public init(_ code: String, for credential: Credential, at time: UnixTime) {
    self.code = code
    self.credential = credential
    self.time = time
  }
}

extension Submission: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  // The code is not shown.
  public var description: String { "Submission(\(credential.id) at \(time.seconds))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["credential": credential, "time": time])
  }
}

/// Verifies codes once and for all: a code that was accepted is refused from then on, and guesses are
/// limited, whoever else uses the same ledger.
///
/// Codes may be submitted with ASCII spaces, tabs, line ends and hyphens in them.
///
/// The digits of two neighbouring steps can be the same. The highest matching step of the window is then
/// used up, so that they are not accepted twice while both are in the window; afterwards, the same digits
/// as the code of another, higher step are another code (RFC 6238 section 5.2 speaks of steps).
public struct Verifier<Backend: HMACBackend>: Sendable {
  public let backend: Backend
  public let ledger: any Ledger
  public let policy: VerificationPolicy

  /// Tasks that share the HMAC work of one batch, at least 1.
  public let parallelism: Int

  private let commit: GroupCommit

  /// - Parameter parallelism: tasks that share the HMAC work of one batch; at least 1 and at most 1,024 are used. A
  ///   batch is settled as one group, however many there are.
  public init(
    backend: Backend, ledger: any Ledger, policy: VerificationPolicy, parallelism: Int = 1
  ) {
    self.backend = backend
    self.ledger = ledger
    self.policy = policy
    self.parallelism = min(max(parallelism, 1), 1024)
    commit = GroupCommit(ledger: ledger)
  }

  /// Verifies one attempt.
  /// - Throws: `invalidTime` for a time before 1970 or T0; what the backend throws; `ledgerUnavailable` or
  ///   `ledgerUncertain`, upon which the code must not count as accepted.
  public func verify(
    _ code: String, for credential: Credential, at time: UnixTime
  ) async throws(OTPError) -> Verdict {
    try await settle([Submission(code, for: credential, at: time)], consumes: true)[0].get()
  }

  /// Verifies a batch.
  ///
  /// - Returns: for each attempt, in order, its verdict, or the error of this attempt alone (its time lies
  ///   before T0, the backend lacks its algorithm). Several attempts of one credential are settled in order.
  ///   Attempts of one credential whose window depends on its state (HOTP, tracked drift) are settled in
  ///   several groups; when the ledger fails after the first of them, the attempts that it did not settle
  ///   have its error, and the others their verdicts.
  /// - Throws: `ledgerUnavailable` or `ledgerUncertain` when the first group fails, upon which no code may
  ///   count as accepted.
  public func verify(
    _ batch: [Submission]
  ) async throws(OTPError) -> [Result<Verdict, OTPError>] {
    try await settle(batch, consumes: true)
  }

  /// Judges a code without using it up, for a server that asks for another proof afterwards. A wrong code is
  /// counted as always.
  ///
  /// - Returns: the verdict and, if it is an acceptance, what ``redeem(_:at:)`` needs to make it one.
  /// - Throws: as ``verify(_:for:at:)``.
  public func check(
    _ code: String, for credential: Credential, at time: UnixTime
  ) async throws(OTPError) -> (verdict: Verdict, ticket: Ticket?) {
    let submission = Submission(code, for: credential, at: time)
    let verdict = try await settle([submission], consumes: false)[0].get()
    guard case .accepted(let step, let offset) = verdict else { return (verdict, nil) }
    return (verdict, Ticket(credential: credential, step: step, offset: offset))
  }

  /// Uses up the step of a checked code.
  /// - Returns: accepted; replayed when the step was used up since; or throttled.
  /// - Throws: `ledgerUnavailable` or `ledgerUncertain`.
  public func redeem(_ ticket: Ticket, at time: UnixTime) async throws(OTPError) -> Verdict {
    try check(time)
    let settlement = settlement(
      of: ticket.credential, at: time,
      claim: match(ticket.step, offset: ticket.offset, ticket.credential))
    let outcome = try await commit.settle([settlement])[0]
    return outcome.verdict(step: ticket.step, offset: ticket.offset)
  }

  /// A code that was checked and not used up yet.
  public struct Ticket: Sendable {
    let credential: Credential
    let step: UInt64
    let offset: Int
  }

  /// Brings the counter of an HOTP credential forward by consecutive codes in a larger window
  /// (RFC 4226 section 7.4). All of them are used up. Wrong codes count as one failure.
  ///
  /// - Parameters:
  ///   - codes: two or more codes of consecutive counters, in order.
  ///   - lookAhead: how far after the next counter the first of them may lie, 0 ... 1000.
  /// - Throws: `invalidArgument` for fewer than two codes, another range, or a TOTP credential; else as
  ///   ``verify(_:for:at:)``.
  public func resynchronize(
    _ codes: [String], for credential: Credential, lookAhead: Int = 50, at time: UnixTime
  ) async throws(OTPError) -> Verdict {
    guard case .hotp(let hotp, let firstCounter) = credential.factor else {
      throw OTPError(.invalidArgument, "only HOTP has a counter to bring forward")
    }
    guard codes.count >= 2, codes.count <= 10, (0...1000).contains(lookAhead) else {
      throw OTPError(
        .invalidArgument, "resynchronisation takes 2 to 10 codes and a look-ahead of 0 to 1000")
    }
    try check(time)
    var parsed: [OneTimeCode] = []
    for code in codes {
      guard let code = try? OneTimeCode(ignoringSeparatorsIn: code, digits: hotp.digits) else {
        return .malformed
      }
      parsed.append(code)
    }
    let keyring = try backend.makeKeyring([credential.secret], algorithm: hotp.algorithm)
    while true {
      let lastStep = try await ledger.states(of: [credential.id])[0].lastStep
      guard let next = nextCounter(after: lastStep, first: firstCounter) else {
        // Nothing follows the last counter of all; a lock still comes first.
        let outcome = try await commit.settle([
          settlement(of: credential, at: time, claim: .match(step: .max, drift: nil))
        ])[0]
        return outcome.verdict(step: .max, offset: 0)
      }
      let reach = UInt64(lookAhead + codes.count - 1)
      let last = next.addingReportingOverflow(reach)
      let counters = Array(next...(last.overflow ? .max : last.partialValue))
      let values = try keyring.truncatedValues(
        keys: [Int](repeating: 0, count: counters.count), counters: counters)
      let generated = values.map { hotp.code(truncatedValue: $0) }
      // The highest place, as in a window.
      let start = generated.indices.dropLast(codes.count - 1).last { start in
        generated[start..<(start + codes.count)].elementsEqual(parsed)
      }
      let step = start.map { counters[$0 + codes.count - 1] }
      let outcome = try await commit.settle([
        settlement(
          of: credential, at: time,
          claim: step.map { .match(step: $0, drift: nil) } ?? .noMatchAfter(lastStep: lastStep))
      ])[0]
      if outcome == .stale { continue }
      return outcome.verdict(
        step: step ?? 0, offset: step.map { Window.offset(of: $0, from: next) } ?? 0)
    }
  }

  // MARK: The way of an attempt

  /// An attempt whose text is a code, and the window that it is looked for in.
  private struct Candidate: Sendable {
    let index: Int
    let expected: UInt64
    let steps: ClosedRange<UInt64>
    let code: OneTimeCode
    /// The last step that the window was computed from, where it depends on it.
    let basis: UInt64??

    /// Steps from the expected one to the one that matched; 0 when none did.
    func offset(of match: UInt64?) -> Int {
      match.map { Window.offset(of: $0, from: expected) } ?? 0
    }
  }

  private func settle(
    _ batch: [Submission], consumes: Bool
  ) async throws(OTPError) -> [Result<Verdict, OTPError>] {
    var results = [Result<Verdict, OTPError>](repeating: .success(.malformed), count: batch.count)
    var waiting = Array(batch.indices)
    var isSettled = false
    do throws(OTPError) {
      while !waiting.isEmpty {
        try await settleRound(&waiting, of: batch, consumes: consumes, &results)
        isSettled = true
      }
    } catch {
      // What earlier rounds settled stands.
      guard isSettled else { throw error }
      for index in waiting { results[index] = .failure(error) }
    }
    return results
  }

  /// Settles what can be settled together, and takes it out of `waiting`.
  private func settleRound(
    _ waiting: inout [Int], of batch: [Submission], consumes: Bool,
    _ results: inout [Result<Verdict, OTPError>]
  ) async throws(OTPError) {
    let round = firstOfEach(waiting, in: batch)
    let states = try await statesWhereNeeded(round.map { batch[$0].credential })
    var candidates: [Candidate] = []
    for index in round {
      switch candidate(index, batch[index], states[batch[index].credential.id]) {
      case .success(let candidate?): candidates.append(candidate)
      case .success(nil): results[index] = .success(.malformed)
      case .failure(let error): results[index] = .failure(error)
      }
    }
    let matches = await matches(of: candidates, in: batch)
    var settlements: [Settlement] = []
    var settled: [(candidate: Candidate, step: UInt64?)] = []
    for (candidate, match) in zip(candidates, matches) {
      switch match {
      case .failure(let error): results[candidate.index] = .failure(error)
      case .success(let step):
        let submission = batch[candidate.index]
        let claim: Settlement.Claim
        if let step {
          claim = self.match(step, offset: candidate.offset(of: step), submission.credential)
        } else if let basis = candidate.basis {
          claim = .noMatchAfter(lastStep: basis)
        } else {
          claim = .noMatch
        }
        settlements.append(
          settlement(
            of: submission.credential, at: submission.time, claim: claim, consumes: consumes))
        settled.append((candidate, step))
      }
    }
    var isDone = Set(round)
    for (outcome, (candidate, step)) in zip(try await commit.settle(settlements), settled) {
      if outcome == .stale {
        isDone.remove(candidate.index)
      } else {
        results[candidate.index] = .success(
          outcome.verdict(step: step ?? 0, offset: candidate.offset(of: step)))
      }
    }
    waiting.removeAll { isDone.contains($0) }
  }

  /// Whether a credential's window depends on its state.
  private func needsState(_ credential: Credential) -> Bool {
    if case .hotp = credential.factor { return true }
    return policy.driftLimit > 0
  }

  /// The attempts that can be settled together: where the window depends on the state, the next attempt of
  /// the same credential has to wait for the one before it.
  private func firstOfEach(_ waiting: [Int], in batch: [Submission]) -> [Int] {
    var seen: Set<CredentialID> = []
    return waiting.filter { index in
      let credential = batch[index].credential
      return !needsState(credential) || seen.insert(credential.id).inserted
    }
  }

  /// The states of the credentials whose window depends on theirs.
  private func statesWhereNeeded(
    _ credentials: [Credential]
  ) async throws(OTPError) -> [CredentialID: CredentialState] {
    let ids = credentials.filter(needsState).map(\.id)
    if ids.isEmpty { return [:] }
    return Dictionary(zip(ids, try await ledger.states(of: ids))) { first, _ in first }
  }

  private func candidate(
    _ index: Int, _ submission: Submission, _ state: CredentialState?
  ) -> Result<Candidate?, OTPError> {
    do throws(OTPError) {
      try check(submission.time)
      let credential = submission.credential
      guard
        let code = try? OneTimeCode(
          ignoringSeparatorsIn: submission.code, digits: credential.hotp.digits)
      else { return .success(nil) }
      switch credential.factor {
      case .totp(let totp):
        let expected = try totp.step(at: submission.time)
        let drift = policy.limited(drift: Int(state?.drift ?? 0))
        let centre =
          drift < 0
          ? expected - min(expected, UInt64(drift.magnitude))
          : expected + min(.max - expected, UInt64(drift))
        return .success(
          Candidate(
            index: index, expected: expected, steps: policy.window.steps(around: centre),
            code: code,
            basis: nil))
      case .hotp(_, let firstCounter):
        // Before the window lies the last used counter, whose code is a replay and no guess. When that was
        // the last of all, nothing follows it.
        let used = state?.lastStep
        let next = nextCounter(after: used, first: firstCounter)
        let expected = next ?? .max
        let (last, overflow) = expected.addingReportingOverflow(UInt64(policy.lookAhead))
        let lowest = used.map { $0 == .max || $0 + 1 == next ? $0 : expected } ?? expected
        return .success(
          Candidate(
            index: index, expected: expected, steps: lowest...(overflow ? .max : last), code: code,
            basis: .some(used)))
      }
    } catch {
      return .failure(error)
    }
  }

  /// The highest matching step of each candidate.
  private func matches(
    of candidates: [Candidate], in batch: [Submission]
  ) async -> [Result<UInt64?, OTPError>] {
    let share = (candidates.count + parallelism - 1) / parallelism
    if share == candidates.count || share < Self.leastShare {
      return matches(of: candidates[...], in: batch)
    }
    return await withTaskGroup { group in
      let starts = Array(stride(from: 0, to: candidates.count, by: share))
      for start in starts {
        let part = candidates[start..<min(start + share, candidates.count)]
        group.addTask { (start, matches(of: part, in: batch)) }
      }
      var parts: [Int: [Result<UInt64?, OTPError>]] = [:]
      for await (start, matches) in group { parts[start] = matches }
      return starts.flatMap { parts[$0] ?? [] }
    }
  }

  /// Candidates that are worth a task of their own.
  private static var leastShare: Int { 64 }

  /// The highest matching step of each candidate, algorithm by algorithm.
  private func matches(
    of candidates: ArraySlice<Candidate>, in batch: [Submission]
  ) -> [Result<UInt64?, OTPError>] {
    var matches = [Result<UInt64?, OTPError>](repeating: .success(nil), count: candidates.count)
    for algorithm in HashAlgorithm.allCases {
      let places = candidates.indices.filter {
        batch[candidates[$0].index].credential.hotp.algorithm == algorithm
      }
      if places.isEmpty { continue }
      do throws(OTPError) {
        let keyring = try backend.makeKeyring(
          places.map { batch[candidates[$0].index].credential.secret }, algorithm: algorithm)
        let requests = places.enumerated().map { key, place in
          SearchRequest(key: key, steps: candidates[place].steps, code: candidates[place].code)
        }
        for (place, step) in zip(places, try keyring.highestMatches(requests)) {
          matches[place - candidates.startIndex] = .success(step)
        }
      } catch {
        // One key that the backend refuses must not fail the others: each by itself.
        for place in places {
          matches[place - candidates.startIndex] =
            places.count == 1
            ? .failure(error) : self.matches(of: candidates[place...place], in: batch)[0]
        }
      }
    }
    return matches
  }

  private func match(
    _ step: UInt64, offset: Int, _ credential: Credential
  ) -> Settlement.Claim {
    var drift: Int32?
    if case .totp = credential.factor, policy.driftLimit > 0 {
      drift = Int32(policy.limited(drift: offset))
    }
    return .match(step: step, drift: drift)
  }

  private func settlement(
    of credential: Credential, at time: UnixTime, claim: Settlement.Claim, consumes: Bool = true
  ) -> Settlement {
    var retention: Int64?
    if case .totp(let totp) = credential.factor {
      let mayFail = if case .match = claim { false } else { true }
      retention = policy.retention(period: totp.period, mayFail: mayFail)
    }
    return Settlement(
      id: credential.id, time: time, claim: claim, consumes: consumes, throttle: policy.throttle,
      retention: retention)
  }

  /// Ledgers count in numbers that are exact up to 2^53 seconds, some 285 million years.
  private func check(_ time: UnixTime) throws(OTPError) {
    guard (0...(1 << 53)).contains(time.seconds) else {
      throw OTPError(.invalidTime, "the time is not in 0 ... 2^53")
    }
  }
}

/// The next counter of an HOTP credential, or nil when the last one is used up.
private func nextCounter(after lastStep: UInt64?, first: UInt64) -> UInt64? {
  guard let lastStep else { return first }
  return lastStep == .max ? nil : max(first, lastStep + 1)
}

extension Outcome {
  fileprivate func verdict(step: UInt64, offset: Int) -> Verdict {
    switch self {
    case .accepted: .accepted(step: step, offset: offset)
    case .replayed: .replayed
    case .mismatch, .stale: .mismatch
    case .throttled(let retryAt): .throttled(retryAt: retryAt)
    }
  }
}
