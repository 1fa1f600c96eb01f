import OTP
import OTPTestSupport
import Testing

@Suite struct OTPAuthURITests {
  @Test(arguments: uriCases)
  func parse(_ entry: URICase) {
    do throws(OTPError) {
      let parsed = ParsedURI(try OTPAuthURI(entry.text))
      #expect(parsed == entry.parsed)
    } catch {
      #expect(entry.errors.contains(error.code), "\(error)")
      #expect(!error.description.contains("JBSW"))
    }
  }

  // What the other tables do not have.
  @Test(arguments: [
    ("otpauth://totp/a?secret=JBSWY3DP&secret=JBSWY3DP", OTPError.Code.invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&digits=6&DIGITS=8", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&counter=1&counter=1", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&issuer=a&issuer=a", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&algorithm=SHA1&algorithm=SHA1", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&period=30&period=30", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&digits=6&digits=6", .invalidURI),
    ("otpauth://totp/a?secret=AAAA&AMP;digits=8", .invalidURI),
    ("otpauth://totp/a?secret=AAAA&Amp;digits=8", .invalidURI),
    ("otpauth://totp/a?secret=AAAA&%61mp;digits=8", .invalidURI),
    ("%6ftpauth://totp/a?secret=JBSWY3DP", .invalidScheme),
    ("otpauth://t%6ftp/a?secret=JBSWY3DP", .invalidType),
    ("otpauth://totp/a\u{7F}?secret=JBSWY3DP", .invalidURI),
    ("otpauth://hotp/a?secret=JBSWY3DP&counter=07", .invalidCounter),
    ("otpauth://hotp/a?secret=JBSWY3DP&counter=00", .invalidCounter),
    ("otpauth://totp/a?secret=JBSWY3DP&issuer=%zz", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&issuer=%4", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&issuer=a%", .invalidURI),
    ("otpauth://totp/%ff?secret=JBSWY3DP", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&issuer=%C0%80", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP#digits=8", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&#38;digits=8", .invalidURI),
    ("otpauth://totp/a\n?secret=JBSWY3DP", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP\0", .invalidURI),
    ("otpauth://totp/a%00?secret=JBSWY3DP", .invalidLabel),
    ("otpauth://totp/a?secret=JBSWY3DP&issuer=%0A", .invalidIssuer),
    ("otpauth:/totp/a?secret=JBSWY3DP", .invalidURI),
    ("otpauth:", .invalidURI),
    ("otpauth", .invalidURI),
    ("otpauth://totp/a?secret=JBSWY3DP&period=0", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP&period=-30", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP&period=030", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP&period=9223372036854775808", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP&period=18446744073709551616", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP&period=1e2", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP&period", .invalidPeriod),
    ("otpauth://totp/a?secret=JBSWY3DP%2541", .invalidSecret),
  ])
  func refused(text: String, code: OTPError.Code) {
    let error = #expect(throws: OTPError.self) { try OTPAuthURI(text) }
    #expect(error?.code == code, "\(text)")
    #expect(error?.description.contains("JBSW") == false)
  }

  @Test(arguments: [
    ("otpauth://totp/a+b?secret=JBSWY3DPEHPK3PXP&issuer=c+d", ParsedURI.totp("c+d", "a+b")),
    ("otpauth://totp/a%2525?secret=JBSWY3DPEHPK3PXP", .totp(nil, "a%25")),
    ("otpauth://totp/Ré sumé:a?secret=JBSWY3DPEHPK3PXP", .totp("Ré sumé", "a")),
    ("otpauth://totp/a?secret=jbsw%20y3dp-ehpk-3pxp", .totp(nil, "a")),
    (
      "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP&period=9223372036854775807",
      .totp(nil, "a", period: .max)
    ),
    ("otpauth://totp/a?secret=JBSWY3DPEHPK3PXP&%64igits=8", .totp(nil, "a", digits: 8)),
    ("otpauth://totp/A:B:c?secret=JBSWY3DPEHPK3PXP&issuer=A", .totp("A", "B:c")),
    ("otpauth://totp/A%3AB%3Ac?secret=JBSWY3DPEHPK3PXP&issuer=A%3AB", .totp("A:B", "c")),
    (
      "OTPAUTH://TOTP/A:B?SECRET=JBSWY3DPEHPK3PXP&DIGITS=8&ALGORITHM=SHA256&PERIOD=60",
      .totp("A", "B", .sha256, digits: 8, period: 60)
    ),
  ])
  func accepted(text: String, parsed: ParsedURI) throws {
    #expect(ParsedURI(try OTPAuthURI(text)) == parsed)
  }

  /// An error tells where the faulty part begins in the URI.
  @Test(arguments: [
    ("https://totp/a", 0), ("otpauth://steam/a", 10), ("otpauth://totp/a?secret=0", 24),
    ("otpauth://totp/a?secret=AA&digits=x", 34), ("otpauth://totp/a%", 16),
    ("otpauth://totp/a?secret=AA&secret=AA", 27), ("otpauth://totp/?secret=AA", 15),
    ("otpauth://hotp/a?secret=AA", 16),
  ])
  func position(text: String, position: Int) {
    #expect(throws: OTPError.self) { try OTPAuthURI(text) }
    #expect(#expect(throws: OTPError.self) { try OTPAuthURI(text) }?.position == position)
  }

  @Test func causeOfABadSecret() {
    let error = #expect(throws: OTPError.self) {
      try OTPAuthURI("otpauth://totp/a?secret=JBSWY3D0")
    }
    #expect(error?.code == .invalidSecret)
    #expect(error?.cause == .invalidCharacter)
  }

  @Test func written() throws {
    let key = try Secret(hex: "48656c6c6f21deadbeef")
    let plain = try OTPAuthURI(
      factor: .totp(TOTP()), issuer: "Test Issuer", account: "ann example", secret: key)
    #expect(
      plain.text
        == "otpauth://totp/Test%20Issuer:ann%20example?secret=JBSWY3DPEHPK3PXP&issuer=Test%20Issuer"
        + "&algorithm=SHA1&digits=6&period=30")

    let odd = try OTPAuthURI(
      factor: .totp(TOTP(algorithm: .sha256, digits: 8, period: 60)), issuer: "Q&A #1=?/+%",
      account: "ann+otp@example.com", secret: Secret(hex: "ed93f0d77f28279d0f56df3c3b06e9a3"))
    for part in [
      "algorithm=SHA256", "digits=8", "period=60", "issuer=Q%26A%20%231%3D", "%2B",
      "secret=5WJ7BV37FATZ2D2W346DWBXJUM",
    ] { #expect(odd.text.contains(part)) }
    for part in ["+", "%3D%3D", " ", "#"] { #expect(!odd.text.contains(part)) }
    #expect(try OTPAuthURI(odd.text) == odd)

    let counted = try OTPAuthURI(
      factor: .hotp(HOTP(algorithm: .sha512, digits: 7), counter: .max), issuer: "Example",
      account: "ann", secret: key)
    #expect(counted.text.hasPrefix("otpauth://hotp/"))
    #expect(counted.text.contains("counter=18446744073709551615"))
    #expect(!counted.text.contains("period="))
    #expect(try OTPAuthURI(counted.text) == counted)

    let signs = try OTPAuthURI(
      factor: .totp(TOTP()), issuer: "\u{1F510} \u{55B5}", account: "\u{10D0}\u{10E0}", secret: key)
    #expect(signs.text.contains("%F0%9F%94%90"))
    #expect(signs.text.utf8.allSatisfy { $0 < 0x80 })
    #expect(try OTPAuthURI(signs.text) == signs)
  }

  @Test(
    arguments: [
      (nil, "", OTPError.Code.missingLabel), (nil, "a:b", .invalidLabel),
      ("i", " a", .invalidLabel),
      (nil, " a", .invalidLabel), ("i", "a\n", .invalidLabel), ("", "a", .invalidIssuer),
      ("i\u{7F}", "a", .invalidIssuer),
    ] as [(String?, String, OTPError.Code)])
  func whatNoURICarries(issuer: String?, account: String, code: OTPError.Code) throws {
    let secret = try Secret(bytes: [1])
    let factor = OTPAuthURI.Factor.totp(try TOTP())
    #expect(
      errorCode {
        try OTPAuthURI(factor: factor, issuer: issuer, account: account, secret: secret)
      } == code)
  }

  @Test func t0IsNotCarried() throws {
    let secret = try Secret(bytes: [1])
    let factor = OTPAuthURI.Factor.totp(try TOTP(t0: UnixTime(seconds: 1)))
    #expect(
      errorCode {
        try OTPAuthURI(factor: factor, issuer: nil, account: "a", secret: secret)
      } == .invalidConfiguration)
  }

