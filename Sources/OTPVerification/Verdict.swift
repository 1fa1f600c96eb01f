public import OTP

/// What became of one attempt. It is for the server: a client may be shown ``clientView`` alone.
public enum Verdict: Hashable, Sendable {
  /// The code is right and was never accepted before; its step is now used up.
  ///
  /// `offset` is the distance from the expected step: negative when the user's clock is late (TOTP), or
  /// the number of counters that were skipped (HOTP).
  case accepted(step: UInt64, offset: Int)

  /// The code is that of a step which is used up, or which lies before one that is. It is no guess, and
  /// not counted as one.
  ///
  /// For HOTP this is found for the last used counter alone, so that a form that is sent twice is no guess;
  /// older counters are not tried, and their codes are mismatches.
  case replayed

  /// The code is wrong. It is counted.
  case mismatch

  /// The text is no code: not the right number of ASCII digits. It is no guess, and not counted.
  case malformed

  /// The credential is locked, and the code was neither judged nor counted. At `retryAt`, and not before,
  /// attempts are judged again; `Int64.max` seconds means not until the credential is reset.
  case throttled(retryAt: UnixTime)

  /// What a client may know: a replay is not told apart from a wrong code.
  public var clientView: ClientView {
    switch self {
    case .accepted: .accepted
    case .replayed, .mismatch, .malformed: .refused
    case .throttled(let retryAt): .tryLater(at: retryAt)
    }
  }

  /// A verdict without what would help an attacker.
  public enum ClientView: Hashable, Sendable {
    case accepted
    case refused
    case tryLater(at: UnixTime)
  }
}
