public import OTP
import Synchronization

/// The pure Swift backend with keyrings that prefer all steps of a key together, and count how often the key changes.
public final class KeyByKeyBackend: HMACBackend {
  private let changes = Atomic(0)

  public init() {}

  /// Pairs so far whose key was another than that of the pair before, or that were the first of a call.
  public var keyChanges: Int { changes.load(ordering: .relaxed) }

  public var information: BackendInformation { SwiftBackend().information }

  public func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) -> [UInt8] {
    SwiftBackend().authenticationCode(for: message, key: key, algorithm: algorithm)
  }

  public func makeKeyring(_ secrets: [Secret], algorithm: HashAlgorithm) -> Keyring {
    Keyring(backend: self, sound: SwiftBackend().makeKeyring(secrets, algorithm: algorithm))
  }

  public struct Keyring: HMACKeyring {
    let backend: KeyByKeyBackend
    var sound: SwiftKeyring

    public var algorithm: HashAlgorithm { sound.algorithm }
    public var count: Int { sound.count }
    public var prefersStepsOfAKeyTogether: Bool { true }

    public mutating func append(_ secrets: [Secret]) { sound.append(secrets) }

    public mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
      try sound.replace(key, with: secret)
    }

    public func truncatedValues(
      keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
    ) throws(OTPError) {
      var changes = 0
      for index in keys.indices where index == 0 || keys[index] != keys[index - 1] { changes += 1 }
      backend.changes.add(changes, ordering: .relaxed)
      try sound.truncatedValues(keys: keys, counters: counters, into: &output)
    }
  }
}
