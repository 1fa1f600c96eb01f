public import OTP
import Synchronization

/// Prepared keys over libgcrypt: one keyed handle per key.
public struct GcryptKeyring: HMACKeyring {
  public let algorithm: HashAlgorithm
  public let count: Int

  /// Runs of neighbouring keys: a power of two each, so that an index is split by its bits.
  private let shards: [Shard]
  private let slotBits: Int

  init(_ secrets: [Secret], algorithm: HashAlgorithm) throws(OTPError) {
    self.algorithm = algorithm
    count = secrets.count
    // The fewest bits that count a shard's slots: 2^bits * shardLimit >= count.
    slotBits = Int.bitWidth - (max(secrets.count - 1, 0) / Self.shardLimit).leadingZeroBitCount
    var shards: [Shard] = []
    for start in stride(from: 0, to: secrets.count, by: 1 << slotBits) {
      let end = min(start + 1 << slotBits, secrets.count)
      shards.append(try Shard(secrets[start..<end], algorithm: algorithm))
    }
    self.shards = shards
  }

  public func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try checkPairs(keys: keys, counters: counters, output: output.count)
    var start = 0
    while start < keys.count {
      // Neighbours that share a lock take it once.
      let shard = keys[start] >> slotBits
      var end = start + 1
      while end < keys.count, keys[end] >> slotBits == shard { end += 1 }
      try shards[shard].handles.withLock { (handles) throws(OTPError) in
        for index in start..<end {
          output[index] = try handles.truncatedValue(
            slot: keys[index] & (1 << slotBits - 1), counter: counters[index])
        }
      }
      start = end
    }
  }

  /// Locks per keyring, at most: enough that few tasks meet at one.
  private static let shardLimit = 64
}

/// Keyed handles behind one lock.
private final class Shard: Sendable {
  let handles: Mutex<Handles>

  init(_ secrets: ArraySlice<Secret>, algorithm: HashAlgorithm) throws(OTPError) {
    handles = Mutex(try Handles(secrets, algorithm: algorithm))
  }
}

/// An array of handles: the standard one cannot hold what cannot be copied.
private struct Handles: ~Copyable {
  private let storage: UnsafeMutableBufferPointer<KeyedHandle>
  private var count = 0

  init(_ secrets: ArraySlice<Secret>, algorithm: HashAlgorithm) throws(OTPError) {
    storage = .allocate(capacity: secrets.count)
    // On a throw `deinit` runs too, since every stored property is set.
    for secret in secrets {
      let handle = try secret.withBytes { (key) throws(OTPError) in
        try KeyedHandle(algorithm: algorithm, key: key)
      }
      storage.initializeElement(at: count, to: handle)
      count += 1
    }
  }

  deinit {
    storage.extracting(..<count).deinitialize()
    storage.deallocate()
  }

  func truncatedValue(slot: Int, counter: UInt64) throws(OTPError) -> UInt32 {
    try storage[slot].truncatedValue(counter: counter)
  }
}
