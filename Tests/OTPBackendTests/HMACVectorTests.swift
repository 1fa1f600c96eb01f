import OTP
import OTPTestSupport
import Testing

/// The published vectors, on each backend.
@Suite struct HMACVectorTests {
  @Test(arguments: allBackends, rfc2202Vectors + rfc4231Vectors + keySizeVectors)
  func oneMessage(_ tested: TestedBackend, _ vector: HMACVector) throws {
    let mac = try tested.backend.authenticationCode(
      for: vector.message, key: vector.key, algorithm: vector.algorithm)
    #expect(mac.count == vector.algorithm.digestLength)
    #expect(Array(mac.prefix(vector.mac.count)) == vector.mac)
  }

  @Test(arguments: allBackends)
  func codesOfKeysAroundTheBlockSize(_ tested: TestedBackend) throws {
    for (vector, code) in zip(keySizeVectors, keySizeCodes) {
      let hotp = try HOTP(algorithm: vector.algorithm)
      let secret = try Secret(bytes: vector.key)
      let counter = vector.message.reduce(0) { $0 << 8 | UInt64($1) }
      #expect(try hotp.code(for: secret, counter: counter, using: tested.backend).text == code)
      #expect(try bulkValue(tested.backend, hotp, secret, counter).text == code)
    }
    #expect(keySizeVectors.count == keySizeCodes.count)
  }

  @Test(arguments: allBackends, rfc4226Vectors + truncationVectors)
  func counterBasedCodes(_ tested: TestedBackend, _ vector: HOTPVector) throws {
    let hotp = try HOTP(algorithm: vector.algorithm, digits: vector.code.count)
    let secret = try Secret(bytes: vector.key)
    let code = try hotp.code(for: secret, counter: vector.counter, using: tested.backend)
    #expect(code.text == vector.code)
    #expect(try bulkValue(tested.backend, hotp, secret, vector.counter).text == vector.code)
  }

  @Test(arguments: allBackends, rfc6238Vectors)
  func timeBasedCodes(_ tested: TestedBackend, _ vector: TOTPVector) throws {
    let totp = try TOTP(algorithm: vector.algorithm, digits: 8)
    let secret = try Secret(bytes: vector.key)
    #expect(try totp.code(for: secret, at: vector.time, using: tested.backend).text == vector.code)
    #expect(try bulkValue(tested.backend, totp.hotp, secret, vector.step).text == vector.code)
  }

  private func bulkValue(
    _ backend: some HMACBackend, _ hotp: HOTP, _ secret: Secret, _ counter: UInt64
  ) throws -> OneTimeCode {
    let keyring = try backend.makeKeyring([secret], algorithm: hotp.algorithm)
    return hotp.code(
      truncatedValue: try keyring.truncatedValues(keys: [0], counters: [counter])[0])
  }
}
