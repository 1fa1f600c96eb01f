public import OTP

/// HMAC in this package's own SIMD kernels, which compute many one-time codes side by side.
///
/// It is made for verification in bulk: a keyring holds the absorbed states alone (40, 64 or 128 bytes a key), and
/// pairs that share their counter, as all attempts of one time step do, share the work on it. One message by itself
/// goes through the pure Swift code.
public struct MultiBufferBackend: HMACBackend {
  /// The kernels in use, one for each algorithm, with the reason.
  public var choices: [KernelChoice] { HashAlgorithm.allCases.map { kernels[$0].choice } }

  private let kernels: KernelSet

  /// The names of the kernels that run here, for ``KernelSelection/named(_:)``; not each has all algorithms.
  public static var kernelNames: [String] { KernelSet.names }

  /// - Parameter selection: how the kernels are chosen.
  /// - Throws: `backendUnavailable` when a kernel was asked for by name that does not exist or does not run here.
  public init(_ selection: KernelSelection = .environment) throws(OTPError) {
    kernels = try KernelSet.set(for: selection)
  }

  public var information: BackendInformation {
    let names = choices.map { "\($0.algorithm.name) \($0.kernel)" }.joined(separator: ", ")
    return BackendInformation(
      name: "multibuffer", library: "swift-otp \(SwiftBackend.version)", license: "Apache-2.0",
      algorithms: HashAlgorithm.allCases, instructionSet: names)
  }

  public func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) -> [UInt8] {
    SwiftBackend().authenticationCode(for: message, key: key, algorithm: algorithm)
  }

  public func makeKeyring(_ secrets: [Secret], algorithm: HashAlgorithm) -> MultiBufferKeyring {
    var keyring = MultiBufferKeyring(kernels[algorithm])
    keyring.append(secrets)
    return keyring
  }
}

/// Prepared keys of ``MultiBufferBackend``: for each, the states after absorbing ipad and opad (40, 64 or 128
/// bytes), in memory that is wiped on release.
public struct MultiBufferKeyring: HMACKeyring {
  private let kernels: KernelSet.Member
  private var states: AbsorbedStates

  public var algorithm: HashAlgorithm { kernels.algorithm }
  public var count: Int { states.count }

  init(_ kernels: KernelSet.Member) {
    self.kernels = kernels
    states = AbsorbedStates(keyBytes: kernels.algorithm.absorbedKeyBytes)
  }

  public mutating func append(_ secrets: [Secret]) {
    let kernel = kernels.kernel(forPairs: secrets.count)
    states.append(secrets) { secrets, states in kernel.absorb(secrets, into: states) }
  }

  public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try check(key: key)
    let kernel = kernels.kernel(forPairs: 1)
    states.replace(key, with: secret) { secrets, states in kernel.absorb(secrets, into: states) }
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    let kernel = kernels.kernel(forPairs: keys.count)
    states.withChunks { chunks in
      kernel.truncatedValues(chunks, keys: keys, counters: counters, into: &output)
    }
  }
}
