/// Base32 (RFC 4648 section 6): the text form of keys.
public enum Base32 {
  /// How much a decoder forgives.
  public enum Mode: Sendable, CaseIterable {
    /// The alphabet in upper case, exact padding, spare bits zero: RFC 4648 to the letter.
    case strict
    /// ASCII case is ignored; space, tab, CR, LF and `-` are left out first; padding may be missing
    /// (but not wrong); spare bits are ignored. For keys that people typed or pasted.
    case lenient
  }

  /// The bytes that `text` stands for; an empty text stands for none.
  /// - Throws: `invalidCharacter`, `invalidLength`, `invalidPadding`, `nonCanonical`, with the
  ///   position in the text's UTF-8.
  public static func decode(_ text: some StringProtocol, mode: Mode) throws(OTPError) -> [UInt8] {
    let count = try decodedCount(of: text.utf8, mode: mode)
    // Without room for an element, the standard library would write a count of 0 into the storage that all
    // empty arrays share; the thread sanitizer reports that.
    if count == 0 { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      decode(text.utf8, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }

  /// The Base32 text of `bytes`, in upper case. Apps that read QR codes refuse padded keys, so there
  /// is none unless asked for.
  public static func encode(_ bytes: Span<UInt8>, padding: Bool = false) -> String {
    let digits = (bytes.count * 8 + 4) / 5
    let count = padding ? (digits + 7) / 8 * 8 : digits
    return String(unsafeUninitializedCapacity: count) { text in
      var bits: UInt32 = 0
      var bitCount = 0
      var written = 0
      for index in bytes.indices {
        bits = bits << 8 | UInt32(bytes[index])
        bitCount += 8
        while bitCount >= 5 {
          bitCount -= 5
          text[written] = character(of: bits >> UInt32(bitCount) & 31)
          written += 1
        }
      }
      if bitCount > 0 {
        text[written] = character(of: bits << UInt32(5 - bitCount) & 31)
        written += 1
      }
      text[written..<count].initialize(repeating: UInt8(ascii: "="))
      return count
    }
  }

  /// The Base32 text of `bytes`.
  public static func encode(_ bytes: [UInt8], padding: Bool = false) -> String {
    encode(bytes.span, padding: padding)
  }

  /// Checks the whole text and counts the bytes that it stands for.
  static func decodedCount(
    of text: some Sequence<UInt8>, mode: Mode
  ) throws(OTPError) -> Int {
    var digits = 0
    var lastValue: UInt8 = 0
    var padding = 0
    var paddingStart = 0
    var position = 0
    for byte in text {
      defer { position += 1 }
      if mode == .lenient, isSeparator(byte) { continue }
      if byte == UInt8(ascii: "=") {
        if padding == 0 { paddingStart = position }
        padding += 1
        continue
      }
      guard let value = value(of: byte), mode == .lenient || !isLowercase(byte) else {
        throw OTPError(
          .invalidCharacter, "not a character of the Base32 alphabet", position: position)
      }
      guard padding == 0 else {
        throw OTPError(.invalidPadding, "padding before the end", position: paddingStart)
      }
      digits += 1
      lastValue = value
    }

    // The bits of the last character that belong to no byte; more than 4 cannot come from whole
    // bytes (RFC 4648 section 6 lists the five final quanta).
    let spareBits = digits * 5 % 8
    guard spareBits < 5 else {
      throw OTPError(
        .invalidLength, "\(digits) Base32 characters are no whole number of bytes",
        position: position)
    }
    let exactPadding = (8 - digits % 8) % 8
    guard padding == exactPadding || mode == .lenient && padding == 0 else {
      throw OTPError(
        .invalidPadding, "\(padding) padding characters where \(exactPadding) belong",
        position: padding == 0 ? position : paddingStart)
    }
    guard mode == .lenient || lastValue & (1 << UInt8(spareBits) - 1) == 0 else {
      throw OTPError(
        .nonCanonical, "spare bits of the last character are not zero",
        position: position - padding - 1)
    }
    return digits * 5 / 8
  }

  /// Decodes a text that ``decodedCount(of:mode:)`` passed, into as many bytes as that returned.
  static func decode(_ text: some Sequence<UInt8>, into bytes: UnsafeMutableRawBufferPointer) {
    var bits: UInt32 = 0
    var bitCount = 0
    var written = 0
    for byte in text {
      guard let value = value(of: byte) else { continue }
      bits = bits << 5 | UInt32(value)
      bitCount += 5
      if bitCount >= 8 {
        bitCount -= 8
        bytes[written] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
        written += 1
      }
    }
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
    case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
    default: nil
    }
  }

  private static func character(of value: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value)
    return value < 26 ? UInt8(ascii: "A") + value : UInt8(ascii: "2") + value - 26
  }

  private static func isLowercase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}

/// What people put between the groups of a key or a code: space, tab, CR, LF and hyphen.
func isSeparator(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
    UInt8(ascii: "-"):
    true
  default: false
  }
}
