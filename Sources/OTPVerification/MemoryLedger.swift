public import OTP

/// A ledger in this process's memory: for tests, and for servers of a single process that may forget all
/// when they end.
///
/// It needs 43 to 54 bytes for each credential beside the id. Credentials are spread over shards, each
/// behind a lock of its own.
public final class MemoryLedger: ImmediateLedger {
  private let shards: [Shard]

  private final class Shard: Sendable {
    let table = Locked(StateTable())
  }

  public init() {
    shards = (0..<64).map { _ in Shard() }
  }

  public func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    group.map { settlement in
      let id = settlement.id
      return id.bytes.withUnsafeBytes { settle(settlement.immediate, of: $0, hash: id.hash) }
    }
  }

  package func settle(
    _ attempt: ImmediateAttempt, of id: UnsafeRawBufferPointer, hash: UInt
  ) -> Outcome {
    let id = Span<UInt8>(_unsafeBytes: id)
    return shard(hash).table.withLock { $0.settle(attempt, of: id, hash: hash) }
  }

  public func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    ids.map { id in shard(id.hash).table.withLock { $0.state(of: id) } }
  }

  public func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    shard(id.hash).table.withLock { $0.reset(id, part) }
  }

  private func shard(_ hash: UInt) -> Shard {
    // The shard comes from the top bits of the hash, the place in its table from the low ones.
    shards[Int(hash >> UInt(UInt.bitWidth - 6))]
  }
}

/// The states of credentials by their ids. One that is in the initial state takes no place.
private struct StateTable: ~Copyable {
  private var index = IDIndex()
  private var entries = Blocks<Entry>()

  private struct Entry: BitwiseCopyable {
    var lastStep: UInt64
    var lockedUntil: Int64
    var failures: UInt32
    /// The drift, above whether there is a last step in the low bit.
    var drift: Int32

    init(_ state: CredentialState) {
      lastStep = state.lastStep ?? 0
      lockedUntil = state.lockedUntil
      failures = state.failures
      drift = state.drift << 1 | (state.lastStep == nil ? 0 : 1)
    }

    var state: CredentialState {
      var state = CredentialState()
      state.lastStep = drift & 1 == 1 ? lastStep : nil
      state.failures = failures
      state.lockedUntil = lockedUntil
      state.drift = drift >> 1
      return state
    }
  }

  func state(of id: CredentialID) -> CredentialState {
    index.number(of: id).map { entries[$0].state } ?? CredentialState()
  }

  mutating func settle(
    _ attempt: ImmediateAttempt, of id: Span<UInt8>, hash: UInt
  ) -> Outcome {
    id.withUnsafeBytes { settle(attempt, of: $0, hash: hash) }
  }

  private mutating func settle(
    _ attempt: ImmediateAttempt, of id: UnsafeRawBufferPointer, hash: UInt
  ) -> Outcome {
    let number = index.number(of: id, hash: hash)
    var state = number.map { entries[$0].state } ?? CredentialState()
    let outcome = state.settle(attempt)
    if let number {
      entries[number] = Entry(state)
    } else if state != CredentialState() {
      insert(id, hash: hash, state)
    }
    return outcome
  }

  mutating func reset(_ id: CredentialID, _ part: ResetPart) {
    guard let number = index.number(of: id) else { return }
    var state = entries[number].state
    state.reset(part)
    if state == CredentialState() {
      _ = index.remove(id)
    } else {
      entries[number] = Entry(state)
    }
  }

  private mutating func insert(
    _ id: UnsafeRawBufferPointer, hash: UInt, _ state: CredentialState
  ) {
    let number = index.insert(id, hash: hash)
    if number < entries.count {
      entries[number] = Entry(state)
    } else {
      entries.append(Entry(state))
    }
  }
}
