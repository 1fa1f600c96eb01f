public import OTP

/// The name of a credential in a ledger: 1 ... 255 bytes of any value.
public struct CredentialID: Sendable {
  /// Part of an array that many ids may share.
  public let bytes: ArraySlice<UInt8>

  /// Differs from process to process.
  package let hash: UInt

  /// - Throws: `invalidArgument` unless there are 1 ... 255 bytes.
  public init(bytes: [UInt8]) throws(OTPError) {
    try self.init(bytes: bytes[...])
  }

  /// - Throws: `invalidArgument` unless there are 1 ... 255 bytes.
  public init(bytes: ArraySlice<UInt8>) throws(OTPError) {
    guard Self.lengths.contains(bytes.count) else { throw .idLength(bytes.count) }
    self.init(checked: bytes)
  }

  /// The UTF-8 of `text`.
  /// - Throws: `invalidArgument` unless there are 1 ... 255 bytes.
  public init(_ text: String) throws(OTPError) {
    try self.init(bytes: Array(text.utf8))
  }

  /// An id of as many bytes as ids have.
  init(checked bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    hash = bytes.withUnsafeBytes { credentialHash($0) }
  }

  static let lengths = 1...255
}

extension CredentialID: Hashable {
  public static func == (left: CredentialID, right: CredentialID) -> Bool {
    left.hash == right.hash && left.bytes == right.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}

extension OTPError {
  static func idLength(_ count: Int) -> OTPError {
    OTPError(.invalidArgument, "a credential id has 1 to 255 bytes, not \(count)")
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
