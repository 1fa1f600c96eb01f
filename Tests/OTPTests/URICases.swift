import OTP
import Testing

/// A URI and what must come of parsing it: one of these values, or one of these errors.
struct URICase: Sendable, CustomTestStringConvertible {
  let id: String
  let text: String
  let parsed: ParsedURI?
  let errors: [OTPError.Code]

  init(
    _ id: String, _ text: String, _ parsed: ParsedURI? = nil, errors: [OTPError.Code] = []
  ) {
    self.id = id
    self.text = text
    self.parsed = parsed
    self.errors = errors
  }

  var testDescription: String { id }
}

/// The fields of a URI, with the parameters that a case leaves out at their defaults.
struct ParsedURI: Equatable, Sendable {
  var type = "totp"
  var issuer: String?
  var account: String
  var keyHex = "48656c6c6f21deadbeef"
  var algorithm = HashAlgorithm.sha1
  var digits = 6
  var period: Int64? = 30
  var counter: UInt64?

  static func totp(
    _ issuer: String?, _ account: String, _ algorithm: HashAlgorithm = .sha1, digits: Int = 6,
    period: Int64 = 30
  ) -> ParsedURI {
    ParsedURI(
      issuer: issuer, account: account, algorithm: algorithm, digits: digits, period: period)
  }

  static func hotp(
    _ issuer: String?, _ account: String, counter: UInt64
  ) -> ParsedURI {
    ParsedURI(type: "hotp", issuer: issuer, account: account, period: nil, counter: counter)
  }
}

