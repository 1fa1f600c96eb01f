/// Hexadecimal texts of keys.
enum Hex {
  /// Checks the whole text and counts the bytes that it stands for.
  static func decodedCount(of text: some Sequence<UInt8>) throws(OTPError) -> Int {
    var digits = 0
    var position = 0
    for byte in text {
      defer { position += 1 }
      if isSeparator(byte) { continue }
      guard value(of: byte) != nil else {
        throw OTPError(.invalidCharacter, "not a hexadecimal digit", position: position)
      }
      digits += 1
    }
    guard digits.isMultiple(of: 2) else {
      throw OTPError(
        .invalidLength, "\(digits) hexadecimal digits are no whole number of bytes",
        position: position)
    }
    return digits / 2
  }

  /// Decodes a text that ``decodedCount(of:)`` passed, into as many bytes as that returned.
  static func decode(_ text: some Sequence<UInt8>, into bytes: UnsafeMutableRawBufferPointer) {
    var digits = 0
    for byte in text {
      guard let value = value(of: byte) else { continue }
      bytes[digits / 2] = bytes[digits / 2] << 4 | value
      digits += 1
    }
  }

  static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
