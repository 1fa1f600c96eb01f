/// The parameters of time-based one-time passwords (RFC 6238), checked once.
public struct TOTP: Hashable, Sendable {
  /// The algorithm and the number of digits.
  public let hotp: HOTP

  /// The length of a time step in seconds, at least 1 (X in RFC 6238).
  public let period: Int64

  /// The time at which step 0 begins (T0 in RFC 6238).
  public let t0: UnixTime

  public var algorithm: HashAlgorithm { hotp.algorithm }
  public var digits: Int { hotp.digits }

  /// - Throws: `invalidDigits` when `digits` is not 6, 7 or 8; `invalidPeriod` when `period` is
  ///   below 1.
  public init(
    algorithm: HashAlgorithm = .sha1, digits: Int = 6, period: Int64 = 30,
    t0: UnixTime = UnixTime(seconds: 0)
  ) throws(OTPError) {
    hotp = try HOTP(algorithm: algorithm, digits: digits)
    guard period >= 1 else {
      throw OTPError(.invalidPeriod, "a time step must last at least 1 second")
    }
    self.period = period
    self.t0 = t0
  }

  /// The code at a moment.
  /// - Throws: `invalidTime` when `time` is before 1970 or before T0, and what the backend throws.
  public func code(
    for secret: Secret, at time: UnixTime, using backend: some HMACBackend = SwiftBackend()
  ) throws(OTPError) -> OneTimeCode {
    try hotp.code(for: secret, counter: step(at: time), using: backend)
  }

  /// The time step that a moment lies in (T in RFC 6238 section 4.2).
  /// - Throws: `invalidTime` when `time` is before 1970 or before T0.
  public func step(at time: UnixTime) throws(OTPError) -> UInt64 {
    try elapsed(at: time) / UInt64(period)
  }

  /// Seconds from `time` until the next step begins: 1 ... ``period``.
  /// - Throws: `invalidTime` when `time` is before 1970 or before T0.
  public func secondsLeft(at time: UnixTime) throws(OTPError) -> Int64 {
    period - Int64(try elapsed(at: time) % UInt64(period))
  }

  /// The first second of a step.
  /// - Throws: `invalidTime` when it lies past the last moment that ``UnixTime`` can express.
  public func firstSecond(ofStep step: UInt64) throws(OTPError) -> UnixTime {
    try second(ofStep: step, offset: 0)
  }

  /// The last second of a step: the next step begins one second later.
  /// - Throws: `invalidTime` when it lies past the last moment that ``UnixTime`` can express.
  public func lastSecond(ofStep step: UInt64) throws(OTPError) -> UnixTime {
    try second(ofStep: step, offset: UInt64(period) - 1)
  }

  /// Seconds since T0. Their number fits in 64 bits without a sign even when T0 is `Int64.min`.
  private func elapsed(at time: UnixTime) throws(OTPError) -> UInt64 {
    guard time.seconds >= 0 else {
      throw OTPError(.invalidTime, "a time before 1970 has no step")
    }
    guard time >= t0 else {
      throw OTPError(.invalidTime, "the time is before T0")
    }
    return UInt64(bitPattern: time.seconds &- t0.seconds)
  }

  private func second(ofStep step: UInt64, offset: UInt64) throws(OTPError) -> UnixTime {
    let (start, overflow) = step.multipliedReportingOverflow(by: UInt64(period))
    let (elapsed, pastEnd) = start.addingReportingOverflow(offset)
    let lastElapsed = UInt64(bitPattern: Int64.max &- t0.seconds)
    guard !overflow, !pastEnd, elapsed <= lastElapsed else {
      throw OTPError(.invalidTime, "the step ends after the last 64-bit Unix time")
    }
    return UnixTime(seconds: t0.seconds &+ Int64(bitPattern: elapsed))
  }
}
