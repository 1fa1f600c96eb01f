import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// What the verifier counts as a guess, and which of two equal codes it uses up.
@Suite struct CountingTests {
  private let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private let time = UnixTime(seconds: 1_700_000_000)

  private func code(_ step: Int64) throws -> String {
    try HOTP().code(for: Secret(base32: key), counter: UInt64(step)).text
  }

  private func wrongCode() throws -> String {
    let window = try (-1...1).map { try code(time.seconds / 30 + $0) }
    return try #require(["000000", "000001", "000002", "000003"].first { !window.contains($0) })
  }

  /// Texts that are no code are no guesses, however many there are.
  @Test(arguments: allLedgers)
  func malformedIsNotCounted(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(throttle: .lockout(after: 2, seconds: 60)))
    for credential in [try totpCredential(key), try hotpCredential(key, counter: 0)] {
      _ = try await verifier.verify(wrongCode(), for: credential, at: time)
      let before = try await ledger.states(of: [credential.id])
      #expect(before[0].failures == 1)
      for text in ["", "12345", "1234567", "12345x", "١٢٣٤٥٦", "-123456-7"] {
        #expect(try await verifier.verify(text, for: credential, at: time) == .malformed)
      }
      #expect(try await ledger.states(of: [credential.id]) == before)
    }
  }

  /// A used code is no guess, however often it comes.
  @Test(arguments: allLedgers)
  func replayIsNotCounted(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(throttle: .lockout(after: 2, seconds: 60)))
    let credential = try totpCredential(key)
    let step = time.seconds / 30
    #expect(
      try await verifier.verify(code(step), for: credential, at: time)
        == .accepted(step: UInt64(step), offset: 0))
    #expect(try await verifier.verify(wrongCode(), for: credential, at: time) == .mismatch)
    let before = try await ledger.states(of: [credential.id])
    for _ in 0..<5 {
      #expect(try await verifier.verify(code(step), for: credential, at: time) == .replayed)
      #expect(try await verifier.verify(code(step - 1), for: credential, at: time) == .replayed)
    }
    #expect(try await ledger.states(of: [credential.id]) == before)
  }

  /// Attempts during a lock change nothing, so that nobody can keep a user out by trying on.
  @Test(arguments: allLedgers)
  func throttledIsNotCounted(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger,
      policy: try VerificationPolicy(throttle: .lockout(after: 1, seconds: 60)))
    let credential = try totpCredential(key)
    let wrong = try wrongCode()
    #expect(try await verifier.verify(wrong, for: credential, at: time) == .mismatch)
    let before = try await ledger.states(of: [credential.id])
    let end = time.seconds + 60
    for seconds in [time.seconds, time.seconds + 30, end - 1] {
      for text in [wrong, try code(seconds / 30)] {
        let verdict = try await verifier.verify(
          text, for: credential, at: UnixTime(seconds: seconds))
        #expect(verdict == .throttled(retryAt: UnixTime(seconds: end)))
      }
    }
    #expect(try await ledger.states(of: [credential.id]) == before)
    let verdict = try await verifier.verify(
      code(end / 30), for: credential, at: UnixTime(seconds: end))
    #expect(verdict == .accepted(step: UInt64(end / 30), offset: 0))
    // After the success the lock is over at earlier times too, as for a server whose clock is late.
    let early = try await verifier.verify(wrong, for: credential, at: UnixTime(seconds: end - 1))
    #expect(early == .mismatch)
  }

  /// Two neighbouring steps have the same digits: the higher one is used up, and with it the lower one.
  @Test(arguments: allLedgers)
  func higherOfTwoEqualCodes(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let verifier = Verifier(
      backend: SwiftBackend(), ledger: ledger, policy: try VerificationPolicy(lookAhead: 2))
    let key = "BIAATEEYRVBUPAQ2MBKXL7QTVH4KFDSB"
    let lower: UInt64 = 58_919_801
    for step in [lower, lower + 1] {
      try #require(try HOTP().code(for: Secret(base32: key), counter: step).text == "373913")
    }
    let timed = try totpCredential(key)
    let counted = try hotpCredential(key, counter: lower)
    for (credential, now) in [(timed, lower), (counted, lower)] {
      let time = UnixTime(seconds: Int64(now) * 30)
      #expect(
        try await verifier.verify("373913", for: credential, at: time)
          == .accepted(step: lower + 1, offset: 1))
      #expect(try await verifier.verify("373913", for: credential, at: time) == .replayed)
      #expect(try await ledger.states(of: [credential.id])[0].lastStep == lower + 1)
    }
  }
}
