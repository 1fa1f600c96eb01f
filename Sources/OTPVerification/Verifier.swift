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
/// ``verify(_:for:at:)`` decides about one code and ``verify(_:in:)`` about a batch. ``check(_:for:at:)`` and
/// ``redeem(_:at:)`` are for a server that asks for another proof after the code, and
/// ``resynchronize(_:for:lookAhead:at:)`` for an HOTP token whose counter is far ahead.
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

  let commit: GroupCommit

  /// The ledger, when it answers at once. Asking its type for that takes longer than a code.
  let immediateLedger: (any ImmediateLedger)?

  /// - Parameter parallelism: tasks that share the HMAC work of one batch; at least 1 and at most 1,024 are used. A
  ///   batch is settled as one group, however many there are. They are worth it from some thousand attempts on: a
  ///   processor that slept needs tens of microseconds to wake up, in which another verifies hundreds.
  public init(
    backend: Backend, ledger: any Ledger, policy: VerificationPolicy, parallelism: Int = 1
  ) {
    self.backend = backend
    self.ledger = ledger
    self.policy = policy
    self.parallelism = min(max(parallelism, 1), 1024)
    commit = GroupCommit(ledger: ledger)
    immediateLedger = ledger as? any ImmediateLedger
  }

  /// Verifies one attempt.
  /// - Throws: `invalidTime` for a time before 1970 or T0 or after 2^53 seconds; what the backend throws;
  ///   `ledgerUnavailable` or `ledgerUncertain`, upon which the code must not count as accepted.
  public func verify(
    _ code: String, for credential: Credential, at time: UnixTime
  ) async throws(OTPError) -> Verdict {
    try await verify([Submission(code, for: credential, at: time)])[0].get()
  }

  /// Verifies one attempt with a credential of a table, whose key is prepared.
  /// - Throws: `unknownCredential` when the table has none of this id; else as
  ///   ``verify(_:for:at:)-(String,Credential,_)``.
  public func verify(
    _ code: String, for id: CredentialID, in table: CredentialTable<Backend>, at time: UnixTime
  ) async throws(OTPError) -> Verdict {
    var batch = AttemptBatch()
    batch.append(code, for: id, at: time)
    return try await verify(batch, in: table)[0].get()
  }

  /// Verifies a batch whose credentials come with it, and are prepared for it alone.
  ///
  /// - Returns: as ``verify(_:in:)``.
  /// - Throws: as ``verify(_:in:)``.
  public func verify(_ batch: [Submission]) async throws(OTPError) -> BatchVerdicts {
    try await verify(batch, consumes: true)
  }

  /// Verifies a batch with the credentials of a table.
  ///
  /// - Returns: for each attempt, in order, its verdict, or the error of this attempt alone (no credential has its
  ///   id, its time lies before T0, the backend lacks its algorithm, its credential's state never comes to rest).
  ///   Several attempts of one credential are settled in order. TOTP attempts are settled as one group; those whose
  ///   window depends on their credential's state (HOTP, tracked drift) come after them, one of each credential at a
  ///   time. When the ledger fails after the first group, the attempts that it did not settle have its error, and the
  ///   others their verdicts.
  /// - Throws: `ledgerUnavailable` or `ledgerUncertain` when the first group fails, upon which no code may
  ///   count as accepted; `invalidArgument` for more than 2,147,483,647 attempts.
  public func verify(
    _ batch: AttemptBatch, in table: CredentialTable<Backend>
  ) async throws(OTPError) -> BatchVerdicts {
    try await BatchVerification(batch, table, self, consumes: true).verdicts()
  }

  private func verify(
    _ submissions: [Submission], consumes: Bool
  ) async throws(OTPError) -> BatchVerdicts {
    let batch = AttemptBatch(submissions)
    let source = GivenCredentials(backend: backend, submissions: submissions)
    return try await BatchVerification(batch, source, self, consumes: consumes).verdicts()
  }

  /// Judges a code without using it up, for a server that asks for another proof afterwards. A wrong code is
  /// counted as always.
  ///
  /// - Returns: the verdict and, if it is an acceptance, what ``redeem(_:at:)`` needs to make it one.
  /// - Throws: as ``verify(_:for:at:)``.
  public func check(
    _ code: String, for credential: Credential, at time: UnixTime
  ) async throws(OTPError) -> (verdict: Verdict, ticket: Ticket?) {
    let verdict = try await verify(
      [Submission(code, for: credential, at: time)], consumes: false)[0].get()
    return (verdict, Ticket(verdict, credential.id, credential.factor))
  }

  /// ``check(_:for:at:)`` with a credential of a table.
  /// - Throws: `unknownCredential` when the table has none of this id; else as ``verify(_:for:at:)``.
  public func check(
    _ code: String, for id: CredentialID, in table: CredentialTable<Backend>, at time: UnixTime
  ) async throws(OTPError) -> (verdict: Verdict, ticket: Ticket?) {
    let factor = try table.factor(of: id)
    var batch = AttemptBatch()
    batch.append(code, for: id, at: time)
    let verdict = try await BatchVerification(batch, table, self, consumes: false)
      .verdicts()[0].get()
    return (verdict, Ticket(verdict, id, factor))
  }

  /// Uses up the step of a checked code.
  /// - Returns: accepted; replayed when the step was used up since; or throttled.
  /// - Throws: `invalidTime` for a time before 1970 or after 2^53 seconds; `ledgerUnavailable` or `ledgerUncertain`.
  public func redeem(_ ticket: Ticket, at time: UnixTime) async throws(OTPError) -> Verdict {
    try time.checkRange()
    var drift: Int32?
    if ticket.period != nil { drift = policy.drift(offset: ticket.offset) }
    let settlement = settlement(
      of: ticket.id, ticket.period, at: time, claim: .match(step: ticket.step, drift: drift))
    let outcome = try await commit.settle([settlement])[0]
    return outcome.verdict(step: ticket.step, offset: ticket.offset)
  }

  /// A code that was checked and not used up yet. It lives in this process, and has no end of its own: a server
  /// drops it when the login that it belongs to is over.
  public struct Ticket: Sendable {
    let id: CredentialID
    /// Of TOTP.
    let period: Int64?
    let step: UInt64
    let offset: Int

    /// Nil unless the verdict is an acceptance.
    init?(_ verdict: Verdict, _ id: CredentialID, _ factor: OTPAuthURI.Factor) {
      guard case .accepted(let step, let offset) = verdict else { return nil }
      self.id = id
      if case .totp(let totp) = factor { period = totp.period } else { period = nil }
      self.step = step
      self.offset = offset
    }
  }

  /// Brings the counter of an HOTP credential forward by consecutive codes in a larger window
  /// (RFC 4226 section 7.4). All of them are used up. Wrong codes count as one failure.
  ///
  /// - Parameters:
  ///   - codes: 2 ... 10 codes of consecutive counters, in order.
  ///   - lookAhead: how far after the next counter the first of them may lie, 0 ... 1000.
  /// - Throws: `invalidArgument` for another number of codes, another range, or a TOTP credential; else as
  ///   ``verify(_:for:at:)``.
  public func resynchronize(
    _ codes: [String], for credential: Credential, lookAhead: Int = 50, at time: UnixTime
  ) async throws(OTPError) -> Verdict {
    let keyring = try backend.makeKeyring(
      [credential.secret], algorithm: credential.hotp.algorithm)
    return try await resynchronize(
      codes, for: credential.id, credential.factor, lookAhead, at: time
    ) { (counters) throws(OTPError) in
      try keyring.truncatedValues(
        keys: [Int](repeating: 0, count: counters.count), counters: counters)
    }
  }

  /// ``resynchronize(_:for:lookAhead:at:)`` with a credential of a table.
  /// - Throws: `unknownCredential` when the table has none of this id; else as above.
  public func resynchronize(
    _ codes: [String], for id: CredentialID, in table: CredentialTable<Backend>,
    lookAhead: Int = 50, at time: UnixTime
  ) async throws(OTPError) -> Verdict {
    try await resynchronize(codes, for: id, table.factor(of: id), lookAhead, at: time) {
      (counters) throws(OTPError) in try table.truncatedValues(of: id, counters: counters)
    }
  }

  private func resynchronize(
    _ codes: [String], for id: CredentialID, _ factor: OTPAuthURI.Factor, _ lookAhead: Int,
    at time: UnixTime, truncatedValues: ([UInt64]) throws(OTPError) -> [UInt32]
  ) async throws(OTPError) -> Verdict {
    guard case .hotp(let hotp, let firstCounter) = factor else {
      throw OTPError(.invalidArgument, "only HOTP has a counter to bring forward")
    }
    guard (2...10).contains(codes.count), (0...1000).contains(lookAhead) else {
      throw OTPError(
        .invalidArgument, "resynchronisation takes 2 to 10 codes and a look-ahead of 0 to 1000")
    }
    try time.checkRange()
    var parsed: [OneTimeCode] = []
    for code in codes {
      guard let code = try? OneTimeCode(ignoringSeparatorsIn: code, digits: hotp.digits) else {
        return .malformed
      }
      parsed.append(code)
    }
    for _ in 0..<BatchVerification.roundLimit {
      let lastStep = try await ledger.checkedStates(of: [id])[0].lastStep
      guard let next = nextCounter(after: lastStep, first: firstCounter) else {
        // Nothing follows the last counter of all; a lock still comes first. No code was looked at: when the
        // credential was reset meanwhile, nothing is used up, and it begins anew.
        let outcome = try await commit.settle([
          settlement(of: id, nil, at: time, claim: .match(step: .max, drift: nil), consumes: false)
        ])[0]
        if outcome == .accepted { continue }
        return outcome.verdict(step: .max, offset: 0)
      }
      let reach = UInt64(lookAhead + codes.count - 1)
      let last = next.addingReportingOverflow(reach)
      let counters = Array(next...(last.overflow ? .max : last.partialValue))
      let generated = try truncatedValues(counters).map { hotp.code(truncatedValue: $0) }
      // The highest place, as in a window.
      let start = generated.indices.dropLast(codes.count - 1).last { start in
        generated[start..<(start + codes.count)].elementsEqual(parsed)
      }
      let step = start.map { counters[$0 + codes.count - 1] }
      let outcome = try await commit.settle([
        settlement(
          of: id, nil, at: time,
          claim: step.map { .match(step: $0, drift: nil) } ?? .noMatchAfter(lastStep: lastStep))
      ])[0]
      if outcome == .stale { continue }
      return outcome.verdict(
        step: step ?? 0, offset: step.map { Window.offset(of: $0, from: next) } ?? 0)
    }
    throw .restlessState
  }

  /// - Parameter period: of TOTP.
  private func settlement(
    of id: CredentialID, _ period: Int64?, at time: UnixTime, claim: Settlement.Claim,
    consumes: Bool = true
  ) -> Settlement {
    let mayFail = if case .match = claim { false } else { true }
    return Settlement(
      id: id, time: time, claim: claim, consumes: consumes, throttle: policy.throttle,
      retention: period.map { policy.retention(period: $0, mayFail: mayFail) })
  }

}

extension Outcome {
  func verdict(step: UInt64, offset: Int) -> Verdict {
    switch self {
    case .accepted: .accepted(step: step, offset: offset)
    case .replayed: .replayed
    case .mismatch, .stale: .mismatch
    case .throttled(let retryAt): .throttled(retryAt: retryAt)
    }
  }
}
