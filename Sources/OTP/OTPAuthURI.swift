/// An otpauth URI: what a QR code hands to an authenticator app ("Key URI Format" of
/// google-authenticator, with the choices below where implementations differ).
///
/// A value can always be written, and `OTPAuthURI(uri.text) == uri` for each.
/// It holds the secret, so it shows nothing but its type in descriptions and mirrors.
public struct OTPAuthURI: Sendable, Equatable {
  /// The type of the credential with its parameters.
  public enum Factor: Hashable, Sendable {
    case totp(TOTP)
    /// `counter` is the next moving factor.
    case hotp(HOTP, counter: UInt64)

    /// The algorithm and the number of digits.
    public var parameters: HOTP {
      switch self {
      case .totp(let totp): totp.hotp
      case .hotp(let hotp, _): hotp
      }
    }
  }

  public let factor: Factor

  /// The service, if the URI names one.
  public let issuer: String?

  /// The user's name at the service, never empty.
  public let account: String

  public let secret: Secret

  /// - Throws: `missingLabel` for an empty account; `invalidLabel` for an account with a control
  ///   character, with a leading space, or with a colon and no issuer before it; `invalidIssuer` for
  ///   an empty issuer or one with a control character; `invalidConfiguration` for a T0 other than 0.
  ///   A URI has no way to carry these.
  public init(
    factor: Factor, issuer: String?, account: String, secret: Secret
  ) throws(OTPError) {
    if case .totp(let totp) = factor, totp.t0.seconds != 0 {
      throw OTPError(.invalidConfiguration, "an otpauth URI cannot carry a T0 other than 0")
    }
    if let issuer {
      guard !issuer.isEmpty else { throw OTPError(.invalidIssuer, "the issuer is empty") }
      guard !issuer.utf8.contains(where: isControl) else {
        throw OTPError(.invalidIssuer, "the issuer has a control character")
      }
    }
    guard !account.isEmpty else { throw OTPError(.missingLabel, "there is no account name") }
    guard !account.utf8.contains(where: isControl) else {
      throw OTPError(.invalidLabel, "the account name has a control character")
    }
    guard account.utf8.first != UInt8(ascii: " ") else {
      throw OTPError(.invalidLabel, "the account name begins with a space")
    }
    guard issuer != nil || !account.utf8.contains(UInt8(ascii: ":")) else {
      throw OTPError(.invalidLabel, "an account name with a colon needs an issuer")
    }
    self.factor = factor
    self.issuer = issuer
    self.account = account
    self.secret = secret
  }

  /// The URI. The issuer stands in the label and as a parameter; each parameter is written even where
  /// it has the default value; everything but RFC 3986's unreserved characters is percent-encoded.
  public var text: String {
    let type: String
    let movement: String
    switch factor {
    case .totp(let totp): (type, movement) = ("totp", "period=\(totp.period)")
    case .hotp(_, let counter): (type, movement) = ("hotp", "counter=\(counter)")
    }
    let parameters = factor.parameters
    let label = (issuer.map { percentEncoded($0) + ":" } ?? "") + percentEncoded(account)
    let issuerParameter = issuer.map { "&issuer=" + percentEncoded($0) } ?? ""
    let key = secret.withBytes { Base32.encode($0) }
    return "otpauth://\(type)/\(label)?secret=\(key)\(issuerParameter)"
      + "&algorithm=\(parameters.algorithm.name)&digits=\(parameters.digits)&\(movement)"
  }
}

extension OTPAuthURI: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    switch factor {
    case .totp: "OTPAuthURI(totp)"
    case .hotp: "OTPAuthURI(hotp)"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A C0 control character or DEL.
func isControl(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x7F
}

private func percentEncoded(_ text: String) -> String {
  var encoded: [UInt8] = []
  encoded.reserveCapacity(text.utf8.count)
  let digits = Array("0123456789ABCDEF".utf8)
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      encoded.append(byte)
    default:
      encoded.append(UInt8(ascii: "%"))
      encoded.append(digits[Int(byte >> 4)])
      encoded.append(digits[Int(byte & 15)])
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}
