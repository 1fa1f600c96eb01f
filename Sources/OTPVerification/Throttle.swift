public import OTP

/// How many wrong codes in a row a credential allows, and how long it is locked after them.
///
/// Whatever the delays, ``maximumFailures`` consecutive wrong codes lock a credential until it is reset
/// (NIST SP 800-63B section 5.2.2: no more than 100). A success clears the count.
public struct Throttle: Hashable, Sendable {
  public enum Delay: Hashable, Sendable {
    /// Locked for `seconds` after every `failures` wrong codes in a row.
    case lockout(after: Int, seconds: Int64)

    /// Locked for `factor` seconds after the first wrong code, and twice as long after each further one, up
    /// to `cap` seconds.
    case exponential(factor: Int64, cap: Int64)
  }

  public let delay: Delay

  /// Consecutive wrong codes that lock a credential for good: 1 ... 100.
  public let maximumFailures: Int

  /// - Throws: `invalidThrottle` unless `after` is 1 ... `maximumFailures`, seconds, factor and cap are at
  ///   least 1, and `maximumFailures` is 1 ... 100.
  public init(_ delay: Delay, maximumFailures: Int = 100) throws(OTPError) {
    guard (1...100).contains(maximumFailures) else {
      throw OTPError(
        .invalidThrottle, "the maximum of failures must be 1 to 100")
    }
    switch delay {
    case .lockout(let after, let seconds):
      guard (1...maximumFailures).contains(after), seconds >= 1 else {
        throw OTPError(
          .invalidThrottle, "a lockout needs 1 to \(maximumFailures) failures and at least 1 second"
        )
      }
    case .exponential(let factor, let cap):
      guard factor >= 1, cap >= 1 else {
        throw OTPError(
          .invalidThrottle, "an exponential delay needs a factor and a cap of at least 1")
      }
    }
    self.delay = delay
    self.maximumFailures = maximumFailures
  }

  /// Locked for `seconds` after every `failures` wrong codes in a row.
  /// - Throws: `invalidThrottle`.
  public static func lockout(after failures: Int, seconds: Int64) throws(OTPError) -> Throttle {
    try Throttle(.lockout(after: failures, seconds: seconds))
  }

  /// Locked for `factor` seconds, then twice as long each time, up to `cap` seconds.
  /// - Throws: `invalidThrottle`.
  public static func exponential(factor: Int64, cap: Int64) throws(OTPError) -> Throttle {
    try Throttle(.exponential(factor: factor, cap: cap))
  }

  private init() {
    delay = .lockout(after: 5, seconds: 300)
    maximumFailures = 100
  }

  /// Five wrong codes lock for five minutes, a hundred in a row for good.
  public static let standard = Throttle()

  /// The end of the lock that the `failures`-th wrong code in a row sets: 0 for none.
  package func lockEnd(afterFailures failures: UInt32, at time: UnixTime) -> Int64 {
    if failures >= maximumFailures { return .max }
    let seconds: Int64
    switch delay {
    case .lockout(let after, let lockSeconds):
      if !Int(failures).isMultiple(of: after) { return 0 }
      seconds = lockSeconds
    case .exponential(let factor, let cap):
      let doublings = failures - 1
      let (product, overflow) = factor.multipliedReportingOverflow(by: 1 << min(doublings, 62))
      seconds = overflow || doublings > 62 ? cap : min(product, cap)
    }
    let (end, overflow) = time.seconds.addingReportingOverflow(seconds)
    return overflow ? .max : end
  }
}

extension OTPError.Code {
  /// A throttle whose numbers are out of range.
  public static let invalidThrottle = Self("invalidThrottle")
}
