public import OTP

/// What a server tolerates. The same policy must be used by all that share a ledger.
public struct VerificationPolicy: Hashable, Sendable {
  /// For TOTP: steps around the time's that are tried.
  public let window: Window

  /// For HOTP: counters that are tried after the next one, 0 ... ``Window/maximum``
  /// (s in RFC 4226 section 7.2).
  public let lookAhead: Int

  public let throttle: Throttle

  /// For TOTP: how far the window may follow a user's clock, in steps; 0 for not at all. The ledger keeps
  /// the offset of the last acceptance, and the next window lies around it (RFC 6238 section 6).
  public let driftLimit: Int

  /// - Throws: `invalidWindow` when `lookAhead` or `driftLimit` is outside 0 ... ``Window/maximum``.
  public init(
    window: Window = .one, lookAhead: Int = 5, throttle: Throttle = .standard, driftLimit: Int = 0
  ) throws(OTPError) {
    for (name, steps) in [("look-ahead", lookAhead), ("drift limit", driftLimit)]
    where !(0...Window.maximum).contains(steps) {
      throw OTPError(
        .invalidWindow, "the \(name) must be 0 to \(Window.maximum) steps")
    }
    self.window = window
    self.lookAhead = lookAhead
    self.throttle = throttle
    self.driftLimit = driftLimit
  }

  /// A drift of steps, within the limit either way.
  func limited(drift: Int) -> Int {
    max(-driftLimit, min(driftLimit, drift))
  }

  /// The drift that an acceptance at this offset stores; nil when drift is not tracked.
  func drift(offset: Int) -> Int32? {
    driftLimit > 0 ? Int32(limited(drift: offset)) : nil
  }

  /// Seconds for which a TOTP credential's state must be kept: as long as a used code could be right again,
  /// and a day for clocks that are set back; with a count of failures, which only a success ends, a month.
  func retention(period: Int64, mayFail: Bool) -> Int64 {
    let steps = Int64(window.count + 2 * driftLimit)
    let (span, overflow) = period.multipliedReportingOverflow(by: steps)
    let margin: Int64 = mayFail ? 31 * 86_400 : 86_400
    return overflow || span > .max - margin ? .max : span + margin
  }
}
