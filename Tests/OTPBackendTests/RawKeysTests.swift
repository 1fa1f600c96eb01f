import OTP
import OTPTestSupport
import Testing

@Suite struct RawKeysTests {
  private func bytes(_ keys: RawKeys) throws -> [[UInt8]] {
    try (0..<keys.count).map { slot in
      try keys.withKey(slot) { key in key.indices.map { key[$0] } }
    }
  }

  /// A chunk in whatever order keys of all lengths come, change and go, against an array of arrays.
  @Test func randomChanges() throws {
    var generator = SeededGenerator(for: "raw keys")
    var keys = RawKeys()
    var expected: [[UInt8]] = []
    for round in 0..<3000 {
      let key = generator.bytes(Int.random(in: 1...200, using: &generator))
      let secret = try Secret(bytes: key)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<5 where expected.count < 1 << RawKeys.bits:
        keys.append(secret)
        expected.append(key)
      case 5 where !expected.isEmpty:
        let slot = Int.random(in: expected.indices, using: &generator)
        keys.replace(slot, with: secret)
        expected[slot] = key
      case 6:
        let removed = min(Int.random(in: 0...2, using: &generator), expected.count)
        keys.removeLast(removed)
        expected.removeLast(removed)
      case 7:
        let old = keys
        let before = expected
        keys = old.copy()
        keys.append(secret)
        #expect(try bytes(old) == before)
        keys.removeLast(1)
      default: break
      }
      if round.isMultiple(of: 50) { #expect(try bytes(keys) == expected) }
    }
    #expect(try bytes(keys) == expected)
    #expect(expected.count > 200)
  }
}
