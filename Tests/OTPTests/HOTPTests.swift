import OTP
import OTPTestSupport
import Testing

@Suite struct HOTPTests {
  @Test(arguments: rfc4226Vectors + truncationVectors)
  func code(_ vector: HOTPVector) throws {
    let hotp = try HOTP(algorithm: vector.algorithm, digits: vector.code.count)
    let code = try hotp.code(for: Secret(bytes: vector.key), counter: vector.counter)
    #expect(code.text == vector.code)
    #expect(code.digits == vector.code.count)
    #expect(!vector.wrongCodes.contains(code.text))
    if let value = vector.truncatedValue { #expect(hotp.code(truncatedValue: value) == code) }
  }

  /// The counter is 64 bits wide, big endian: each byte of it counts.
  @Test func wholeCounterCounts() throws {
    let hotp = try HOTP(digits: 8)
    let secret = try Secret(bytes: rfc6238Key(.sha1))
    let codes = try Set(
      (0..<64).map { try hotp.code(for: secret, counter: 1 << UInt64($0)).text })
    #expect(codes.count == 64)
  }

  @Test(arguments: codeTextCases)
  func typedText(_ entry: CodeTextCase) throws {
    let code = try TOTP().code(
      for: Secret(base32: "C7OKLTW6OKYTE6WMIJG54ZNPUTPUBVCU"), at: UnixTime(seconds: 1_350_000_187))
    #expect(code.text == "093255")

    let lenient = try? OneTimeCode(ignoringSeparatorsIn: entry.text, digits: 6)
    if let isCode = entry.isCode { #expect((lenient == code) == isCode) }
    #expect(lenient == nil || lenient == code)

    // The strict parser takes the six digits and nothing else.
    let strict = try? OneTimeCode(entry.text, digits: 6)
    #expect((strict == code) == (entry.text.utf8.elementsEqual("093255".utf8)))
    #expect(strict == nil || strict == code)
    if strict == nil {
      #expect(
        errorCode { try OneTimeCode(entry.text, digits: 6) }
          == .malformedCode)
    }
  }

  @Test func codesComeBackFromTheirText() throws {
    for digits in 6...8 {
      let hotp = try HOTP(digits: digits)
      for value in [0, 1, 999_999, 1_000_000, 99_999_999, 100_000_000, 0x7FFF_FFFF] as [UInt32] {
        let code = hotp.code(truncatedValue: value)
        #expect(code.text.utf8.count == digits)
        #expect(try OneTimeCode(code.text, digits: digits) == code)
        #expect(
          try OneTimeCode(ignoringSeparatorsIn: " \t" + code.text + "-\r\n", digits: digits) == code
        )
      }
    }
  }

  @Test func digitsAreNotInterchangeable() throws {
    #expect(
      errorCode { try OneTimeCode("1234567", digits: 6) }
        == .malformedCode)
    #expect(try OneTimeCode("00000000", digits: 8) != OneTimeCode("000000", digits: 6))
  }

  /// A very long text is refused without reading a number out of it.
  @Test func longText() {
    let text = String(repeating: "1", count: 1_000_000)
    #expect(errorCode { try OneTimeCode(text, digits: 6) } == .malformedCode)
  }
}
