public import OTP

/// The name of a credential in a ledger: 1 ... 255 bytes of any value.
public struct CredentialID: Hashable, Sendable {
  public let bytes: [UInt8]

  /// - Throws: `invalidArgument` unless there are 1 ... 255 bytes.
  public init(bytes: [UInt8]) throws(OTPError) {
    guard (1...255).contains(bytes.count) else {
      throw OTPError(.invalidArgument, "a credential id has 1 to 255 bytes, not \(bytes.count)")
    }
    self.bytes = bytes
  }

  /// The UTF-8 of `text`.
  /// - Throws: `invalidArgument` unless there are 1 ... 255 bytes.
  public init(_ text: String) throws(OTPError) {
    try self.init(bytes: Array(text.utf8))
  }
}

extension CredentialID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Ids that are no text, or may be a key in the wrong place, are not shown: only how long it is.
  public var description: String { "CredentialID(\(bytes.count) bytes)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a server keeps of one user's authenticator: its name, its parameters and its key.
public struct Credential: Sendable {
  public let id: CredentialID

  /// For HOTP, `counter` is the first counter that may ever be used; the ledger keeps how far it got.
  public let factor: OTPAuthURI.Factor

  public let secret: Secret

  public init(id: CredentialID, factor: OTPAuthURI.Factor, secret: Secret) {
    self.id = id
    self.factor = factor
    self.secret = secret
  }

  public init(id: CredentialID, uri: OTPAuthURI) {
    self.init(id: id, factor: uri.factor, secret: uri.secret)
  }

  var hotp: HOTP { factor.parameters }
}
