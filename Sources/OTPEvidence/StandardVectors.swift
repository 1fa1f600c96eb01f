import OTP

/// A key, a message, and the HMAC over it.
package struct HMACVector: Sendable {
  package let id: String
  package let algorithm: HashAlgorithm
  package let key: [UInt8]
  package let message: [UInt8]
  /// The HMAC, or its first bytes where the source gives only those.
  package let mac: [UInt8]

  package init(_ id: String, _ algorithm: HashAlgorithm, key: String, message: String, mac: String)
  {
    self.id = id
    self.algorithm = algorithm
    self.key = bytes(key)
    self.message = bytes(message)
    self.mac = bytes(mac)
  }
}

/// RFC 2202 section 3.
package let rfc2202Vectors: [HMACVector] = [
  HMACVector(
    "RFC 2202 case 1", .sha1,
    key: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
    message: "4869205468657265",
    mac: "b617318655057264e28bc0b6fb378c8ef146be00"),
  HMACVector(
    "RFC 2202 case 2", .sha1,
    key: "4a656665",
    message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
    mac: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
  HMACVector(
    "RFC 2202 case 3", .sha1,
    key: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
      + "dddddddddddddddddddddddd",
    mac: "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
  HMACVector(
    "RFC 2202 case 4", .sha1,
    key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
    message:
      "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
      + "cdcdcdcdcdcdcdcdcdcdcdcd",
    mac: "4c9007f4026250c6bc8414f9bf50c86c2d7235da"),
  HMACVector(
    "RFC 2202 case 5", .sha1,
    key: "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
    message: "546573742057697468205472756e636174696f6e",
    mac: "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"),
  HMACVector(
    "RFC 2202 case 6", .sha1,
    key:
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaa",
    message:
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b657920"
      + "2d2048617368204b6579204669727374",
    mac: "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
  HMACVector(
    "RFC 2202 case 7", .sha1,
    key:
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaa",
    message:
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b657920"
      + "616e64204c6172676572205468616e204f6e6520426c6f636b2d53697a652044617461",
    mac: "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"),
]

/// RFC 4231 section 4; of case 5 only the first 128 bits are given.
package let rfc4231Vectors: [HMACVector] = [
  HMACVector(
    "RFC 4231 case 1", .sha256,
    key: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
    message: "4869205468657265",
    mac: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
  HMACVector(
    "RFC 4231 case 1", .sha512,
    key: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
    message: "4869205468657265",
    mac:
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8"
      + "a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"),
  HMACVector(
    "RFC 4231 case 2", .sha256,
    key: "4a656665",
    message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
    mac: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
  HMACVector(
    "RFC 4231 case 2", .sha512,
    key: "4a656665",
    message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
    mac:
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a"
      + "994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"),
  HMACVector(
    "RFC 4231 case 3", .sha256,
    key: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
      + "dddddddddddddddddddddddd",
    mac: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
  HMACVector(
    "RFC 4231 case 3", .sha512,
    key: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
      + "dddddddddddddddddddddddd",
    mac:
      "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a7"
      + "22c806b485a47e67c807b946a337bee8942674278859e13292fb"),
  HMACVector(
    "RFC 4231 case 4", .sha256,
    key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
    message:
      "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
      + "cdcdcdcdcdcdcdcdcdcdcdcd",
    mac: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
  HMACVector(
    "RFC 4231 case 4", .sha512,
    key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
    message:
      "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
      + "cdcdcdcdcdcdcdcdcdcdcdcd",
    mac:
      "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa2"
      + "5eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"),
  HMACVector(
    "RFC 4231 case 5", .sha256,
    key: "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
    message: "546573742057697468205472756e636174696f6e",
    mac: "a3b6167473100ee06e0c796c2955552b"),
  HMACVector(
    "RFC 4231 case 5", .sha512,
    key: "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
    message: "546573742057697468205472756e636174696f6e",
    mac: "415fad6271580a531d4179bc891d87a6"),
  HMACVector(
    "RFC 4231 case 6", .sha256,
    key:
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b657920"
      + "2d2048617368204b6579204669727374",
    mac: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
  HMACVector(
    "RFC 4231 case 6", .sha512,
    key:
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b657920"
      + "2d2048617368204b6579204669727374",
    mac:
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f"
      + "2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"),
  HMACVector(
    "RFC 4231 case 7", .sha256,
    key:
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f"
      + "636b2d73697a65206b657920616e642061206c6172676572207468616e20626c6f636b2d7369"
      + "7a6520646174612e20546865206b6579206e6565647320746f20626520686173686564206265"
      + "666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e",
    mac: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  HMACVector(
    "RFC 4231 case 7", .sha512,
    key:
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    message:
      "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f"
      + "636b2d73697a65206b657920616e642061206c6172676572207468616e20626c6f636b2d7369"
      + "7a6520646174612e20546865206b6579206e6565647320746f20626520686173686564206265"
      + "666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e",
    mac:
      "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c49"
      + "82b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58"),
]

/// A key, a counter, and the code at some number of digits.
package struct HOTPVector: Sendable {
  package let id: String
  package let algorithm: HashAlgorithm
  package let key: [UInt8]
  package let counter: UInt64
  package let code: String
  /// The value before the reduction to digits, where the source gives it.
  package let truncatedValue: UInt32?
  /// What known faults give instead.
  package let wrongCodes: [String]

  package init(
    _ id: String, _ algorithm: HashAlgorithm, key: [UInt8], _ counter: UInt64, _ code: String,
    truncatedValue: UInt32? = nil, wrongCodes: [String] = []
  ) {
    self.id = id
    self.algorithm = algorithm
    self.key = key
    self.counter = counter
    self.code = code
    self.truncatedValue = truncatedValue
    self.wrongCodes = wrongCodes
  }
}

/// A key, a time, and the eight-digit code.
package struct TOTPVector: Sendable {
  package let algorithm: HashAlgorithm
  package let key: [UInt8]
  package let time: UnixTime
  package let step: UInt64
  package let code: String

  package init(_ algorithm: HashAlgorithm, _ time: Int64, step: UInt64, _ code: String) {
    self.algorithm = algorithm
    key = rfc6238Key(algorithm)
    self.time = UnixTime(seconds: time)
    self.step = step
    self.code = code
  }
}

/// The ASCII digits 1234567890 over and over, as long as the digest (RFC 6238 errata 2866).
package func rfc6238Key(_ algorithm: HashAlgorithm) -> [UInt8] {
  (0..<algorithm.digestLength).map { UInt8(ascii: "0") + UInt8(($0 + 1) % 10) }
}

/// RFC 4226 appendix D, with seven and eight digits too.
package let rfc4226Vectors: [HOTPVector] = [
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 0, "755224"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 1, "287082"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 2, "359152"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 3, "969429"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 4, "338314"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 5, "254676"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 6, "287922"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 7, "162583"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 8, "399871"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 9, "520489"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 0, "4755224"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 1, "4287082"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 2, "7359152"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 3, "6969429"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 4, "0338314"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 5, "8254676"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 6, "8287922"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 7, "2162583"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 8, "3399871"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 9, "5520489"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 0, "84755224"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 1, "94287082"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 2, "37359152"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 3, "26969429"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 4, "40338314"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 5, "68254676"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 6, "18287922"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 7, "82162583"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 8, "73399871"),
  HOTPVector("RFC 4226", .sha1, key: rfc6238Key(.sha1), 9, "45520489"),
]

/// RFC 6238 appendix B.
package let rfc6238Vectors: [TOTPVector] = [
  TOTPVector(.sha1, 59, step: 1, "94287082"),
  TOTPVector(.sha1, 1111111109, step: 37037036, "07081804"),
  TOTPVector(.sha1, 1111111111, step: 37037037, "14050471"),
  TOTPVector(.sha1, 1234567890, step: 41152263, "89005924"),
  TOTPVector(.sha1, 2000000000, step: 66666666, "69279037"),
  TOTPVector(.sha1, 20000000000, step: 666666666, "65353130"),
  TOTPVector(.sha256, 59, step: 1, "46119246"),
  TOTPVector(.sha256, 1111111109, step: 37037036, "68084774"),
  TOTPVector(.sha256, 1111111111, step: 37037037, "67062674"),
  TOTPVector(.sha256, 1234567890, step: 41152263, "91819424"),
  TOTPVector(.sha256, 2000000000, step: 66666666, "90698825"),
  TOTPVector(.sha256, 20000000000, step: 666666666, "77737706"),
  TOTPVector(.sha512, 59, step: 1, "90693936"),
  TOTPVector(.sha512, 1111111109, step: 37037036, "25091201"),
  TOTPVector(.sha512, 1111111111, step: 37037037, "99943326"),
  TOTPVector(.sha512, 1234567890, step: 41152263, "93441116"),
  TOTPVector(.sha512, 2000000000, step: 66666666, "38618901"),
  TOTPVector(.sha512, 20000000000, step: 666666666, "47863826"),
]

/// The bytes of a hexadecimal literal.
package func bytes(_ hex: String) -> [UInt8] {
  precondition(hex.utf8.count.isMultiple(of: 2), "an odd number of hexadecimal digits")
  var digits = hex[...]
  var bytes: [UInt8] = []
  while !digits.isEmpty {
    guard let byte = UInt8(digits.prefix(2), radix: 16) else {
      preconditionFailure("not hexadecimal")
    }
    bytes.append(byte)
    digits = digits.dropFirst(2)
  }
  return bytes
}
