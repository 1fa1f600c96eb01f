import OTP
import OTPTestSupport
import OTPVerification
import Testing

@Suite struct WindowTests {
  @Test(arguments: windowCases)
  func match(_ entry: WindowCase) throws {
    let totp = try TOTP(period: entry.period)
    let keyring = SwiftBackend().makeKeyring(
      [try Secret(base32: entry.key)], algorithm: .sha1)
    let matcher = try WindowMatcher(
      keyring: keyring, hotp: totp.hotp,
      window: Window(back: entry.back, forward: entry.forward))
    let attempt = Attempt(
      key: 0, step: try totp.step(at: UnixTime(seconds: entry.time)),
      code: try OneTimeCode(entry.code, digits: 6))
    let match = try matcher.matches(for: [attempt])
    #expect(match.count == 1)
    #expect(match[0]?.step == entry.step)
    #expect(match[0]?.offset == entry.offset)
  }

  @Test(
    arguments: [
      (-1, 0), (0, -1), (.max, 0), (0, 1_000_000_000), (.min, 0), (101, 0), (0, 101),
    ] as [(Int, Int)])
  func absurdWindows(back: Int, forward: Int) {
    #expect(errorCode { try Window(back: back, forward: forward) } == .invalidWindow)
  }

  @Test func limits() throws {
    #expect(try Window(back: 100, forward: 100).count == 201)
    #expect(try Window.none == Window(back: 0, forward: 0))
    #expect(try Window.one == Window(back: 1, forward: 1))
    let window = try Window(back: 2, forward: 3)
    #expect(window.steps(around: 10) == 8...13)
    #expect(window.steps(around: 1) == 0...4)
    #expect(window.steps(around: .max - 1) == (.max - 3)...(.max))
    #expect(window.steps(around: .max) == (.max - 2)...(.max))
  }

  /// At the ends of the range of moving factors nothing wraps: the code of the far end never matches.
  @Test func endsOfTheRange() throws {
    let secret = try Secret(bytes: rfc6238Key(.sha1))
    let hotp = try HOTP(digits: 8)
    let matcher = try WindowMatcher(
      keyring: SwiftBackend().makeKeyring([secret], algorithm: .sha1), hotp: hotp,
      window: Window(back: 2, forward: 2))
    func attempt(at step: UInt64, codeOf counter: UInt64) throws -> Attempt {
      Attempt(key: 0, step: step, code: try hotp.code(for: secret, counter: counter))
    }
    let matches = try matcher.matches(for: [
      attempt(at: 0, codeOf: .max), attempt(at: .max, codeOf: 0), attempt(at: .max, codeOf: .max),
      attempt(at: .max - 1, codeOf: .max), attempt(at: 0, codeOf: 0), attempt(at: 1, codeOf: 0),
    ])
    #expect(matches.map { $0?.step } == [nil, nil, .max, .max, 0, 0])
    #expect(matches.map { $0?.offset } == [nil, nil, 0, 1, 0, -1])
  }

  /// Two neighbouring steps with the same six digits: the higher one is the match.
  @Test func highestOfTwoEqualCodes() throws {
    let secret = try Secret(base32: "BIAATEEYRVBUPAQ2MBKXL7QTVH4KFDSB")
    let matcher = try WindowMatcher(
      keyring: SwiftBackend().makeKeyring([secret], algorithm: .sha1), hotp: HOTP(), window: .one)
    let code = try OneTimeCode("373913", digits: 6)
    let matches = try matcher.matches(
      for: [58_919_801, 58_919_802].map {
        Attempt(key: 0, step: $0, code: code)
      })
    #expect(matches.map { $0?.step } == [58_919_802, 58_919_802])
    #expect(matches.map { $0?.offset } == [1, 0])
  }

