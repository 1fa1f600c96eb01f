import OTP
import OTPTestSupport
import Testing

@Suite struct TOTPTests {
  private let key: Secret
  private let secondKey: Secret

  init() throws {
    key = try Secret(bytes: Array("12345678901234567890".utf8))
    secondKey = try Secret(base32: "33TUSDEFA52K2HNBE7OPCM6IUGVD3AZN")
  }

  @Test(arguments: rfc6238Vectors)
  func rfc6238(_ vector: TOTPVector) throws {
    let totp = try TOTP(algorithm: vector.algorithm, digits: 8)
    #expect(try totp.step(at: vector.time) == vector.step)
    let code = try totp.code(for: Secret(bytes: vector.key), at: vector.time)
    #expect(code.text == vector.code)
  }

  @Test(
    arguments: [
      (0, 0, "803663"), (1, 0, "803663"), (29, 0, "803663"), (30, 1, "499928"), (31, 1, "499928"),
      (59, 1, "499928"), (60, 2, "813791"), (1_634_193_300, 54_473_110, "123343"),
      (1_634_193_330, 54_473_111, "327937"),
      // Milliseconds passed for seconds are not guessed: they are a time in the far future.
      (1_634_193_300_000, 54_473_110_000, "641024"),
    ] as [(Int64, UInt64, String)])
  func steps(time: Int64, step: UInt64, code: String) throws {
    let totp = try TOTP()
    #expect(try totp.step(at: UnixTime(seconds: time)) == step)
    #expect(try totp.code(for: secondKey, at: UnixTime(seconds: time)).text == code)
  }

  @Test func boundary() throws {
    let totp = try TOTP(digits: 8)
    #expect(try totp.step(at: UnixTime(seconds: 30)) == totp.step(at: UnixTime(seconds: 59)))
    #expect(try totp.code(for: key, at: UnixTime(seconds: 60)).text == "37359152")
  }

  @Test(arguments: [-1, -29, -30, -31, .min] as [Int64])
  func timesBefore1970(seconds: Int64) throws {
    let totp = try TOTP()
    let early = try TOTP(t0: UnixTime(seconds: .min))
    for totp in [totp, early] {
      let time = UnixTime(seconds: seconds)
      #expect(errorCode { try totp.step(at: time) } == .invalidTime)
      #expect(errorCode { try totp.code(for: key, at: time) } == .invalidTime)
      #expect(errorCode { try totp.secondsLeft(at: time) } == .invalidTime)
    }
  }

  @Test(
    arguments: [
      (1_634_193_300_000, 1_634_193_300), (1_634_193_329_999, 1_634_193_329),
      (1_634_193_330_000, 1_634_193_330), (0, 0), (999, 0), (-1, -1), (-999, -1), (-1000, -1),
      (-1001, -2), (.max, 9_223_372_036_854_775), (.min, -9_223_372_036_854_776),
    ] as [(Int64, Int64)])
  func millisecondsAreFloored(milliseconds: Int64, seconds: Int64) {
    #expect(UnixTime(milliseconds: milliseconds).seconds == seconds)
  }

  @Test(
    arguments: [
      (1_740_409_833, 1_740_409_833, 1000, 0, 1000, "803663"),
      (1_740_410_832, 1_740_409_833, 1000, 0, 1, "803663"),
      (1_740_410_833, 1_740_409_833, 1000, 1, 1000, "499928"),
      (1000, -500, 30, 50, 30, "715909"),
      (.max, -1, 30, 307_445_734_561_825_860, 22, "851810"),
      (0, .min, 30, 307_445_734_561_825_860, 22, "851810"),
    ] as [(Int64, Int64, Int64, UInt64, Int64, String)])
  func t0(time: Int64, t0: Int64, period: Int64, step: UInt64, left: Int64, code: String) throws {
    let totp = try TOTP(period: period, t0: UnixTime(seconds: t0))
    let time = UnixTime(seconds: time)
    #expect(try totp.step(at: time) == step)
    #expect(try totp.secondsLeft(at: time) == left)
    #expect(try totp.code(for: secondKey, at: time).text == code)
  }

