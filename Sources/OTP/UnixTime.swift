/// A moment in whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Nothing in this package reads a clock, and no time zone enters: the caller passes the time in.
public struct UnixTime: Hashable, Comparable, Sendable {
  public let seconds: Int64

  public init(seconds: Int64) {
    self.seconds = seconds
  }

  /// The second that the millisecond lies in: rounded down, before 1970 too.
  public init(milliseconds: Int64) {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    seconds = remainder < 0 ? quotient - 1 : quotient
  }

  public static func < (left: UnixTime, right: UnixTime) -> Bool {
    left.seconds < right.seconds
  }
}