  /// A batch gives what its attempts give one by one, in order, across the ends of chunks.
  @Test(arguments: [0, 1, 7, 255, 256, 257, 1000])
  func batchesAgreeWithSingleAttempts(size: Int) throws {
    var generator = SeededGenerator(for: "window batch \(size)")
    let secrets = try (0..<37).map { _ in try Secret(bytes: generator.bytes(20)) }
    let hotp = try HOTP(algorithm: .sha256)
    let matcher = try WindowMatcher(
      keyring: SwiftBackend().makeKeyring(secrets, algorithm: .sha256), hotp: hotp,
      window: Window(back: 2, forward: 1))
    var expected: [UInt64?] = []
    let attempts = try (0..<size).map { _ in
      let key = Int.random(in: secrets.indices, using: &generator)
      let step = UInt64.random(in: 100..<104, using: &generator)
      let codeStep = UInt64.random(in: 95..<110, using: &generator)
      let isInside = (step - 2...step + 1).contains(codeStep)
      expected.append(isInside ? codeStep : nil)
      return Attempt(
        key: key, step: step, code: try hotp.code(for: secrets[key], counter: codeStep))
    }
    let matches = try matcher.matches(for: attempts)
    #expect(matches == (try attempts.map { try matcher.matches(for: [$0])[0] }))
    // A code of a step outside may coincide with one inside, once in many thousands.
    let differences = zip(matches, expected).filter { $0?.step != $1 }
    #expect(differences.count <= 1)
    for (match, step) in differences { #expect(step == nil || (match?.step ?? 0) > (step ?? 0)) }
  }

  /// A keyring that prefers all steps of a key together gets them so, with the same matches: of two neighbouring
  /// steps with the same code the higher one.
  @Test func keyByKey() throws {
    var generator = SeededGenerator(for: "key by key")
    let twin = try Secret(base32: "BIAATEEYRVBUPAQ2MBKXL7QTVH4KFDSB")
    let secrets = try [twin] + (0..<400).map { _ in try Secret(bytes: generator.bytes(20)) }
    let attempts = try secrets.indices.map { key in
      let step = 58_919_801 + UInt64.random(in: 0...1, using: &generator)
      let codeStep = step - 2 + UInt64.random(in: 0...4, using: &generator)
      return Attempt(
        key: key, step: step,
        code: try key == 0
          ? OneTimeCode("373913", digits: 6)
          : HOTP().code(for: secrets[key], counter: codeStep))
    }
    let backend = KeyByKeyBackend()
    let matches = try WindowMatcher(
      keyring: backend.makeKeyring(secrets, algorithm: .sha1), hotp: HOTP(), window: .one
    ).matches(for: attempts)
    #expect(matches[0]?.step == 58_919_802)
    #expect(
      try matches
        == WindowMatcher(
          keyring: SwiftBackend().makeKeyring(secrets, algorithm: .sha1), hotp: HOTP(), window: .one
        ).matches(for: attempts))
    #expect(backend.keyChanges == attempts.count)
  }

  @Test func whatDoesNotGoTogether() throws {
    let keyring = SwiftBackend().makeKeyring([try Secret(bytes: [1])], algorithm: .sha256)
    #expect(
      errorCode { try WindowMatcher(keyring: keyring, hotp: HOTP(), window: .one) }
        == .invalidConfiguration)
    let matcher = try WindowMatcher(
      keyring: keyring, hotp: HOTP(algorithm: .sha256, digits: 8), window: .one)
    let short = Attempt(
      key: 0, step: 1,
      code: try HOTP(algorithm: .sha256, digits: 6).code(for: Secret(bytes: [1]), counter: 1))
    #expect(try matcher.matches(for: [short]) == [nil])
    // Nor does a code of eight digits with the six-digit value, or the other way round.
    let six = try WindowMatcher(
      keyring: keyring, hotp: HOTP(algorithm: .sha256, digits: 6), window: .one)
    let value = try HOTP(algorithm: .sha256).code(for: Secret(bytes: [1]), counter: 1)
    let padded = Attempt(key: 0, step: 1, code: try OneTimeCode("00" + value.text, digits: 8))
    #expect(try six.matches(for: [padded]) == [nil])
    let unknown = Attempt(key: 1, step: 1, code: try OneTimeCode("12345678", digits: 8))
    #expect(errorCode { try matcher.matches(for: [unknown]) } == .invalidArgument)
  }
}
