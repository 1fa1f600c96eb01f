/// The one error of this package: a stable code, what was wrong, and where.
///
/// A message holds fixed text and counts. It never holds a key, a URI, a one-time code, any part of a text
/// that was parsed, or a number that a caller may have taken for another (a code for a number of digits).
public struct OTPError: Error, Hashable, Sendable {
  /// What kind of fault it is. Compare this, not the message.
  public let code: Code

  /// One line for a person. Its wording may change between releases.
  public let message: String

  /// Where the fault is: an offset in bytes from the start of the text's UTF-8, if the fault lies
  /// at a place in a text.
  public let position: Int?

  /// The fault below this one: an `invalidSecret` in a URI has the fault of its Base32 text.
  public let cause: Code?

  public init(_ code: Code, _ message: String, position: Int? = nil, cause: Code? = nil) {
    self.code = code
    self.message = message
    self.position = position
    self.cause = cause
  }

  /// The kind of an error. Codes are only ever added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name, for programs in other languages.
    public let description: String

    package init(_ name: String) { description = name }
  }
}

extension OTPError: CustomStringConvertible {
  public var description: String {
    var text = "\(code): \(message)"
    if let cause { text += " (\(cause))" }
    if let position { text += " at byte \(position)" }
    return text
  }
}

extension OTPError.Code {
  // MARK: Texts

  /// A character outside the text's alphabet.
  public static let invalidCharacter = Self("invalidCharacter")
  /// A number of characters that no whole number of bytes is written with.
  public static let invalidLength = Self("invalidLength")
  /// Padding that is missing, misplaced, too short or too long.
  public static let invalidPadding = Self("invalidPadding")
  /// Spare bits of the last character that are not zero (RFC 4648 section 3.5).
  public static let nonCanonical = Self("nonCanonical")
  /// Nothing where a key is needed.
  public static let empty = Self("empty")
  /// A one-time code that is not exactly the right number of ASCII digits.
  public static let malformedCode = Self("malformedCode")

  // MARK: Parameters

  /// A hash algorithm that is unknown, or that the backend's library lacks.
  public static let unsupportedAlgorithm = Self("unsupportedAlgorithm")
  /// A number of digits other than 6, 7 or 8.
  public static let invalidDigits = Self("invalidDigits")
  /// A step length below one second.
  public static let invalidPeriod = Self("invalidPeriod")
  /// A time before 1970 or before T0, or one whose step cannot be expressed.
  public static let invalidTime = Self("invalidTime")
  /// A moving factor outside 0 ... UInt64.max.
  public static let invalidCounter = Self("invalidCounter")
  /// A window that is negative or absurdly wide.
  public static let invalidWindow = Self("invalidWindow")
  /// Parameters that do not go together.
  public static let invalidConfiguration = Self("invalidConfiguration")
  /// An argument outside its documented range.
  public static let invalidArgument = Self("invalidArgument")

  // MARK: otpauth URIs

  /// Not a URI of the expected form.
  public static let invalidURI = Self("invalidURI")
  /// A scheme other than `otpauth`.
  public static let invalidScheme = Self("invalidScheme")
  /// A type other than `totp` or `hotp`.
  public static let invalidType = Self("invalidType")
  /// No account name.
  public static let missingLabel = Self("missingLabel")
  /// An account name that a URI cannot carry.
  public static let invalidLabel = Self("invalidLabel")
  /// An issuer that a URI cannot carry.
  public static let invalidIssuer = Self("invalidIssuer")
  /// No `secret` parameter, or an empty one.
  public static let missingSecret = Self("missingSecret")
  /// A secret that cannot be decoded; ``OTPError/cause`` says why.
  public static let invalidSecret = Self("invalidSecret")
  /// An `algorithm` parameter that names no supported hash.
  public static let invalidAlgorithm = Self("invalidAlgorithm")
  /// No `counter` in a `hotp` URI.
  public static let missingCounter = Self("missingCounter")

  // MARK: Backends

  /// A backend that cannot be used at all in this process.
  public static let backendUnavailable = Self("backendUnavailable")
  /// A call of the backend's library that failed.
  public static let backendFailure = Self("backendFailure")
}
