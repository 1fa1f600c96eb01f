public import OTP
public import OTPVerification

/// Runs all checks against a backend and a ledger. It needs no network of its own, and a second at most.
///
/// - Parameters:
///   - kernels: what the report says of the kernels in use, where the backend has several: a line for each.
///   - ledger: the ledger; the checks leave the states of some forty credentials with random ids in it.
///   - ledgerName: what the report calls it.
///   - time: when the checks are run; it is recorded, and the checks do not depend on it.
public func collectEvidence(
  backend: some HMACBackend, kernels: [String] = [], ledger: any Ledger, ledgerName: String,
  at time: UnixTime
) async -> EvidenceReport {
  var report = EvidenceReport(
    backend: backend.information, kernels: kernels, ledger: ledgerName, time: time)
  await checkStandardVectors(backend, &report)
  await checkRefusedParameters(&report)
  await checkRefusedReplays(backend, ledger, &report)
  return report
}

// MARK: Standard vectors

private func checkStandardVectors(
  _ backend: some HMACBackend, _ report: inout EvidenceReport
) async {
  for vector in rfc2202Vectors + rfc4231Vectors {
    await report.check(.standardVectors, "\(vector.id), HMAC-\(vector.algorithm.name)") {
      let mac = try backend.authenticationCode(
        for: vector.message, key: vector.key, algorithm: vector.algorithm)
      return mac.starts(with: vector.mac) ? nil : "another digest"
    }
  }
  for vector in rfc4226Vectors {
    let name = "\(vector.id) appendix D, counter \(vector.counter), \(vector.code.count) digits"
    await report.check(.standardVectors, name) {
      let hotp = try HOTP(algorithm: vector.algorithm, digits: vector.code.count)
      return try codes(backend, hotp, vector.key, vector.counter).allSatisfy { $0 == vector.code }
        ? nil : "another code"
    }
  }
  for vector in rfc6238Vectors {
    let name = "RFC 6238 appendix B, \(vector.algorithm.name), time \(vector.time.seconds)"
    await report.check(.standardVectors, name) {
      let totp = try TOTP(algorithm: vector.algorithm, digits: 8)
      let step = try totp.step(at: vector.time)
      guard step == vector.step else { return "another step" }
      return try codes(backend, totp.hotp, vector.key, step).allSatisfy { $0 == vector.code }
        ? nil : "another code"
    }
  }
}

/// The code of a key as a single one, and in bulk.
private func codes(
  _ backend: some HMACBackend, _ hotp: HOTP, _ key: [UInt8], _ counter: UInt64
) throws -> [String] {
  let secret = try Secret(bytes: key)
  let keyring = try backend.makeKeyring([secret], algorithm: hotp.algorithm)
  let values = try keyring.truncatedValues(
    keys: [Int](repeating: 0, count: 9), counters: [UInt64](repeating: counter, count: 9))
  return [try hotp.code(for: secret, counter: counter, using: backend).text]
    + values.map { hotp.code(truncatedValue: $0).text }
}

// MARK: Refused parameters

private func checkRefusedParameters(_ report: inout EvidenceReport) async {
  func refuses(_ name: String, _ code: OTPError.Code, _ body: () throws -> Void) async {
    await report.check(.refusedParameters, name) {
      do {
        try body()
        return "accepted"
      } catch {
        let found = (error as? OTPError)?.code
        return found == code ? nil : "refused as \(found?.description ?? "something else")"
      }
    }
  }
  func uri(_ query: String) -> String { "otpauth://totp/account?secret=GEZDGNBV&\(query)" }

  await refuses("an empty key", .empty) { _ = try Secret(bytes: []) }
  await refuses("an empty Base32 key", .empty) { _ = try Secret(base32: " - ") }
  await refuses("a foreign character in a Base32 key", .invalidCharacter) {
    _ = try Secret(base32: "GEZDGNB1")
  }
  await refuses("a Base32 key of no whole bytes", .invalidLength) {
    _ = try Secret(base32: "GEZDGN")
  }
  for digits in [Int.min, -6, 0, 5, 9, 10, .max] {
    await refuses("\(digits) digits", .invalidDigits) { _ = try HOTP(digits: digits) }
  }
  for period in [Int64.min, -30, 0] {
    await refuses("a step of \(period) seconds", .invalidPeriod) { _ = try TOTP(period: period) }
  }
  for seconds in [Int64.min, -30, -1] {
    await refuses("the time \(seconds)", .invalidTime) {
      _ = try TOTP().step(at: UnixTime(seconds: seconds))
    }
  }
  await refuses("a time before T0", .invalidTime) {
    _ = try TOTP(t0: UnixTime(seconds: 60)).step(at: UnixTime(seconds: 59))
  }
  await refuses("an unknown algorithm", .unsupportedAlgorithm) {
    _ = try HashAlgorithm(name: "MD5")
  }
  for (back, forward) in [(-1, 0), (0, -1), (Int.max, 0), (0, 1_000_000_000)] {
    await refuses("a window of \(back) back and \(forward) forward", .invalidWindow) {
      _ = try Window(back: back, forward: forward)
    }
  }
  await refuses("a throttle without a limit", .invalidThrottle) {
    _ = try Throttle.lockout(after: 101, seconds: 1)
  }
  for (name, text) in [
    ("a code with a sign", "+23456"), ("a code of other digits", "１２３４５６"),
    ("a short code", "12345"),
    ("a long code", "1234567"), ("a code with a zero byte", "12345\0"),
  ] {
    await refuses(name, .malformedCode) {
      _ = try OneTimeCode(ignoringSeparatorsIn: text, digits: 6)
    }
  }
  for (name, query, code) in [
    ("a URI with an unknown algorithm", "algorithm=MD5", OTPError.Code.invalidAlgorithm),
    ("a URI with 9 digits", "digits=9", .invalidDigits),
    ("a URI with a signed number", "digits=%2B6", .invalidDigits),
    ("a URI with a period of 0", "period=0", .invalidPeriod),
    ("a URI with a parameter twice", "digits=6&digits=8", .invalidURI),
    ("a URI with escaped ampersands", "amp;digits=8", .invalidURI),
  ] {
    await refuses(name, code) { _ = try OTPAuthURI(uri(query)) }
  }
  await refuses("a URI without a key", .missingSecret) {
    _ = try OTPAuthURI("otpauth://totp/account")
  }
  await refuses("a hotp URI without a counter", .missingCounter) {
    _ = try OTPAuthURI("otpauth://hotp/account?secret=GEZDGNBV")
  }
}
