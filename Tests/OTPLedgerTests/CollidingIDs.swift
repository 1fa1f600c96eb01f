import OTP
import OTPVerification
import Testing

/// The id of these bytes and eight more. All such ids have one hash: the second factor of its product is 0.
func collidingID(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let seed = UInt64(truncatingIfNeeded: 1.hashValue) | 1
  return bytes + withUnsafeBytes(of: seed) { Array($0) }
}

@Suite struct CollidingIDTests {
  /// Where hashes are the same, each byte counts.
  @Test(arguments: 1...40) func oneOtherByte(length: Int) throws {
    let bytes = [UInt8](repeating: 0x55, count: length)
    let table = CredentialTable(backend: SwiftBackend())
    let id = try CredentialID(bytes: collidingID(bytes))
    try table.insert(
      Credential(id: id, factor: .totp(try TOTP()), secret: try Secret(bytes: [1, 2, 3])))
    #expect(table.contains(id))
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 1
      #expect(!table.contains(try CredentialID(bytes: collidingID(other))), "\(place)")
    }
  }

  /// And those that are too short to be given a hash.
  @Test(arguments: 1...8) func shortIDs(length: Int) throws {
    let table = CredentialTable(backend: SwiftBackend())
    let secret = try Secret(bytes: [1, 2, 3])
    let ids = try (0..<length).map { place in
      var bytes = [UInt8](repeating: 0x55, count: length)
      bytes[place] ^= 1
      return try CredentialID(bytes: bytes)
    }
    try table.insert(
      contentsOf: ids.dropLast().map {
        Credential(id: $0, factor: .totp(try TOTP()), secret: secret)
      })
    #expect(ids.map { table.contains($0) } == ids.indices.map { $0 < length - 1 })
  }

  /// Among so many ids some share the 32 bits of their hashes that a table keeps: seven pairs are to be expected.
  /// - Parameter start: bytes that all have in common, before the others.
  @Test(arguments: [(0, 3), (4, 3), (0, 8), (8, 4), (8, 8)])
  func manyIDs(start: Int, others: Int) throws {
    let count = 250_000
    let table = CredentialTable(backend: SwiftBackend())
    let secret = try Secret(bytes: [1])
    let factor = OTPAuthURI.Factor.totp(try TOTP())
    try table.insert(
      contentsOf: (0..<count).map { number in
        // No two are the same: the factor is odd.
        let bytes = withUnsafeBytes(of: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15).littleEndian) {
          Array($0)
        }
        return Credential(
          id: try CredentialID(
            bytes: [UInt8](repeating: 7, count: start) + bytes.prefix(others)),
          factor: factor, secret: secret)
      })
    #expect(table.count == count)
  }
}