  @Test func timeBeforeT0() throws {
    let totp = try TOTP(period: 1000, t0: UnixTime(seconds: 1_740_409_833))
    let time = UnixTime(seconds: 1_740_409_832)
    #expect(errorCode { try totp.step(at: time) } == .invalidTime)
  }

  @Test func wholeRangeOfTimesWithoutATrap() throws {
    let totp = try TOTP(period: 1, t0: UnixTime(seconds: .min))
    #expect(try totp.step(at: UnixTime(seconds: .max)) == .max)
    #expect(try totp.lastSecond(ofStep: .max) == UnixTime(seconds: .max))
    #expect(try totp.firstSecond(ofStep: 0) == UnixTime(seconds: .min))
  }

  /// The seconds of steps whose products and sums do not fit in 64 bits.
  @Test(
    arguments: [
      (3, 0, .max), (3, 0, .max / 3 + 1), (3, 0, 6_148_914_691_236_517_205), (1, 0, .max),
      (2, 0, 1 << 63),
      (.max, 0, 2), (.max, .min, 3), (1, -1, .max),
    ] as [(Int64, Int64, UInt64)])
  func stepsPastTheLastSecond(period: Int64, t0: Int64, step: UInt64) throws {
    let totp = try TOTP(period: period, t0: UnixTime(seconds: t0))
    #expect(errorCode { try totp.lastSecond(ofStep: step) } == .invalidTime)
  }

  @Test(arguments: [0, -1, -30, .min] as [Int64])
  func badPeriods(period: Int64) {
    #expect(errorCode { try TOTP(period: period) } == .invalidPeriod)
  }

  @Test func hugePeriod() throws {
    let totp = try TOTP(period: .max)
    let secret = try Secret(base32: "JBSWY3DPEHPK3PXP")
    let time = UnixTime(seconds: 1_000_000_000)
    #expect(try totp.step(at: time) == 0)
    #expect(try totp.code(for: secret, at: time).text == "282760")
    #expect(try totp.secondsLeft(at: time) == .max - 1_000_000_000)
    #expect(try totp.lastSecond(ofStep: 0) == UnixTime(seconds: .max - 1))
    #expect(errorCode { try totp.lastSecond(ofStep: 1) } == .invalidTime)
    #expect(try totp.firstSecond(ofStep: 1) == UnixTime(seconds: .max))
  }

  @Test(arguments: [0, -1, -6, 1, 5, 9, 10, 11, 20, 48, .max, .min])
  func badDigits(digits: Int) {
    #expect(errorCode { try TOTP(digits: digits) } == .invalidDigits)
    #expect(errorCode { try HOTP(digits: digits) } == .invalidDigits)
    #expect(
      errorCode { try OneTimeCode("123456", digits: digits) }
        == .invalidDigits)
  }

  @Test(arguments: ["md5", "crc32", "SHA384", "SHA2", "SHA", "", "SHA1 ", "SHA-1", "sha1\0"])
  func unknownAlgorithms(name: String) {
    #expect(errorCode { try HashAlgorithm(name: name) } == .unsupportedAlgorithm)
  }

  @Test(arguments: [("SHA1", HashAlgorithm.sha1), ("sHa256", .sha256), ("sha512", .sha512)])
  func algorithmNames(name: String, algorithm: HashAlgorithm) throws {
    #expect(try HashAlgorithm(name: name) == algorithm)
  }

  /// Seconds left, first and last second of a step agree with the step of each second.
  @Test(arguments: [(30, 0), (1, 0), (7, 3), (60, -11)] as [(Int64, Int64)])
  func countdown(period: Int64, t0: Int64) throws {
    let totp = try TOTP(period: period, t0: UnixTime(seconds: t0))
    for seconds in max(t0, 0)..<200 {
      let time = UnixTime(seconds: seconds)
      let step = try totp.step(at: time)
      #expect(try totp.firstSecond(ofStep: step) <= time)
      #expect(try totp.lastSecond(ofStep: step) >= time)
      let left = try totp.secondsLeft(at: time)
      #expect((1...period).contains(left))
      #expect(try totp.lastSecond(ofStep: step).seconds - seconds + 1 == left)
      #expect(try totp.step(at: UnixTime(seconds: seconds + left)) == step + 1)
    }
  }
}
