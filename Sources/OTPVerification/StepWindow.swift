import OTP

/// The window of attempts in one time step whose credentials have the same parameters. To compute it takes longer than
/// all else that is done to look a credential up, so it is kept for the next attempt.
struct StepWindow: BitwiseCopyable {
  /// What the credential directory calls the parameters.
  private let factor: UInt32

  /// Unix seconds of the step that are times of attempts.
  private let first: Int64
  private let last: Int64

  let expected: UInt64
  let lowest: UInt64
  /// Steps after the lowest.
  let width: Int32
  let digits: UInt8
  let algorithm: UInt8
  let period: Int64

  /// Of no attempt.
  init() {
    (factor, first, last) = (0, 0, -1)
    (expected, lowest, width, digits, algorithm, period) = (0, 0, 0, 0, 0, 0)
  }

  /// - Throws: `invalidTime` when the time is in no step, or the step does not begin and end within 64 bits.
  init(_ totp: TOTP, factor: UInt32, at time: UnixTime, _ window: Window) throws(OTPError) {
    let step = try totp.step(at: time)
    let range = UnixTime.attemptRange
    first = try max(range.lowerBound, totp.firstSecond(ofStep: step).seconds)
    last = try min(range.upperBound, totp.lastSecond(ofStep: step).seconds)
    self.factor = factor
    let steps = window.steps(around: step)
    expected = step
    lowest = steps.lowerBound
    width = Int32(steps.upperBound - steps.lowerBound)
    digits = UInt8(totp.digits)
    algorithm = totp.algorithm.number
    period = totp.period
  }

  @inline(__always)
  func isOf(_ time: Int64, factor: UInt32) -> Bool {
    first <= time && time <= last && factor == self.factor
  }
}
