/// The shared key of one credential: one or more raw bytes.
///
/// The bytes are held in memory that is wiped when the last copy of the value is gone, are compared
/// in constant time, and never show in a description, a debugger's summary or a mirror.
///
/// A Base32 text is not a key: it is decoded, explicitly, by ``init(base32:mode:)``.
public struct Secret: Sendable {
  private let memory: SecretMemory

  /// Number of key bytes, at least 1.
  public var count: Int { memory.count }

  /// A key of these raw bytes.
  /// - Throws: `empty`.
  public init(bytes: Span<UInt8>) throws(OTPError) {
    guard !bytes.isEmpty else { throw .emptyKey }
    memory = SecretMemory(count: bytes.count) { memory in
      bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    }
  }

  /// A key of these raw bytes. The caller's copy is the caller's to wipe.
  /// - Throws: `empty`.
  public init(bytes: [UInt8]) throws(OTPError) {
    try self.init(bytes: bytes.span)
  }

  /// The key that a Base32 text stands for (RFC 4648 section 6), lenient unless told otherwise: keys
  /// are typed by hand, printed in groups and stored without padding.
  /// - Throws: `empty`, `invalidCharacter`, `invalidLength`, `invalidPadding`, `nonCanonical`, with
  ///   the position in the text's UTF-8.
  public init(base32 text: some StringProtocol, mode: Base32.Mode = .lenient) throws(OTPError) {
    try self.init(base32Bytes: text.utf8, mode: mode)
  }

  /// The key that the UTF-8 of a Base32 text stands for.
  package init(
    base32Bytes bytes: some Sequence<UInt8>, mode: Base32.Mode = .lenient
  ) throws(OTPError) {
    let count = try Base32.decodedCount(of: bytes, mode: mode)
    guard count > 0 else { throw .emptyKey }
    memory = SecretMemory(count: count) { Base32.decode(bytes, into: $0) }
  }

  /// The key that a hexadecimal text stands for. Case, and the separators that ``Base32/Mode/lenient``
  /// ignores, do not matter.
  /// - Throws: `empty`, `invalidCharacter`, `invalidLength`.
  public init(hex text: some StringProtocol) throws(OTPError) {
    try self.init(hexBytes: text.utf8)
  }

  /// The key that the UTF-8 of a hexadecimal text stands for.
  package init(hexBytes bytes: some Sequence<UInt8>) throws(OTPError) {
    let count = try Hex.decodedCount(of: bytes)
    guard count > 0 else { throw .emptyKey }
    memory = SecretMemory(count: count) { Hex.decode(bytes, into: $0) }
  }

  /// A new random key from the system's generator, as long as the algorithm's digest: the length that RFC 4226
  /// section 4 (R6) and RFC 6238 section 5.1 recommend.
  public init(generatedFor algorithm: HashAlgorithm) {
    var generator = SystemRandomNumberGenerator()
    self.init(generatedFor: algorithm, using: &generator)
  }

  /// A new random key from a generator, which must be a cryptographic one.
  public init(
    generatedFor algorithm: HashAlgorithm, using generator: inout some RandomNumberGenerator
  ) {
    memory = SecretMemory(count: algorithm.digestLength) { memory in
      // Eight bytes at a time: the system's generator is a system call.
      var word: UInt64 = 0
      for index in memory.indices {
        if index % 8 == 0 { word = generator.next() }
        memory[index] = UInt8(truncatingIfNeeded: word)
        word >>= 8
      }
    }
  }

  /// Lends the raw bytes to `body`. A copy made there is not wiped by this type.
  public func withBytes<R: ~Copyable, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try memory.withBytes { (bytes) throws(E) -> R in try body(Span(_unsafeBytes: bytes)) }
  }
}

extension Secret: Equatable {
  /// Compares in a time that depends on the lengths alone.
  public static func == (left: Secret, right: Secret) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { left in
      right.withBytes { right in
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
      }
    }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Secret(\(count) bytes)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OTPError {
  static var emptyKey: OTPError { OTPError(.empty, "a key needs at least one byte") }
}
