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

  private static let shardBits = 5
  private static let shardCount = 1 << shardBits

  public init() {
    shards = (0..<Self.shardCount).map { _ in Shard() }
  }

  public func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    group.map { settlement in
      shard(of: settlement.id).table.withLock { $0.settle(settlement) }
    }
  }

  public func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    ids.map { id in shard(of: id).table.withLock { $0.state(of: id) } }
  }

  public func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    shard(of: id).table.withLock { $0.reset(id, part) }
  }

  private func shard(of id: CredentialID) -> Shard { shards[Self.shard(id.hash)] }

  // The shard comes from the top bits of the hash, the place in its table from the low ones.
  private static func shard(_ hash: UInt) -> Int { Int(hash >> UInt(UInt.bitWidth - shardBits)) }

  func settle(_ chunk: AttemptChunk, consumes: Bool) {
    // Shard by shard, so that each lock is taken once; within a shard in order.
    let count = chunk.candidateCount
    withUnsafeTemporaryAllocation(of: Int.self, capacity: count + Self.shardCount + 1) {
      memory in
      let ends = UnsafeMutableBufferPointer(rebasing: memory[...Self.shardCount])
      let sorted = UnsafeMutableBufferPointer(rebasing: memory[(Self.shardCount + 1)...])
      ends.initialize(repeating: 0)
      for index in 0..<count { ends[Self.shard(chunk.hash(index)) + 1] += 1 }
      for shard in 0..<Self.shardCount { ends[shard + 1] += ends[shard] }
      for index in 0..<count {
        let shard = Self.shard(chunk.hash(index))
        sorted.initializeElement(at: ends[shard], to: index)
        ends[shard] += 1
      }
      var start = 0
      for shard in 0..<Self.shardCount where ends[shard] > start {
        // Lent to this one call.
        nonisolated(unsafe) let group = UnsafeBufferPointer(rebasing: sorted[start..<ends[shard]])
        nonisolated(unsafe) let chunk = chunk
        shards[shard].table.withLock { $0.settle(group, of: chunk, consumes: consumes) }
        start = ends[shard]
      }
    }
  }
}

/// The states of credentials by their ids. One that is in the initial state takes no place.
private struct StateTable: ~Copyable, Sendable {
  // Safe to send: nobody else has it.
  nonisolated(unsafe) private var table = IDTable<Entry>()

  // Not private, as in ``CredentialDirectory``.
  struct Entry: BitwiseCopyable {
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
    id.bytes.withUnsafeBytes { bytes in
      guard let number = table.number(of: bytes, hash: id.hash) else { return CredentialState() }
      return table[number].state
    }
  }

  mutating func settle(_ settlement: Settlement) -> Outcome {
    let id = settlement.id
    return id.bytes.withUnsafeBytes { bytes in
      let number = table.number(of: bytes, hash: id.hash)
      return settle(settlement.immediate, number, bytes, id.hash)
    }
  }

  private mutating func settle(
    _ attempt: ImmediateAttempt, _ number: Int?, _ id: UnsafeRawBufferPointer, _ hash: UInt
  ) -> Outcome {
    var state = CredentialState()
    if let number { state = table[number].state }
    let outcome = state.settle(attempt)
    if let number {
      table[number] = Entry(state)
    } else if state != CredentialState() {
      table.insert(id, hash: hash, Entry(state))
    }
    return outcome
  }

  /// Settles some attempts of a chunk.
  mutating func settle(_ group: UnsafeBufferPointer<Int>, of chunk: AttemptChunk, consumes: Bool) {
    let throttle = chunk.policy.throttle
    withUnsafeTemporaryAllocation(of: Int.self, capacity: group.count) { numbers in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: group.count) { locations in
        for (slot, index) in group.enumerated() {
          numbers[slot] = table.guess(hash: chunk.hash(index))
        }
        for slot in group.indices {
          locations[slot] = table.location(ofGuess: numbers[slot])
        }
        var touched: UInt8 = 0
        for slot in group.indices { touched ^= table.firstByte(atLocation: locations[slot]) }
        chunk.touched = touched
        for (slot, index) in group.enumerated() {
          let entry = chunk.entry(index)
          let id = chunk.id(of: entry)
          // One that was not there may be by now: an earlier attempt of the group can have put it there.
          let hash = chunk.hash(index)
          let number = table.number(
            of: id, hash: hash, guess: numbers[slot], location: locations[slot])
          let attempt = ImmediateAttempt(
            claim: chunk.claim(index), time: UnixTime(seconds: entry.time), consumes: consumes,
            throttle: throttle)
          chunk.enter(settle(attempt, number, id, hash), index)
        }
      }
    }
  }

  mutating func reset(_ id: CredentialID, _ part: ResetPart) {
    id.bytes.withUnsafeBytes { bytes in
      guard let number = table.number(of: bytes, hash: id.hash) else { return }
      var state = table[number].state
      state.reset(part)
      if state == CredentialState() {
        table.remove(bytes, hash: id.hash)
      } else {
        table[number] = Entry(state)
      }
    }
  }
}