let uriCases: [URICase] = [
  URICase(
    "uri-label-colon/0", "otpauth://totp/foo:bar?issuer=foo&secret=JBSWY3DPEHPK3PXP",
    .totp("foo", "bar")),
  URICase(
    "uri-label-colon/1", "otpauth://totp/foo%3abar?issuer=foo&secret=JBSWY3DPEHPK3PXP",
    .totp("foo", "bar")),
  URICase(
    "uri-label-colon/2", "otpauth://totp/foo%3Abar?secret=JBSWY3DPEHPK3PXP", .totp("foo", "bar")),
  URICase(
    "uri-label-colon/3",
    "otpauth://totp/Big%20Corporation%3A%20ann%40bigco.example?secret=JBSWY3DPEHPK3PXP",
    .totp("Big Corporation", "ann@bigco.example")),
  URICase(
    "uri-label-colon/4", "otpauth://totp/Provider1:%20%20Ann%20Example?secret=JBSWY3DPEHPK3PXP",
    .totp("Provider1", "Ann Example")),
  URICase(
    "uri-label-colon/5",
    "otpauth://totp/Text%3A%20More%20Text:Ann?secret=JBSWY3DPEHPK3PXP&issuer=Text%3A%20More%20Text",
    .totp("Text: More Text", "Ann")),
  URICase(
    "uri-label-colon/6",
    "otpauth://totp/Test%3A%20Foo%3AAnn?secret=JBSWY3DPEHPK3PXP&issuer=Test%3A%20Foo",
    .totp("Test: Foo", "Ann")),
  URICase(
    "uri-label-colon/7",
    "otpauth://totp/%E5%96%B5%20Club%20%28https://git.example.com%29:ann?secret=JBSWY3DPEHPK3PXP&issuer=%E5%96%B5%20Club%20%28https%3A%2F%2Fgit.example.com%29",
    .totp("\u{55B5} Club (https://git.example.com)", "ann")),
  URICase(
    "uri-label-colon/8", "otpauth://totp/ann%40example.com?secret=JBSWY3DPEHPK3PXP",
    .totp(nil, "ann@example.com")),
  URICase(
    "uri-label-colon/9", "otpauth://totp/ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Example",
    .totp("Example", "ann@example.com")),
  URICase(
    "uri-label-colon/10", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&issuer=",
    .totp("Example", "ann")),
  URICase(
    "uri-label-colon/11", "otpauth://totp/BestService?secret=JBSWY3DPEHPK3PXP",
    .totp(nil, "BestService")),
  URICase(
    "uri-issuer-mismatch/0",
    "otpauth://totp/Contoso%3aann%40contoso.example?secret=JBSWY3DPEHPK3PXP&issuer=Microsoft",
    .totp("Microsoft", "ann@contoso.example")),
  URICase(
    "uri-issuer-mismatch/1", "otpauth://totp/example:ann?secret=JBSWY3DPEHPK3PXP&issuer=Example",
    .totp("Example", "ann")),
  URICase(
    "uri-scheme-and-type-case/0", "OTPAUTH://TOTP/Example:ann?secret=JBSWY3DPEHPK3PXP",
    .totp("Example", "ann")),
  URICase(
    "uri-scheme-and-type-case/1", "otpauth://Hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=3",
    .hotp("Example", "ann", counter: 3)),
  URICase(
    "uri-scheme-and-type-case/2", "otpauth://totp/Example:ann?SECRET=JBSWY3DPEHPK3PXP",
    .totp("Example", "ann"), errors: [.missingSecret]),
  URICase(
    "uri-wrong-kind/0", "otpauth-migration://offline?data=AA",
    errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-wrong-kind/1", "https://totp/Example:ann?secret=JBSWY3DPEHPK3PXP",
    errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-wrong-kind/2", "otpauth://steam/Steam:ann?secret=JBSWY3DPEHPK3PXP",
    errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-wrong-kind/3", "otpauth:///Example:ann?secret=JBSWY3DPEHPK3PXP",
    errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-wrong-kind/4", "otpauth:totp/Example:ann?secret=JBSWY3DPEHPK3PXP",
    errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase("uri-wrong-kind/5", "otpauth://", errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase("uri-wrong-kind/6", "", errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-wrong-kind/7", "JBSWY3DPEHPK3PXP", errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-wrong-kind/8", "otpauth://totp.example/Example:ann?secret=JBSWY3DPEHPK3PXP",
    errors: [.invalidScheme, .invalidType, .invalidURI]),
  URICase(
    "uri-secret-missing/0", "otpauth://totp/Example:ann?issuer=Example", errors: [.missingSecret]),
  URICase("uri-secret-missing/1", "otpauth://totp/Example:ann", errors: [.missingSecret]),
  URICase("uri-secret-missing/2", "otpauth://totp/Example:ann?", errors: [.missingSecret]),
  URICase(
    "uri-secret-missing/3", "otpauth://totp/Example:ann?secret=",
    errors: [.missingSecret, .invalidSecret]),
  URICase(
    "uri-secret-missing/4", "otpauth://totp/Example:ann?secret",
    errors: [.missingSecret, .invalidSecret]),
  URICase(
    "uri-secret-missing/5", "otpauth://totp/Example:ann?secret=%3D%3D",
    errors: [.missingSecret, .invalidSecret]),
  URICase(
    "uri-secret-missing/6", "otpauth://totp/Example:ann?secret=JBSWY3D0", errors: [.invalidSecret]),
  URICase(
    "uri-algorithm/0", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1",
    .totp("Example", "ann")),
  URICase(
    "uri-algorithm/1", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA256",
    .totp("Example", "ann", .sha256)),
  URICase(
    "uri-algorithm/2", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA512",
    .totp("Example", "ann", .sha512)),
  URICase(
    "uri-algorithm/3", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=sha256",
    .totp("Example", "ann", .sha256), errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/4", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=Sha512",
    .totp("Example", "ann", .sha512), errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/5", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA-256",
    .totp("Example", "ann", .sha256), errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/6", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=HmacSHA256",
    .totp("Example", "ann", .sha256), errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/7", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA384",
    errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/8", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=MD5",
    errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/9", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA3-256",
    errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/10", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA2",
    errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/11", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=SHA256%20",
    .totp("Example", "ann", .sha256), errors: [.invalidAlgorithm]),
  URICase(
    "uri-algorithm/12", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&algorithm=",
    .totp("Example", "ann"), errors: [.invalidAlgorithm]),
  URICase(
    "uri-digits/0", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP", .totp("Example", "ann")),
  URICase(
    "uri-digits/1", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=6",
    .totp("Example", "ann")),
  URICase(
    "uri-digits/2", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=7",
    .totp("Example", "ann", digits: 7)),
  URICase(
    "uri-digits/3", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=8",
    .totp("Example", "ann", digits: 8)),
  URICase(
    "uri-digits/4", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=0",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/5", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=-6",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/6", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=5",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/7", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=11",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/8", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=six",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/9", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=6.0",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/10", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=%2B6",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/11", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=%206",
    .totp("Example", "ann"), errors: [.invalidDigits]),
  URICase(
    "uri-digits/12", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=0x6",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/13", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=06",
    .totp("Example", "ann"), errors: [.invalidDigits]),
  URICase(
    "uri-digits/14", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=%D9%A6",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/15",
    "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=99999999999999999999",
    errors: [.invalidDigits]),
  URICase(
    "uri-digits/16", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&digits=",
    .totp("Example", "ann"), errors: [.invalidDigits]),
  URICase(
    "uri-counter/0", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP",
    .hotp("Example", "ann", counter: 0), errors: [.missingCounter]),
  URICase(
    "uri-counter/1", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=0",
    .hotp("Example", "ann", counter: 0)),
  URICase(
    "uri-counter/2", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=42",
    .hotp("Example", "ann", counter: 42)),
  URICase(
    "uri-counter/3", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=4294967296",
    .hotp("Example", "ann", counter: 4294967296)),
  URICase(
    "uri-counter/4", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=9007199254740993",
    .hotp("Example", "ann", counter: 9007199254740993)),
  URICase(
    "uri-counter/5",
    "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=18446744073709551615",
    .hotp("Example", "ann", counter: 18446744073709551615)),
  URICase(
    "uri-counter/6",
    "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=18446744073709551616",
    errors: [.invalidCounter]),
  URICase(
    "uri-counter/7", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=-1",
    errors: [.invalidCounter]),
  URICase(
    "uri-counter/8", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=1.0",
    errors: [.invalidCounter]),
  URICase(
    "uri-counter/9", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=abc",
    errors: [.invalidCounter]),
  URICase(
    "uri-counter/10", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=",
    errors: [.invalidCounter]),
  URICase(
    "uri-counter/11", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=7&period=60",
    .hotp("Example", "ann", counter: 7)),
  URICase(
    "uri-counter/12", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=7",
    .totp("Example", "ann")),
  URICase(
    "uri-counter/13", "otpauth://hotp/Example:ann?secret=JBSWY3DPEHPK3PXP&counter=7&period=0",
    .hotp("Example", "ann", counter: 7)),
  URICase(
    "uri-unknown-parameters/0", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&lock=false",
    .totp("Example", "ann")),
  URICase(
    "uri-unknown-parameters/1", "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&gauthsucks",
    .totp("Example", "ann")),
  URICase(
    "uri-unknown-parameters/2",
    "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&image=https%3A%2F%2Fcdn.example.com%2Fa.png&codeDisplay=00",
    .totp("Example", "ann")),
  URICase(
    "uri-unknown-parameters/3",
    "otpauth://totp/Example:ann?image=https://cdn.example.com/a.png&secret=JBSWY3DPEHPK3PXP",
    .totp("Example", "ann")),
  URICase(
    "uri-unknown-parameters/4", "otpauth://totp/Example:ann?&&secret=JBSWY3DPEHPK3PXP&&",
    .totp("Example", "ann")),
  URICase(
    "uri-unknown-parameters/5", "otpauth://totp/Example:ann?lock=a=b=c&secret=JBSWY3DPEHPK3PXP",
    .totp("Example", "ann")),
  URICase(
    "uri-html-escaped/0",
    "otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&amp;issuer=Example&amp;digits=8&amp;period=60",
    .totp("Example", "ann", digits: 8, period: 60), errors: [.invalidURI]),
  URICase(
    "uri-empty-label/0", "otpauth://totp/?secret=JBSWY3DPEHPK3PXP", .totp(nil, ""),
    errors: [.missingLabel, .invalidURI]),
  URICase(
    "uri-empty-label/1", "otpauth://totp?secret=JBSWY3DPEHPK3PXP", .totp(nil, ""),
    errors: [.missingLabel, .invalidURI]),
  URICase(
    "uri-empty-label/2", "otpauth://totp/:ann?secret=JBSWY3DPEHPK3PXP", .totp(nil, "ann"),
    errors: [.missingLabel, .invalidURI]),
  URICase(
    "uri-empty-label/3", "otpauth://totp/Example:?secret=JBSWY3DPEHPK3PXP", .totp("Example", ""),
    errors: [.missingLabel, .invalidURI]),
]
