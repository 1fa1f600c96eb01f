public import OTP

/// Where the state of credentials is kept, and where everything that depends on it is decided.
///
/// A ledger may be shared by many tasks, processes and machines. Its ``settle(_:)`` is the one rule that
/// makes verification safe: it judges each attempt and stores the result in one step that nothing comes
/// between. HMAC work happens before, needs no state, and reveals nothing until the ledger answers.
public protocol Ledger: Sendable {
  /// Decides a group of attempts, in order; attempts of one credential see each other's results.
  ///
  /// - Returns: one outcome for each attempt.
  /// - Throws: `ledgerUnavailable` when certainly nothing was stored, `ledgerUncertain` when that is
  ///   unknown, because the answer was lost. Then no attempt of the group may count as accepted, nor be
  ///   settled again as if nothing had happened.
  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome]

  /// The states of credentials, in order; that of an unknown one is the initial state.
  /// - Throws: `ledgerUnavailable`.
  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState]

  /// Sets a part of a credential's state back.
  ///
  /// An attempt that is under way meanwhile may come before it or after it. An HOTP code that was compared before
  /// and is settled after ``ResetPart/everything`` leaves its counter as the last one, that of the old key: a server
  /// takes the credential out of service while it gives it a new key, or gives the new key a new id.
  /// - Throws: `ledgerUnavailable` or `ledgerUncertain`.
  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError)
}

extension UnixTime {
  /// Unix seconds of attempts. Ledgers count in numbers that are exact up to 2^53, some 285 million years.
  static let attemptRange: ClosedRange<Int64> = 0...(1 << 53)

  /// - Throws: `invalidTime` when it is not in ``attemptRange``.
  package func checkRange() throws(OTPError) {
    guard Self.attemptRange.contains(seconds) else {
      throw OTPError(.invalidTime, "the time is not in 0 ... 2^53")
    }
  }
}

extension Ledger {
  /// ``states(of:)``, as many as there are ids.
  package func checkedStates(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    let states = try await states(of: ids)
    guard states.count == ids.count else {
      throw OTPError(.ledgerUnavailable, "the ledger's states are not as many as the credentials")
    }
    return states
  }
}

extension OTPError {
  static var restlessState: OTPError {
    OTPError(
      .ledgerUnavailable, "the credential's state changed each time before the ledger decided")
  }
}

/// A ledger that decides at once: it never waits for anything, and never fails.
protocol ImmediateLedger: Ledger {
  /// Decides the attempts of a chunk, in order, and enters there what became of them.
  /// - Parameter consumes: as in ``Settlement``.
  func settle(_ chunk: AttemptChunk, consumes: Bool)
}

/// What an immediate ledger needs of an attempt.
struct ImmediateAttempt {
  let claim: Settlement.Claim
  let time: UnixTime
  let consumes: Bool
  let throttle: Throttle
}

/// What of a credential's state is set back.
public enum ResetPart: Hashable, Sendable {
  /// The count of failures and the lock: for a user who locked themself out.
  case throttle

  /// Everything: for a credential that has a new key. With the old key, codes could be used again.
  case everything
}

/// An attempt as the ledger sees it: no key, no code.
public struct Settlement: Hashable, Sendable {
  public let id: CredentialID
  public let time: UnixTime
  public let claim: Claim

  /// Whether an acceptance uses up the step; else it changes nothing.
  public let consumes: Bool

  public let throttle: Throttle

  /// Seconds after `time` for which the state must be kept, or nil for ever: until then a code that was
  /// used could be right again.
  public let retention: Int64?

  public enum Claim: Hashable, Sendable {
    /// The code is that of this step, and of none higher in the window. `drift`, if not nil, is stored when
    /// it is accepted; it is at most ``Window/maximum`` steps either way.
    case match(step: UInt64, drift: Int32?)

    /// The code is none of the window's.
    case noMatch

    /// The code is none of the window's, which was computed from `lastStep`: that is only worth something
    /// while it is the credential's last step still.
    case noMatchAfter(lastStep: UInt64?)
  }

  public init(
    id: CredentialID, time: UnixTime, claim: Claim, consumes: Bool = true, throttle: Throttle,
    retention: Int64?
  ) {
    self.id = id
    self.time = time
    self.claim = claim
    self.consumes = consumes
    self.throttle = throttle
    self.retention = retention
  }

  var immediate: ImmediateAttempt {
    ImmediateAttempt(claim: claim, time: time, consumes: consumes, throttle: throttle)
  }
}

/// What the ledger decided.
public enum Outcome: Hashable, Sendable {
  case accepted
  case replayed
  case mismatch
  case throttled(retryAt: UnixTime)

  /// The window was computed from a last step that is no longer the credential's: compute it again.
  case stale
}

/// What a ledger keeps of a credential.
public struct CredentialState: Hashable, Sendable {
  /// The last step that was accepted, or counter that was used. Only higher ones are accepted.
  public var lastStep: UInt64?

  /// Wrong codes since the last success.
  public var failures: UInt32 = 0

  /// Unix seconds at which the lock ends: attempts are judged from then on. 0 when there is none,
  /// `Int64.max` when only a reset ends it.
  public var lockedUntil: Int64 = 0

  /// Steps by which the user's clock was off at the last acceptance; 0 unless drift is tracked.
  public var drift: Int32 = 0

  public init() {}

  /// Decides one attempt and stores the result. This is the rule that all ledgers follow.
  public mutating func settle(_ settlement: Settlement) -> Outcome {
    settle(settlement.immediate)
  }

  mutating func settle(_ attempt: ImmediateAttempt) -> Outcome {
    guard attempt.time.seconds >= lockedUntil, lockedUntil != .max else {
      return .throttled(retryAt: UnixTime(seconds: lockedUntil))
    }
    switch attempt.claim {
    case .match(let step, let drift):
      if let lastStep, step <= lastStep { return .replayed }
      guard attempt.consumes else { return .accepted }
      lastStep = step
      failures = 0
      lockedUntil = 0
      if let drift { self.drift = drift }
      return .accepted
    case .noMatchAfter(let basis) where basis != lastStep:
      return .stale
    case .noMatch, .noMatchAfter:
      failures = failures == .max ? .max : failures + 1
      lockedUntil = attempt.throttle.lockEnd(afterFailures: failures, at: attempt.time)
      return .mismatch
    }
  }

  /// Sets a part back.
  public mutating func reset(_ part: ResetPart) {
    switch part {
    case .throttle:
      failures = 0
      lockedUntil = 0
    case .everything:
      self = CredentialState()
    }
  }
}

extension OTPError.Code {
  /// The ledger could not be asked, or did not decide since the credential's state changed again and again; nothing
  /// was stored.
  public static let ledgerUnavailable = Self("ledgerUnavailable")

  /// The ledger's answer was lost: whether the attempts were settled is unknown.
  public static let ledgerUncertain = Self("ledgerUncertain")
}
