import OTP
import OTPVerification

/// A memory ledger that notes the size of each group, and how many are settled at once.
final class CountingLedger: Ledger {
  private let memory = MemoryLedger()
  private let counts = Locked((groups: [Int](), active: 0, most: 0))

  var groups: [Int] { counts.withLock { $0.groups } }
  var mostAtOnce: Int { counts.withLock { $0.most } }

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    counts.withLock { counts in
      counts.groups.append(group.count)
      counts.active += 1
      counts.most = max(counts.most, counts.active)
    }
    // Others get the processor, so that they arrive while this group is settled.
    for _ in 0..<100 { await Task.yield() }
    defer { counts.withLock { $0.active -= 1 } }
    return try await memory.settle(group)
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    try await memory.states(of: ids)
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await memory.reset(id, part)
  }
}

/// A ledger that is never there.
struct FailingLedger: Ledger {
  private let error = OTPError(.ledgerUnavailable, "switched off")

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] { throw error }
  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] { throw error }
  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) { throw error }
}

/// A ledger that has no states.
struct StatelessLedger: Ledger {
  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    group.map { _ in .mismatch }
  }
  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] { [] }
  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {}
}

/// A memory ledger that fails from some group on.
final class FailingLaterLedger: Ledger {
  private let memory = MemoryLedger()
  private let left: Locked<Int>

  init(after groups: Int) { left = Locked(groups) }

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    let isLeft = left.withLock { left in
      left -= 1
      return left >= 0
    }
    guard isLeft else { throw OTPError(.ledgerUnavailable, "switched off") }
    return try await memory.settle(group)
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    try await memory.states(of: ids)
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await memory.reset(id, part)
  }
}

/// A memory ledger in which somebody else is faster, once: right after a state is read, it changes.
final class MovingLedger: Ledger {
  private let memory = MemoryLedger()
  private let next = Locked<Change?>(nil)

  private typealias Change = @Sendable (MemoryLedger) async throws(OTPError) -> Void

  func move(_ id: CredentialID, to step: UInt64) {
    change { (memory) throws(OTPError) in _ = try await memory.settle([.use(id, step)]) }
  }

  func resetOnce(_ id: CredentialID) {
    change { (memory) throws(OTPError) in try await memory.reset(id, .everything) }
  }

  private func change(_ change: @escaping Change) {
    next.withLock { $0 = change }
  }

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    try await memory.settle(group)
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    let states = try await memory.states(of: ids)
    let change = next.withLock { next in
      defer { next = nil }
      return next
    }
    if let change { try await change(memory) }
    return states
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await memory.reset(id, part)
  }
}

/// A memory ledger that says of every attempt on one credential that its state has changed, so many times.
final class StaleLedger: Ledger {
  private let memory = MemoryLedger()
  private let id: CredentialID
  private let left: Locked<Int>

  init(_ id: CredentialID, times: Int) {
    self.id = id
    left = Locked(times)
  }

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for settlement in group {
      let isStale =
        settlement.id == id
        && left.withLock { left in
          left -= 1
          return left >= 0
        }
      outcomes += isStale ? [.stale] : try await memory.settle([settlement])
    }
    return outcomes
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    try await memory.states(of: ids)
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await memory.reset(id, part)
  }
}

/// A backend that refuses keys of fewer than 14 bytes, as a library in FIPS mode does.
struct FussyBackend: HMACBackend {
  private let sound = SwiftBackend()

  var information: BackendInformation { sound.information }

  func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    guard key.count >= 14 else { throw OTPError(.backendFailure, "the key is too short") }
    return sound.authenticationCode(for: message, key: key, algorithm: algorithm)
  }

  func makeKeyring(_ secrets: [Secret], algorithm: HashAlgorithm) throws(OTPError) -> FussyKeyring {
    var keyring = FussyKeyring(sound: sound.makeKeyring([], algorithm: algorithm))
    try keyring.append(secrets)
    return keyring
  }
}

struct FussyKeyring: HMACKeyring {
  var sound: SwiftKeyring

  var algorithm: HashAlgorithm { sound.algorithm }
  var count: Int { sound.count }

  mutating func append(_ secrets: [Secret]) throws(OTPError) {
    guard secrets.allSatisfy({ $0.count >= 14 }) else {
      throw OTPError(.backendFailure, "a key is too short")
    }
    sound.append(secrets)
  }

  mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    guard secret.count >= 14 else { throw OTPError(.backendFailure, "the key is too short") }
    try sound.replace(key, with: secret)
  }

  func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try sound.truncatedValues(keys: keys, counters: counters, into: &output)
  }
}
