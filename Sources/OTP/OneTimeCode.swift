/// A one-time code: exactly 6, 7 or 8 ASCII digits, leading zeros included.
///
/// The digits show in ``text`` and ``value`` alone: a description or a mirror does not have them.
public struct OneTimeCode: Hashable, Sendable {
  /// The code as a number, below 10 to the power of ``digits``.
  public let value: UInt32

  /// 6, 7 or 8.
  public let digits: Int

  /// A code from the 31 bits that dynamic truncation leaves (RFC 4226 section 5.3, step 3).
  @inlinable
  package init(truncatedValue: UInt32, digits: Int) {
    value =
      switch digits {
      case 6: truncatedValue % 1_000_000
      case 7: truncatedValue % 10_000_000
      default: truncatedValue % 100_000_000
      }
    self.digits = digits
  }

  /// The code that `text` is: exactly `digits` ASCII digits and nothing else.
  /// - Throws: `malformedCode`; `invalidDigits` when `digits` is not 6, 7 or 8.
  @inlinable
  public init(_ text: some StringProtocol, digits: Int) throws(OTPError) {
    self = try Self.parsed(text, digits: digits, ignoringSeparators: false)
  }

  /// The code that a person typed or pasted: ASCII spaces, tabs, line ends and hyphens are left out,
  /// whatever remains must be exactly `digits` ASCII digits.
  /// - Throws: `malformedCode`; `invalidDigits` when `digits` is not 6, 7 or 8.
  @inlinable
  public init(ignoringSeparatorsIn text: some StringProtocol, digits: Int) throws(OTPError) {
    self = try Self.parsed(text, digits: digits, ignoringSeparators: true)
  }

  /// The code whose text has this UTF-8, strictly or with separators left out, as above.
  /// - Throws: `malformedCode`; `invalidDigits` when `digits` is not 6, 7 or 8.
  public init(
    utf8: Span<UInt8>, digits: Int, ignoringSeparators: Bool = false
  ) throws(OTPError) {
    try HOTP.check(digits: digits)
    let (value, count) = Self.digits(in: utf8, ignoringSeparators: ignoringSeparators)
    guard count == digits else { throw .malformedCode(digits: digits) }
    self.value = value
    self.digits = digits
  }

  /// The code in a text whose number of digits is not known yet, and how many it has; 0 when the text is none.
  package static func digits(
    in utf8: Span<UInt8>, ignoringSeparators: Bool = true
  ) -> (value: UInt32, count: UInt8) {
    // The digits are read one by one, never by an integer's own parser: that would take signs.
    var value: UInt32 = 0
    var count: UInt8 = 0
    for index in utf8.indices {
      let byte = utf8[index]
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        guard count < 8 else { return (0, 0) }
        value = value &* 10 &+ UInt32(digit)
        count += 1
      } else if !(ignoringSeparators && isSeparator(byte)) {
        return (0, 0)
      }
    }
    return count < 6 ? (0, 0) : (value, count)
  }

  /// The code of these digits.
  package init(value: UInt32, digits: Int) {
    self.value = value
    self.digits = digits
  }

  // Inlinable, so that a server's parsing of millions of codes runs on concrete types.
  @inlinable
  static func parsed(
    _ text: some StringProtocol, digits: Int, ignoringSeparators: Bool
  ) throws(OTPError) -> OneTimeCode {
    func parsed(_ utf8: Span<UInt8>) -> Result<OneTimeCode, OTPError> {
      do throws(OTPError) {
        return .success(
          try OneTimeCode(utf8: utf8, digits: digits, ignoringSeparators: ignoringSeparators))
      } catch {
        return .failure(error)
      }
    }
    let result =
      text.utf8.withContiguousStorageIfAvailable { parsed(Span(_unsafeElements: $0)) }
      ?? parsed(Array(text.utf8).span)
    return try result.get()
  }

  /// The digits, with leading zeros.
  public var text: String {
    String(unsafeUninitializedCapacity: digits) { buffer in
      var rest = value
      for index in stride(from: digits - 1, through: 0, by: -1) {
        buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return digits
    }
  }
}

extension OneTimeCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "OneTimeCode(\(digits) digits)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OTPError {
  fileprivate static func malformedCode(digits: Int) -> OTPError {
    switch digits {
    case 6: OTPError(.malformedCode, "a code must be exactly 6 ASCII digits")
    case 7: OTPError(.malformedCode, "a code must be exactly 7 ASCII digits")
    default: OTPError(.malformedCode, "a code must be exactly 8 ASCII digits")
    }
  }
}
