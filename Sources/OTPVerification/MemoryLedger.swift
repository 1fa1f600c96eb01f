public import OTP

/// A ledger in this process's memory: for tests, and for servers of a single process that may forget all
/// when they end.
///
/// It needs about 45 bytes for each credential beside the id. Credentials are spread over shards, each
/// behind a lock of its own.
public final class MemoryLedger: Ledger {
  private let shards: [Shard]

  private final class Shard: Sendable {
    let table = Locked(StateTable())
  }

  public init() {
    shards = (0..<64).map { _ in Shard() }
  }

  public func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    group.map { settlement in
      withState(of: settlement.id) { state in state.settle(settlement) }
    }
  }

  public func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    ids.map { id in withState(of: id) { $0 } }
  }

  public func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    withState(of: id) { $0.reset(part) }
  }

  private func withState<R: Sendable>(
    of id: CredentialID, _ body: @Sendable (inout CredentialState) -> R
  ) -> R {
    let hash = id.bytes.credentialHash
    // The shard comes from the top bits, the place in its table from the low ones.
    let shard = shards[Int(hash >> UInt(UInt.bitWidth - 6))]
    return shard.table.withLock { $0.update(id, hash: hash, body) }
  }
}

/// The states of credentials by their ids: a hash table of entry numbers with linear probing, over entries
/// and ids that lie in blocks, so that growing never holds a second copy of them.
struct StateTable {
  /// Entry numbers plus one; 0 is an empty place. A power of two, at most 7/8 full.
  private var places = [UInt32](repeating: 0, count: 16)
  private var entries = Blocks<Entry>()
  private var ids = Blocks<UInt8>()

  var count: Int { entries.count }

  private struct Entry {
    var lastStep: UInt64 = 0
    var lockedUntil: Int64 = 0
    /// Where the id begins in `ids`, above its length in the low byte.
    var id: UInt64
    var failures: UInt32 = 0
    /// The drift, above whether there is a last step in the low bit.
    var drift: Int32 = 0

    var state: CredentialState {
      get {
        var state = CredentialState()
        state.lastStep = drift & 1 == 1 ? lastStep : nil
        state.failures = failures
        state.lockedUntil = lockedUntil
        state.drift = drift >> 1
        return state
      }
      set {
        lastStep = newValue.lastStep ?? 0
        failures = newValue.failures
        lockedUntil = newValue.lockedUntil
        drift = newValue.drift << 1 | (newValue.lastStep == nil ? 0 : 1)
      }
    }
  }

  /// Lends the state of `id` to `body`, and keeps what it is afterwards. A credential that stays in the
  /// initial state takes no place.
  mutating func update<R>(
    _ id: CredentialID, hash: UInt, _ body: (inout CredentialState) -> R
  ) -> R {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 {
      let entry = Int(places[place] - 1)
      if isEntry(entry, of: id) {
        var state = entries[entry].state
        defer { entries[entry].state = state }
        return body(&state)
      }
      place = (place + 1) & mask
    }
    var state = CredentialState()
    let result = body(&state)
    if state != CredentialState() {
      var entry = Entry(id: UInt64(ids.count) << 8 | UInt64(id.bytes.count))
      entry.state = state
      for byte in id.bytes { ids.append(byte) }
      entries.append(entry)
      places[place] = UInt32(count)
      if count > places.count / 8 * 7 { grow() }
    }
    return result
  }

  private func isEntry(_ entry: Int, of id: CredentialID) -> Bool {
    let location = entries[entry].id
    guard location & 0xFF == id.bytes.count else { return false }
    let start = Int(location >> 8)
    return id.bytes.indices.allSatisfy { ids[start + $0] == id.bytes[$0] }
  }

  private mutating func grow() {
    places = [UInt32](repeating: 0, count: places.count * 2)
    let mask = places.count - 1
    for entry in 0..<count {
      let location = entries[entry].id
      let start = Int(location >> 8)
      let bytes = (0..<Int(location & 0xFF)).map { ids[start + $0] }
      var place = Int(truncatingIfNeeded: bytes.credentialHash) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = UInt32(entry + 1)
    }
  }
}

/// An array in blocks of equal length: it grows without copying and with little to spare.
private struct Blocks<Element> {
  private var blocks: [[Element]] = []
  private(set) var count = 0
  private static var length: Int { 1024 }

  mutating func append(_ element: Element) {
    if count % Self.length == 0 {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(Self.length)
    }
    blocks[blocks.count - 1].append(element)
    count += 1
  }

  subscript(index: Int) -> Element {
    get { blocks[index / Self.length][index % Self.length] }
    set { blocks[index / Self.length][index % Self.length] = newValue }
  }
}

extension [UInt8] {
  /// The hash of a credential id with these bytes.
  var credentialHash: UInt {
    var hasher = Hasher()
    withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt(bitPattern: hasher.finalize())
  }
}
