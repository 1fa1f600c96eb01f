import OTP
import OTPTestSupport
import Testing

@Suite struct SecretTests {
  private let key = Array("12345678901234567890".utf8)

  @Test func emptyKeyIsRefused() {
    #expect(errorCode { try Secret(bytes: []) } == .empty)
  }

  @Test func equality() throws {
    let secret = try Secret(bytes: key)
    #expect(try secret == Secret(base32: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
    #expect(try secret != Secret(bytes: Array(key.dropLast())))
    for index in key.indices {
      var other = key
      other[index] ^= 1
      #expect(try secret != Secret(bytes: other))
    }
    // Two spellings of one key, one of them with spare bits set.
    #expect(try Secret(base32: "MZXW6YR=") == Secret(base32: "MZXW6YQ"))
  }

  /// No way of printing a value shows a byte of the key or a digit of a code.
  @Test func nothingIsShown() throws {
    let secret = try Secret(bytes: key)
    let totp = try TOTP(digits: 8)
    let code = try totp.code(for: secret, at: UnixTime(seconds: 59))
    let uri = try OTPAuthURI(
      factor: .totp(totp), issuer: "Issuer", account: "account", secret: secret)
    for value in [secret, code, uri, [secret] as [Secret], ["k": uri]] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [String(describing: value), String(reflecting: value), "\(value)", dumped] {
        #expect(!text.contains("123"))
        #expect(!text.contains("GEZDG"))
        #expect(!text.contains("94287082"))
        #expect(!text.lowercased().contains("3132"))
        #expect(!text.contains("49, 50"))
      }
    }
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(Mirror(reflecting: code).children.isEmpty)
    #expect(Mirror(reflecting: uri).children.isEmpty)
  }

  @Test func generatedKeysHaveTheDigestsLength() {
    var generator = SeededGenerator(seed: 1)
    for algorithm in HashAlgorithm.allCases {
      let secret = Secret(generatedFor: algorithm, using: &generator)
      #expect(secret.count == algorithm.digestLength)
      #expect(secret != Secret(generatedFor: algorithm, using: &generator))
      // Each byte is drawn anew: none has the same value in all of 40 keys.
      let keys = (0..<40).map { _ in Secret(generatedFor: algorithm, using: &generator).bytes }
      for index in 0..<algorithm.digestLength { #expect(Set(keys.map { $0[index] }).count > 10) }
    }
  }

  @Test func bytesAreLent() throws {
    let secret = try Secret(bytes: key)
    #expect(secret.count == 20)
    #expect(secret.bytes == key)
  }
}
