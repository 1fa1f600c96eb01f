public import OTP
public import Testing

/// A key, a counter, and the code at some number of digits.
public struct HOTPVector: Sendable, CustomTestStringConvertible {
  public let id: String
  public let algorithm: HashAlgorithm
  public let key: [UInt8]
  public let counter: UInt64
  public let code: String
  /// The value before the reduction to digits, where the source gives it.
  public let truncatedValue: UInt32?
  /// What known faults give instead.
  public let wrongCodes: [String]

  init(
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

  public var testDescription: String { "\(id) counter \(counter), \(code.count) digits" }
}

/// A key, a time, and the eight-digit code.
public struct TOTPVector: Sendable, CustomTestStringConvertible {
  public let algorithm: HashAlgorithm
  public let key: [UInt8]
  public let time: UnixTime
  public let step: UInt64
  public let code: String

  init(_ algorithm: HashAlgorithm, _ time: Int64, step: UInt64, _ code: String) {
    self.algorithm = algorithm
    key = rfc6238Key(algorithm)
    self.time = UnixTime(seconds: time)
    self.step = step
    self.code = code
  }

  public var testDescription: String { "RFC 6238 \(algorithm) at \(time.seconds)" }
}

/// The ASCII digits 1234567890 over and over, as long as the digest (RFC 6238 errata 2866).
public func rfc6238Key(_ algorithm: HashAlgorithm) -> [UInt8] {
  (0..<algorithm.digestLength).map { UInt8(ascii: "0") + UInt8(($0 + 1) % 10) }
}

/// RFC 4226 appendix D, with seven and eight digits too.
public let rfc4226Vectors: [HOTPVector] = [
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
public let rfc6238Vectors: [TOTPVector] = [
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

/// Offsets 0 and 15, a set top bit, leading zeros, and what a truncation from byte 19 would give.
public let truncationVectors: [HOTPVector] = {
  let sha1Key = bytes(
    "d4feb54f4a02b4af86c8771970458e03022ed11a")
  let sha256Key = bytes(
    "16ce83f1ac1e7e0c5b670fcf2fa92cd164f706e29ab476be3b0e7f463c5db3c1")
  let sha512Key = bytes(
    "d6fa32aa912f0c3bb84b268ab86feee6696cb71b1e4cef93eaacd992945122708659f2fa94ea"
      + "46c4d3b1ffd6ee04a8b0fd610eb23d45eaa1f90094251d24a77e")
  return [
    HOTPVector(
      "hmac-truncation/0", .sha1, key: sha1Key, 0, "738116",
      truncatedValue: 1747738116, wrongCodes: ["221764"]),
    HOTPVector(
      "hmac-truncation/0", .sha1, key: sha1Key, 0, "47738116",
      truncatedValue: 1747738116),
    HOTPVector(
      "hmac-truncation/1", .sha1, key: sha1Key, 14, "283099",
      truncatedValue: 14283099),
    HOTPVector(
      "hmac-truncation/1", .sha1, key: sha1Key, 14, "14283099",
      truncatedValue: 14283099),
    HOTPVector(
      "hmac-truncation/2", .sha1, key: sha1Key, 16, "417813",
      truncatedValue: 1672417813, wrongCodes: ["901461"]),
    HOTPVector(
      "hmac-truncation/2", .sha1, key: sha1Key, 16, "72417813",
      truncatedValue: 1672417813),
    HOTPVector(
      "hmac-truncation/3", .sha1, key: sha1Key, 28, "867154",
      truncatedValue: 1731867154, wrongCodes: ["350802"]),
    HOTPVector(
      "hmac-truncation/3", .sha1, key: sha1Key, 28, "31867154",
      truncatedValue: 1731867154),
    HOTPVector(
      "hmac-truncation/4", .sha1, key: sha1Key, 43, "001448",
      truncatedValue: 1332001448, wrongCodes: ["485096"]),
    HOTPVector(
      "hmac-truncation/4", .sha1, key: sha1Key, 43, "32001448",
      truncatedValue: 1332001448),
    HOTPVector(
      "hmac-truncation/5", .sha256, key: sha256Key, 0, "364401",
      truncatedValue: 104364401, wrongCodes: ["089064", "848049"]),
    HOTPVector(
      "hmac-truncation/5", .sha256, key: sha256Key, 0, "04364401",
      truncatedValue: 104364401),
    HOTPVector(
      "hmac-truncation/6", .sha256, key: sha256Key, 2, "004235",
      truncatedValue: 1697004235, wrongCodes: ["380454"]),
    HOTPVector(
      "hmac-truncation/6", .sha256, key: sha256Key, 2, "97004235",
      truncatedValue: 1697004235),
    HOTPVector(
      "hmac-truncation/7", .sha256, key: sha256Key, 13, "575091",
      truncatedValue: 583575091, wrongCodes: ["643528", "058739"]),
    HOTPVector(
      "hmac-truncation/7", .sha256, key: sha256Key, 13, "83575091",
      truncatedValue: 583575091),
    HOTPVector(
      "hmac-truncation/8", .sha256, key: sha256Key, 51, "872962",
      truncatedValue: 42872962, wrongCodes: ["426392", "356610"]),
    HOTPVector(
      "hmac-truncation/8", .sha256, key: sha256Key, 51, "42872962",
      truncatedValue: 42872962),
    HOTPVector(
      "hmac-truncation/9", .sha512, key: sha512Key, 0, "872377",
      truncatedValue: 977872377, wrongCodes: ["534799", "356025"]),
    HOTPVector(
      "hmac-truncation/9", .sha512, key: sha512Key, 0, "77872377",
      truncatedValue: 977872377),
    HOTPVector(
      "hmac-truncation/10", .sha512, key: sha512Key, 1, "507869",
      truncatedValue: 1849507869, wrongCodes: ["671933"]),
    HOTPVector(
      "hmac-truncation/10", .sha512, key: sha512Key, 1, "49507869",
      truncatedValue: 1849507869),
    HOTPVector(
      "hmac-truncation/11", .sha512, key: sha512Key, 2, "155470",
      truncatedValue: 2104155470, wrongCodes: ["279249", "639118"]),
    HOTPVector(
      "hmac-truncation/11", .sha512, key: sha512Key, 2, "04155470",
      truncatedValue: 2104155470),
    HOTPVector(
      "hmac-truncation/12", .sha512, key: sha512Key, 14, "537636",
      truncatedValue: 1537636, wrongCodes: ["783905"]),
    HOTPVector(
      "hmac-truncation/12", .sha512, key: sha512Key, 14, "01537636",
      truncatedValue: 1537636),
    HOTPVector(
      "hmac-truncation/13", .sha512, key: sha512Key, 177, "005451",
      truncatedValue: 1138005451, wrongCodes: ["513812", "489099"]),
    HOTPVector(
      "hmac-truncation/13", .sha512, key: sha512Key, 177, "38005451",
      truncatedValue: 1138005451),
    HOTPVector(
      "hmac-truncation/14", .sha512, key: sha512Key, 2373, "000006",
      truncatedValue: 244000006, wrongCodes: ["434030", "483654"]),
    HOTPVector(
      "hmac-truncation/14", .sha512, key: sha512Key, 2373, "44000006",
      truncatedValue: 244000006),
    HOTPVector("digits-7-to-10/0", .sha1, key: sha1Key, 0, "7738116"),
    HOTPVector("digits-7-to-10/1", .sha1, key: sha1Key, 14, "4283099"),
    HOTPVector("digits-7-to-10/2", .sha1, key: sha1Key, 0, "47738116"),
    HOTPVector("digits-7-to-10/3", .sha1, key: sha1Key, 14, "14283099"),
  ]
}()
