import OTP
import OTPTestSupport
import Testing

@Suite struct Base32Tests {
  @Test(arguments: base32Cases)
  func key(_ entry: Base32Case) {
    do throws(OTPError) {
      let secret = try Secret(base32: entry.text, mode: entry.mode)
      #expect(entry.hex.map(OTPTestSupport.bytes) == secret.bytes)
      let decoded = try Base32.decode(entry.text, mode: entry.mode)
      #expect(decoded == secret.bytes)
    } catch {
      #expect(entry.errors.contains(error.code))
      #expect(!error.description.contains("JBSW"))
      #expect(error.message.allSatisfy { $0.isLetter || $0.isNumber || " '".contains($0) })
    }
  }

  @Test(arguments: base32CodeCases)
  func code(id: String, text: String, time: Int64, code: String) throws {
    let secret = try Secret(base32: text)
    #expect(try TOTP().code(for: secret, at: UnixTime(seconds: time)).text == code)
  }

  @Test(arguments: base32EncodeCases)
  func encode(hex: String, padding: Bool, text: String) throws {
    #expect(Base32.encode(bytes(hex), padding: padding) == text)
    if padding || hex.count.isMultiple(of: 10) {
      #expect(try Base32.decode(text, mode: .strict) == bytes(hex))
    }
    #expect(try Base32.decode(text, mode: .lenient) == bytes(hex))
  }

  @Test func everyLengthComesBack() throws {
    var generator = SeededGenerator(for: "Base32")
    for length in 0...70 {
      let original = generator.bytes(length)
      let text = Base32.encode(original, padding: true)
      #expect(text.count.isMultiple(of: 8))
      #expect(try Base32.decode(text, mode: .strict) == original)
      let typed = Base32.encode(original).lowercased().map { "\($0)- \t\r\n" }.joined()
      #expect(try Base32.decode(typed, mode: .lenient) == original)
    }
  }

  /// Each error tells where: an offset in the UTF-8, with what was left out counted.
  @Test(arguments: [
    ("JB SW0", Base32.Mode.lenient, OTPError.Code.invalidCharacter, 5),
    ("é", .lenient, .invalidCharacter, 0),
    ("JBé", .lenient, .invalidCharacter, 2),
    ("jb", .strict, .invalidCharacter, 0),
    ("JB SW", .strict, .invalidCharacter, 2),
    ("MZ==W6==", .lenient, .invalidPadding, 2),
    ("MZXW6=", .strict, .invalidPadding, 5),
    ("MZXW6", .strict, .invalidPadding, 5),
    ("ABC", .lenient, .invalidLength, 3),
    ("MZXW6YR=", .strict, .nonCanonical, 6),
    ("=", .lenient, .invalidPadding, 0),
  ])
  func position(text: String, mode: Base32.Mode, code: OTPError.Code, position: Int) {
    let error = #expect(throws: OTPError.self) { try Base32.decode(text, mode: mode) }
    #expect(error?.code == code)
    #expect(error?.position == position)
  }

  /// Every byte outside the alphabet is refused, wherever it stands; a skipped one would give another,
  /// shorter key.
  @Test func noForeignCharacterIsSkipped() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567= -\t\r\n".utf8)
    for byte in UInt8.min..<0x80 where !alphabet.contains(byte) {
      for text in [
        "JBSWY3D\(Character(Unicode.Scalar(byte)))", "\(Character(Unicode.Scalar(byte)))JBSWY3D",
      ] {
        #expect(errorCode { try Base32.decode(text, mode: .lenient) } == .invalidCharacter)
      }
    }
  }

  /// Lengths 1, 3 and 6 modulo 8 are no whole bytes, in either mode and with any padding.
  @Test(arguments: 0..<24)
  func impossibleLengths(length: Int) {
    let text = String(repeating: "A", count: length)
    let isPossible = ![1, 3, 6].contains(length % 8)
    for mode in Base32.Mode.allCases {
      let code = errorCode { try Base32.decode(text, mode: mode) }
      #expect((code != .invalidLength) == isPossible)
    }
  }

  @Test(arguments: [
    ("4865 6C6c-6F\n", "48656c6c6f" as String?, nil as OTPError.Code?),
    ("", nil, .empty), (" - ", nil, .empty), ("0", nil, .invalidLength),
    ("0x12", nil, .invalidCharacter), ("1G", nil, .invalidCharacter),
    ("١٢", nil, .invalidCharacter),
  ])
  func hexKey(text: String, hex: String?, code: OTPError.Code?) throws {
    #expect(errorCode { try Secret(hex: text) } == code)
    if let hex { #expect(try Secret(hex: text).bytes == bytes(hex)) }
  }
}