  /// parse(build(x)) == x, for random values of every field.
  @Test func everyValueComesBack() throws {
    var generator = SeededGenerator(for: "otpauth round trip")
    // Scalars and not characters, so that a combining one may come first or behind a colon.
    let alphabet = Array("aZ09:/?&=#%+ @-._~\"<>\u{E9}\u{55B5}\u{1F510}\u{301}".unicodeScalars)
    func text(_ range: ClosedRange<Int>) -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: range, using: &generator) {
        if let scalar = alphabet.randomElement(using: &generator) { text.append(scalar) }
      }
      return String(text)
    }
    var built = 0
    for _ in 0..<5000 {
      let hotp = try HOTP(
        algorithm: HashAlgorithm.allCases.randomElement(using: &generator) ?? .sha1,
        digits: .random(in: 6...8, using: &generator))
      let factor: OTPAuthURI.Factor =
        Bool.random(using: &generator)
        ? .hotp(hotp, counter: generator.counter())
        : .totp(
          try TOTP(
            algorithm: hotp.algorithm, digits: hotp.digits,
            period: Int64(generator.counter() >> 1 | 1)))
      let issuer = Bool.random(using: &generator) ? text(1...8) : nil
      let secret = try Secret(bytes: generator.bytes(.random(in: 1...80, using: &generator)))
      let account = text(1...8)
      guard
        let uri = try? OTPAuthURI(factor: factor, issuer: issuer, account: account, secret: secret)
      else { continue }
      built += 1
      let parsed = try OTPAuthURI(uri.text)
      #expect(parsed == uri)
      #expect(parsed.account.utf8.elementsEqual(account.utf8))
    }
    #expect(built > 2500)
  }

  /// Whatever is done to a URI, parsing returns or throws; what it accepts can be written again.
  @Test func damagedURIsNeverTrap() throws {
    var generator = SeededGenerator(for: "damaged otpauth URIs")
    let seeds = uriCases.map { Array($0.text.utf8) }
    for _ in 0..<20_000 {
      var text = seeds.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0...text.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
        case 1: text.removeSubrange(place..<min(place + 3, text.count))
        case 2:
          text.insert(
            contentsOf: Array("%&=?:/#;".utf8).shuffled(using: &generator).prefix(2), at: place)
        default: text = Array(text.prefix(place))
        }
      }
      guard let uri = try? OTPAuthURI(String(decoding: text, as: UTF8.self)) else { continue }
      #expect(try OTPAuthURI(uri.text) == uri)
    }
  }
}

extension ParsedURI {
  init(_ uri: OTPAuthURI) {
    self.init(account: uri.account)
    issuer = uri.issuer
    keyHex = uri.secret.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let hotp: HOTP
    switch uri.factor {
    case .totp(let totp):
      hotp = totp.hotp
      period = totp.period
    case .hotp(let parameters, let next):
      hotp = parameters
      type = "hotp"
      period = nil
      counter = next
    }
    algorithm = hotp.algorithm
    digits = hotp.digits
  }
}
