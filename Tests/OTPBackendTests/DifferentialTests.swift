import OTP
import OTPTestSupport
import Testing

/// All backends against each other, over random keys and counters.
@Suite struct DifferentialTests {
  /// Around every lane width, and a long one.
  static let batchSizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 1000]

  /// 100,000 pairs, in the bulk form and one by one.
  @Test(arguments: HashAlgorithm.allCases)
  func randomPairs(_ algorithm: HashAlgorithm) throws {
    var generator = SeededGenerator(for: "differential \(algorithm)")
    let pairCount = 100_000
    // Every key length from 1 to 200, several times.
    let secrets = try (0..<1000).map { try Secret(bytes: generator.bytes(1 + $0 % 200)) }
    let keys = (0..<pairCount).map { _ in Int.random(in: secrets.indices, using: &generator) }
    let counters = (0..<pairCount).map { _ in generator.counter() }

    let bulk = try allBackends.map { tested in
      try truncatedValues(tested.backend, algorithm, secrets, keys: keys, counters: counters)
    }
    for values in bulk.dropFirst() { #expect(values == bulk[0]) }

    let hotp = try HOTP(algorithm: algorithm, digits: 8)
    for tested in allBackends {
      var differences = 0
      for index in keys.indices {
        let code = try hotp.code(
          for: secrets[keys[index]], counter: counters[index], using: tested.backend)
        if code != hotp.code(truncatedValue: bulk[0][index]) { differences += 1 }
      }
      #expect(differences == 0, "\(tested.testDescription) alone and in bulk")
    }
  }

  /// Batches of every size, with counters all equal, all different, and equal in runs.
  @Test(arguments: HashAlgorithm.allCases, batchSizes)
  func batches(_ algorithm: HashAlgorithm, size: Int) throws {
    var generator = SeededGenerator(for: "batch \(algorithm) \(size)")
    let secrets = try (0..<200).map { try Secret(bytes: generator.bytes(1 + $0)) }
    let keys = (0..<size).map { _ in Int.random(in: secrets.indices, using: &generator) }
    let first = generator.counter()
    let counterSets: [[UInt64]] = [
      (0..<size).map { _ in first },
      (0..<size).map { _ in generator.counter() },
      (0..<size).map { first &+ UInt64($0 / 5) },
      (0..<size).map { $0 == size - 1 ? first ^ 1 : first },
    ]
    for counters in counterSets {
      let expected = try zip(keys, counters).map { key, counter in
        try HOTP(algorithm: algorithm, digits: 8).code(for: secrets[key], counter: counter)
      }
      for tested in allBackends {
        let values = try truncatedValues(
          tested.backend, algorithm, secrets, keys: keys, counters: counters)
        let codes = try values.map {
          try HOTP(algorithm: algorithm, digits: 8).code(truncatedValue: $0)
        }
        #expect(codes == expected, "\(tested.testDescription)")
      }
    }
  }

  /// Plain HMAC, with keys and messages that no credential has.
  @Test(arguments: HashAlgorithm.allCases)
  func anyKeyAndMessage(_ algorithm: HashAlgorithm) throws {
    var generator = SeededGenerator(for: "HMAC \(algorithm)")
    let lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 200, 1000]
    for keyLength in lengths {
      for messageLength in lengths {
        let key = generator.bytes(keyLength)
        let message = generator.bytes(messageLength)
        let macs = try allBackends.map {
          try $0.backend.authenticationCode(for: message, key: key, algorithm: algorithm)
        }
        for mac in macs.dropFirst() {
          #expect(mac == macs[0], "key of \(keyLength), message of \(messageLength) bytes")
        }
      }
    }
  }
}

func truncatedValues(
  _ backend: some HMACBackend, _ algorithm: HashAlgorithm, _ secrets: [Secret], keys: [Int],
  counters: [UInt64]
) throws -> [UInt32] {
  let keyring = try backend.makeKeyring(secrets, algorithm: algorithm)
  #expect(keyring.count == secrets.count)
  #expect(keyring.algorithm == algorithm)
  return try keyring.truncatedValues(keys: keys, counters: counters)
}
