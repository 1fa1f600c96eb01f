/// A way to compute HMAC (RFC 2104): in pure Swift, over a C library, or in our own kernels.
///
/// A backend is a value without mutable state; many tasks may use one at once.
public protocol HMACBackend: Sendable {
  associatedtype Keyring: HMACKeyring

  /// The backend's short name, its library and what that can do here.
  var information: BackendInformation { get }

  /// The HMAC of one message under one key.
  /// - Parameters:
  ///   - message: any number of bytes, none included.
  ///   - key: any number of bytes, none included: this is plain HMAC. A credential's key is a
  ///     ``Secret``, which is never empty.
  /// - Returns: ``HashAlgorithm/digestLength`` bytes.
  /// - Throws: `unsupportedAlgorithm` when the library lacks the algorithm, `backendFailure` when
  ///   one of its calls fails.
  func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8]

  /// Prepares many keys of one algorithm for bulk work: what depends on the key alone is computed
  /// here, once. Key `i` of the keyring is `secrets[i]`.
  /// - Throws: `unsupportedAlgorithm` or `backendFailure`, as above.
  func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> Keyring
}

/// Prepared keys of one algorithm: a value, which many tasks may use at once while nobody changes it.
///
/// What a keyring holds is as secret as the keys: its description and mirror show their number alone.
public protocol HMACKeyring: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  var algorithm: HashAlgorithm { get }

  /// Number of keys.
  var count: Int { get }

  /// Whether pairs of one key cost less when they follow each other. Whoever looks for codes in windows then puts
  /// all steps of a key together; otherwise all keys of a step. False unless an implementation says so.
  var prefersStepsOfAKeyTogether: Bool { get }

  /// Adds keys behind those that there are. It costs as much as preparing these keys alone, however many there
  /// are before them.
  /// - Throws: `backendFailure`; then the keyring is as before.
  mutating func append(_ secrets: [Secret]) throws(OTPError)

  /// Puts another key in the place of one.
  /// - Throws: `invalidArgument` for an index outside `0 ..< count`; `backendFailure`. Then the keyring is as
  ///   before.
  mutating func replace(_ key: Int, with secret: Secret) throws(OTPError)

  /// For each pair of a key index and a counter, the 31 bits that dynamic truncation leaves of the
  /// HMAC over the counter's eight bytes, big endian (RFC 4226 section 5.3).
  ///
  /// An implementation begins with ``checkPairs(keys:counters:output:)``.
  ///
  /// - Parameters:
  ///   - keys: indices of keys, in any order, repeated at will.
  ///   - counters: moving factors, as many as there are indices.
  ///   - output: as many places as there are indices; place `i` belongs to pair `i`.
  /// - Throws: `invalidArgument` for spans of different lengths or an index outside `0 ..< count`,
  ///   with nothing written; `backendFailure` when a call of the library fails.
  func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError)
}

extension HMACKeyring {
  public var description: String { "\(Self.self)(\(count) keys)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  public var prefersStepsOfAKeyTogether: Bool { false }

  /// Refuses arguments of ``truncatedValues(keys:counters:into:)`` that do not go together.
  /// - Parameter output: the number of places for results.
  /// - Throws: `invalidArgument` for different lengths or an index outside `0 ..< count`.
  public func checkPairs(
    keys: Span<Int>, counters: Span<UInt64>, output: Int
  ) throws(OTPError) {
    guard keys.count == counters.count, keys.count == output else {
      throw OTPError(
        .invalidArgument,
        "\(keys.count) key indices, \(counters.count) counters and \(output) outputs differ")
    }
    // The sign bit tells an index that is below 0 or above the last one. Without a way out of the loop, it takes
    // several indices at once.
    let count = count
    let last = count - 1
    var signs = 0
    keys.withUnsafeBufferPointer { keys in
      for key in keys { signs |= key | (last &- key) }
    }
    if signs >= 0 { return }
    for index in keys.indices where !(0..<count).contains(keys[index]) {
      throw OTPError(
        .invalidArgument, "key index \(keys[index]) at \(index) is not in 0 ..< \(count)")
    }
  }

  /// Refuses an index for ``replace(_:with:)``.
  /// - Throws: `invalidArgument` for an index outside `0 ..< count`.
  public func check(key: Int) throws(OTPError) {
    guard (0..<count).contains(key) else {
      throw OTPError(.invalidArgument, "key index \(key) is not in 0 ..< \(count)")
    }
  }

  /// ``truncatedValues(keys:counters:into:)`` with arrays.
  public func truncatedValues(keys: [Int], counters: [UInt64]) throws(OTPError) -> [UInt32] {
    var output = [UInt32](repeating: 0, count: keys.count)
    var span = output.mutableSpan
    try truncatedValues(keys: keys.span, counters: counters.span, into: &span)
    return output
  }
}

extension HMACBackend {
  /// The HMAC of one message under one key, with arrays.
  public func authenticationCode(
    for message: [UInt8], key: [UInt8], algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    try authenticationCode(for: message.span, key: key.span, algorithm: algorithm)
  }
}

/// What a backend is, for a person or a program that chooses between backends.
public struct BackendInformation: Hashable, Sendable {
  /// The name by which it is chosen: `swift`, `openssl`, `openssl-compact`, `gcrypt`, `gcrypt-compact`,
  /// `multibuffer`.
  public let name: String

  /// The library and its version, as loaded in this process.
  public let library: String

  /// The library's licence, as an SPDX expression.
  public let license: String

  /// The algorithms that work here.
  public let algorithms: [HashAlgorithm]

  /// The instruction set in use, in the library's own words.
  public let instructionSet: String

  public init(
    name: String, library: String, license: String, algorithms: [HashAlgorithm],
    instructionSet: String
  ) {
    self.name = name
    self.library = library
    self.license = license
    self.algorithms = algorithms
    self.instructionSet = instructionSet
  }
}
