import OTP
import OTPTestSupport
import Testing

/// Keyrings that grow and change, against ones that were made at once.
struct KeyringChangeTests {
  private static func secret(_ number: Int) throws -> Secret {
    // Some are longer than a block.
    let length = number.isMultiple(of: 5) ? 140 : 20
    return try Secret(
      bytes: (0..<length).map { UInt8(truncatingIfNeeded: number >> 8 &+ number &* $0) } + [1])
  }

  private static func expectKeys<Keyring: HMACKeyring>(
    _ keyring: Keyring, are numbers: [Int], _ comment: Comment
  ) throws {
    let expected = SwiftBackend().makeKeyring(try numbers.map(secret), algorithm: keyring.algorithm)
    let keys = Array(numbers.indices)
    #expect(keyring.count == numbers.count, comment)
    let counters = keys.map { UInt64($0 % 7) }
    #expect(
      try keyring.truncatedValues(keys: keys, counters: counters)
        == expected.truncatedValues(keys: keys, counters: counters), comment)
  }

  /// Keys come in parts whose ends lie around the borders of chunks; copies stay as they were.
  @Test(arguments: allBackends, HashAlgorithm.allCases)
  func grows(_ tested: TestedBackend, _ algorithm: HashAlgorithm) throws {
    try check(tested.backend)

    func check(_ backend: some HMACBackend) throws {
      var keyring = try backend.makeKeyring([], algorithm: algorithm)
      var numbers: [Int] = []
      for part in [0, 1, 1, 61, 1, 1, 190, 2, 766, 1, 1030] {
        let added = Array(numbers.count..<numbers.count + part)
        let before = keyring
        try keyring.append(added.map(Self.secret))
        try Self.expectKeys(before, are: numbers, "the copy, before \(part) more")
        numbers += added
        try Self.expectKeys(keyring, are: numbers, "after \(part) more")
      }
    }
  }

  @Test(arguments: allBackends, HashAlgorithm.allCases)
  func replaces(_ tested: TestedBackend, _ algorithm: HashAlgorithm) throws {
    try check(tested.backend)

    func check(_ backend: some HMACBackend) throws {
      let numbers = Array(0..<1030)
      var keyring = try backend.makeKeyring(numbers.map(Self.secret), algorithm: algorithm)
      var replaced = numbers
      for key in [0, 63, 64, 255, 256, 1023, 1024, 1029] {
        let before = keyring
        try keyring.replace(key, with: Self.secret(5000 + key))
        try Self.expectKeys(before, are: replaced, "the copy")
        replaced[key] = 5000 + key
        try Self.expectKeys(keyring, are: replaced, "with another key \(key)")
      }
      for key in [-1, 1030, .max, .min] {
        #expect(
          throws: OTPError.self, "\(key)",
          performing: { try keyring.replace(key, with: Self.secret(1)) })
      }
      try Self.expectKeys(keyring, are: replaced, "unchanged")
    }
  }

  /// Both copies grow, each on its own.
  @Test(arguments: allBackends)
  func copiesGoTheirOwnWays(_ tested: TestedBackend) throws {
    try check(tested.backend)

    func check(_ backend: some HMACBackend) throws {
      var one = try backend.makeKeyring([Self.secret(1)], algorithm: .sha1)
      var other = one
      try one.append([Self.secret(2)])
      try other.append([Self.secret(3), Self.secret(4)])
      try Self.expectKeys(one, are: [1, 2], "one")
      try Self.expectKeys(other, are: [1, 3, 4], "the other")
    }
  }
}

/// Chunks of two keys that refuse keys of one byte.
private final class SmallChunk: KeyChunk {
  static let bits = 1

  // The tests use one thread.
  nonisolated(unsafe) private(set) var lengths: [Int] = []

  var count: Int { lengths.count }

  func append(_ secret: Secret) throws(OTPError) {
    lengths.append(try length(of: secret))
  }

  func replace(_ slot: Int, with secret: Secret) throws(OTPError) {
    lengths[slot] = try length(of: secret)
  }

  func removeLast(_ count: Int) { lengths.removeLast(count) }

  func copy() -> SmallChunk {
    let copy = SmallChunk()
    copy.lengths = lengths
    return copy
  }

  private func length(of secret: Secret) throws(OTPError) -> Int {
    guard secret.count > 1 else { throw OTPError(.backendFailure, "a short key") }
    return secret.count
  }
}

struct ChunkedKeysTests {
  /// What a refused key leaves of an append that came to it after `accepted` others.
  @Test(arguments: 0...5, 0...5)
  func refusedKeys(before: Int, accepted: Int) throws {
    func secrets(_ lengths: Range<Int>) throws -> [Secret] {
      try lengths.map { try Secret(bytes: [UInt8](repeating: 1, count: $0)) }
    }
    var keys = ChunkedKeys<SmallChunk>()
    func lengths() -> [Int] {
      (0..<keys.count).map { keys[chunkOf: $0].lengths[ChunkedKeys<SmallChunk>.slot(of: $0)] }
    }
    try keys.append(secrets(10..<10 + before)) { SmallChunk() }
    let copy = keys
    let refused = try secrets(20..<20 + accepted) + secrets(1..<2) + secrets(30..<33)
    #expect(throws: OTPError.self) { try keys.append(refused) { SmallChunk() } }
    #expect(lengths() == Array(10..<10 + before))
    try keys.append(secrets(40..<43)) { SmallChunk() }
    #expect(lengths() == Array(10..<10 + before) + [40, 41, 42])
    #expect(copy.count == before)
    if before > 0 {
      #expect(throws: OTPError.self) { try keys.replace(0, with: secrets(1..<2)[0]) }
      try keys.replace(before - 1, with: secrets(50..<51)[0])
      #expect(lengths() == Array(10..<9 + before) + [50, 40, 41, 42])
      #expect(copy[chunkOf: before - 1].lengths.last == 9 + before)
    }
  }
}
