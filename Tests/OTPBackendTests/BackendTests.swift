import COTPGcrypt
import Foundation
import OTP
import OTPGcrypt
import OTPOpenSSL
import OTPTestSupport
import Testing

@Suite struct BackendTests {
  @Test(arguments: allBackends)
  func information(_ tested: TestedBackend) {
    let information = tested.backend.information
    #expect(information.algorithms == HashAlgorithm.allCases)
    #expect(information.library.contains { $0.isNumber })
    #expect(!information.license.isEmpty)
    #expect(!information.instructionSet.isEmpty)
  }

  @Test(arguments: allBackends)
  func emptyKeyring(_ tested: TestedBackend) throws {
    for algorithm in HashAlgorithm.allCases {
      #expect(
        try truncatedValues(tested.backend, algorithm, [], keys: [], counters: []) == [])
    }
  }

  /// Wrong arguments of the bulk call are refused, with nothing written.
  @Test(arguments: allBackends)
  func badBulkArguments(_ tested: TestedBackend) throws {
    try check(tested.backend)

    func check(_ backend: some HMACBackend) throws {
      let keyring = try backend.makeKeyring(
        [Secret(bytes: [1]), Secret(bytes: [2])], algorithm: .sha1)
      for keys in [[2], [-1], [-2], [1, -1000], [0, 1, 2], [.max], [.min], [0, .min + 1]] as [[Int]]
      {
        let counters = [UInt64](repeating: 0, count: keys.count)
        #expect(
          errorCode { try keyring.truncatedValues(keys: keys, counters: counters) }
            == .invalidArgument)
      }
      #expect(
        errorCode { try keyring.truncatedValues(keys: [0], counters: []) } == .invalidArgument)
      #expect(
        errorCode { try keyring.truncatedValues(keys: [0], counters: [1, 2]) } == .invalidArgument)
      // Without keys, no index is one.
      let empty = try backend.makeKeyring([], algorithm: .sha1)
      for index in [0, -1, .max, .min] {
        #expect(
          errorCode { try empty.truncatedValues(keys: [index], counters: [0]) } == .invalidArgument)
      }
      var output: [UInt32] = [7, 7, 7]
      #expect(
        errorCode {
          var span = output.mutableSpan
          try keyring.truncatedValues(keys: [0, 1].span, counters: [0, 1].span, into: &span)
        } == .invalidArgument)
      #expect(
        errorCode {
          var span = output.mutableSpan
          try keyring.truncatedValues(keys: [0, 1, 2].span, counters: [0, 1, 2].span, into: &span)
        } == .invalidArgument)
      #expect(output == [7, 7, 7])
    }
  }

  /// Many tasks use one backend and one keyring at once, often the same key.
  @Test(arguments: allBackends, HashAlgorithm.allCases)
  func manyTasksAtOnce(_ tested: TestedBackend, _ algorithm: HashAlgorithm) async throws {
    try await check(tested.backend)

    func check(_ backend: some HMACBackend) async throws {
      let secrets = try (0..<40).map { try Secret(bytes: [UInt8($0), 1, 2, 3]) }
      let keyring = try backend.makeKeyring(secrets, algorithm: algorithm)
      let keys = (0..<80).map { $0 % secrets.count }
      let counters = (0..<80).map { UInt64($0) }
      let expected = SwiftBackend().makeKeyring(secrets, algorithm: algorithm)
      let values = try expected.truncatedValues(keys: keys, counters: counters)
      let hotp = try HOTP(algorithm: algorithm, digits: 8)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<16 {
          group.addTask {
            for _ in 0..<10 {
              let own = try keyring.truncatedValues(keys: keys, counters: counters)
              guard own == values else { return false }
              let code = try hotp.code(for: secrets[7], counter: 7, using: backend)
              guard code == hotp.code(truncatedValue: values[7]) else { return false }
            }
            return true
          }
        }
        for try await agrees in group { #expect(agrees) }
      }
    }
  }

  /// A keyring shows how many keys it has, and no more.
  @Test(arguments: allBackends)
  func keyringsShowNothing(_ tested: TestedBackend) throws {
    let keyring: any HMACKeyring = try tested.backend.makeKeyring(
      [Secret(bytes: [1]), Secret(bytes: [2])], algorithm: .sha1)
    var dumped = ""
    dump(keyring, to: &dumped)
    #expect("\(keyring)".hasSuffix("Keyring(2 keys)"))
    #expect(String(reflecting: keyring).hasSuffix("Keyring(2 keys)"))
    #expect(dumped.split(separator: "\n").count == 1)
    #expect(Mirror(reflecting: keyring).children.isEmpty)
  }

  /// A backend of somebody else that gives a digest of the wrong length is an error and no trap.
  @Test func wrongLengthOfADigest() throws {
    let secret = try Secret(bytes: [1])
    #expect(
      errorCode { try HOTP().code(for: secret, counter: 0, using: ShortBackend()) }
        == .backendFailure)
  }

  /// A keyring outlives the backend that made it.
  @Test func keyringKeepsWhatItNeeds() throws {
    var backend: OpenSSLBackend? = try OpenSSLBackend()
    let keyring = try backend?.makeKeyring([Secret(bytes: rfc6238Key(.sha1))], algorithm: .sha1)
    backend = nil
    #expect(try keyring?.truncatedValues(keys: [0], counters: [1]) == [1_094_287_082])
  }

  /// Where no provider has what is asked for, the error says so.
  @Test func openSSLWithoutASuitableProvider() {
    let error = #expect(throws: OTPError.self) { try OpenSSLBackend(properties: "fips=yes") }
    #expect(error?.code == .backendUnavailable)
    #expect(error?.message.contains("HMAC") == true)
  }

  /// A fetch ignores a query that it cannot read; here a slip must not turn a requirement off.
  @Test(arguments: [
    "fips yes", "fips:yes", "fips==yes", "fips=yes,", "\"fips=yes\"", "fips=yes provider=fips",
    "==nonsense==", ",", "provider=default\0,fips=yes",
  ])
  func openSSLWithAMalformedQuery(query: String) {
    #expect(errorCode { try OpenSSLBackend(properties: query) } == .invalidArgument)
  }

  /// A property query that some provider satisfies is used throughout.
  @Test func openSSLWithAPropertyQuery() throws {
    let backend = try OpenSSLBackend(properties: "provider=default")
    #expect(backend.information.algorithms == HashAlgorithm.allCases)
    let secret = try Secret(bytes: rfc6238Key(.sha256))
    let code = try TOTP(algorithm: .sha256, digits: 8).code(
      for: secret, at: UnixTime(seconds: 59), using: backend)
    #expect(code.text == "46119246")
  }

  /// The query given goes before the one that is configured, also for the digest inside the HMAC.
  @Test func openSSLQueryGoesBeforeTheConfiguration() async {
    await #expect(processExitsWith: .success) {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("conf-\(UUID())")
      try Data(
        "openssl_conf = main\n[main]\nalg_section = a\n[a]\ndefault_properties = fips=yes\n".utf8
      ).write(to: path)
      setenv("OPENSSL_CONF", path.path, 1)
      defer { try? FileManager.default.removeItem(at: path) }
      guard errorCode({ try OpenSSLBackend() }) == .backendUnavailable else { exit(1) }
      for query in ["fips=no", "-fips", "provider=default,-fips"] {
        let backend = try OpenSSLBackend(properties: query)
        guard backend.information.algorithms == HashAlgorithm.allCases else { exit(2) }
        try checkOneCode(backend)
      }
    }
  }

  /// A key that the library refuses is refused when it comes, and not by the batch that needs it.
  @Test func gcryptRefusesAShortKey() async {
    await #expect(processExitsWith: .success) {
      setenv("LIBGCRYPT_FORCE_FIPS_MODE", "1", 1)
      let short = try Secret(bytes: [1, 2, 3])
      let long = try Secret(bytes: rfc6238Key(.sha256))
      for storage in [KeyStorage.prepared, .compact] {
        var keyring = try GcryptBackend(keys: storage).makeKeyring([long], algorithm: .sha256)
        guard errorCode({ try keyring.append([long, short]) }) == .backendFailure else { exit(1) }
        guard errorCode({ try keyring.replace(0, with: short) }) == .backendFailure else { exit(2) }
        guard keyring.count == 1 else { exit(3) }
        let code = try HOTP(algorithm: .sha256, digits: 8).code(
          truncatedValue: keyring.truncatedValues(keys: [0], counters: [1])[0])
        guard code.text == "46119246" else { exit(4) }
      }
    }
  }

  /// Some other part of the process initialised libgcrypt before.
  @Test func gcryptInitialisedByAnother() async {
    await #expect(processExitsWith: .success) {
      guard gcry_check_version(nil) != nil else { exit(1) }
      guard cotp_gcrypt_is_initialized() == 0 else { exit(2) }
      guard cotp_gcrypt_finish_initialization() == 0 else { exit(3) }
      try checkOneCode(GcryptBackend())
    }
  }

  /// The first uses, from many threads at once.
  @Test func gcryptInitialisedByManyThreads() async {
    await #expect(processExitsWith: .success) {
      try await withThrowingTaskGroup { group in
        for _ in 0..<16 { group.addTask { try checkOneCode(GcryptBackend()) } }
        try await group.waitForAll()
      }
      guard cotp_gcrypt_is_initialized() == 1 else { exit(1) }
    }
  }
}

/// Throws when the backend does not give the first code of RFC 4226.
private func checkOneCode(_ backend: some HMACBackend) throws {
  let secret = try Secret(bytes: rfc6238Key(.sha1))
  let code = try HOTP().code(for: secret, counter: 0, using: backend)
  guard code.text == "755224" else { throw OTPError(.backendFailure, "a wrong code") }
}

private struct ShortBackend: HMACBackend {
  var information: BackendInformation { SwiftBackend().information }

  func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] { [] }

  func makeKeyring(_ secrets: [Secret], algorithm: HashAlgorithm) -> SwiftKeyring {
    SwiftBackend().makeKeyring(secrets, algorithm: algorithm)
  }
}
