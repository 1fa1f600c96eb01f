public import OTP

/// How far a matching moving factor may lie from the expected one, in whole steps.
///
/// RFC 6238 section 5.2 recommends at most one step back, for the delay between user and server. Each further
/// step is one more code that a guess may hit. A window for HOTP must not reach back: a counter that was used
/// never comes back (RFC 4226 section 7.2); take ``lookAhead(_:)``.
public struct Window: Hashable, Sendable {
  /// Steps before the expected one, 0 ... ``maximum``.
  public let back: Int

  /// Steps after the expected one, 0 ... ``maximum``. For HOTP, the look-ahead.
  public let forward: Int

  /// The widest reach on either side. Over it lies no use but guessing.
  public static let maximum = 100

  /// - Throws: `invalidWindow` when either side is outside 0 ... ``maximum``.
  public init(back: Int, forward: Int) throws(OTPError) {
    for (side, steps) in [("back", back), ("forward", forward)]
    where !(0...Self.maximum).contains(steps) {
      throw OTPError(
        .invalidWindow, "steps \(side) must be 0 to \(Self.maximum)")
    }
    self.back = back
    self.forward = forward
  }

  private init(_ steps: Int) {
    back = steps
    forward = steps
  }

  /// The expected step alone.
  public static let none = Window(0)

  /// One step back and one forward.
  public static let one = Window(1)

  /// The expected counter and so many after it: the window of HOTP (s in RFC 4226 section 7.2).
  /// - Throws: `invalidWindow` when `counters` is outside 0 ... ``maximum``.
  public static func lookAhead(_ counters: Int) throws(OTPError) -> Window {
    try Window(back: 0, forward: counters)
  }

  /// Number of steps in the window, unless the range of moving factors cuts it off.
  public var count: Int { back + 1 + forward }

  /// The moving factors in the window around `step`, cut off at 0 and at `UInt64.max`.
  public func steps(around step: UInt64) -> ClosedRange<UInt64> {
    let (lower, below) = step.subtractingReportingOverflow(UInt64(back))
    let (upper, above) = step.addingReportingOverflow(UInt64(forward))
    return (below ? 0 : lower)...(above ? .max : upper)
  }

  /// Steps from the expected one to another that is near it.
  static func offset(of step: UInt64, from expected: UInt64) -> Int {
    Int(Int64(bitPattern: step &- expected))
  }
}
