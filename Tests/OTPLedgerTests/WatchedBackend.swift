import OTP
import OTPVerification

/// A backend that notes what its keyrings are told, and fails to compute one algorithm.
final class WatchedBackend: HMACBackend {
  let notes = Notes()
  let failing: HashAlgorithm?

  init(failing: HashAlgorithm? = nil) {
    self.failing = failing
  }

  final class Notes: Sendable {
    private let counts = Locked((appended: 0, wiped: 0))
    var appended: Int { counts.withLock { $0.appended } }
    var wiped: Int { counts.withLock { $0.wiped } }
    func append(_ count: Int) { counts.withLock { $0.appended += count } }
    func wipe() { counts.withLock { $0.wiped += 1 } }
  }

  var information: BackendInformation { SwiftBackend().information }

  func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) -> [UInt8] {
    SwiftBackend().authenticationCode(for: message, key: key, algorithm: algorithm)
  }

  func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> WatchedKeyring {
    var keyring = WatchedKeyring(
      sound: SwiftBackend().makeKeyring([], algorithm: algorithm), notes: notes,
      fails: algorithm == failing)
    try keyring.append(secrets)
    return keyring
  }
}

struct WatchedKeyring: HMACKeyring {
  var sound: SwiftKeyring
  let notes: WatchedBackend.Notes
  let fails: Bool

  var algorithm: HashAlgorithm { sound.algorithm }
  var count: Int { sound.count }

  /// Refuses keys of one byte.
  mutating func append(_ secrets: [Secret]) throws(OTPError) {
    guard secrets.allSatisfy({ $0.count > 1 }) else {
      throw OTPError(.backendFailure, "a key is too short")
    }
    sound.append(secrets)
    notes.append(secrets.count)
  }

  mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    if secret.withBytes({ key in key.indices.allSatisfy { key[$0] == 0 } }) { notes.wipe() }
    try sound.replace(key, with: secret)
  }

  func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    if fails { throw OTPError(.backendFailure, "switched off") }
    try sound.truncatedValues(keys: keys, counters: counters, into: &output)
  }
}
