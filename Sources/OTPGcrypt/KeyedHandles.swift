import OTP
import Synchronization

/// Keyed handles behind one lock: computing changes a handle.
final class KeyedHandles: KeyChunk {
  // Few keys share a lock, so that few tasks meet at one.
  static let bits = 6

  private let algorithm: HashAlgorithm
  private let handles = Mutex(Handles(capacity: 1 << KeyedHandles.bits))

  init(algorithm: HashAlgorithm) {
    self.algorithm = algorithm
  }

  var count: Int { handles.withLock { $0.count } }

  func append(_ secret: Secret) throws(OTPError) {
    try handles.withLock { (handles) throws(OTPError) in
      handles.append(try KeyedHandle(algorithm: algorithm, secret: secret))
    }
  }

  func replace(_ slot: Int, with secret: Secret) throws(OTPError) {
    try handles.withLock { (handles) throws(OTPError) in
      handles.replace(slot, with: try KeyedHandle(algorithm: algorithm, secret: secret))
    }
  }

  func removeLast(_ removed: Int) {
    handles.withLock { $0.removeLast(removed) }
  }

  func copy() throws(OTPError) -> KeyedHandles {
    let copy = KeyedHandles(algorithm: algorithm)
    try handles.withLock { (handles) throws(OTPError) in
      for slot in 0..<handles.count {
        try copy.handles.withLock { (copies) throws(OTPError) in
          copies.append(try handles.copy(of: slot))
        }
      }
    }
    return copy
  }

  /// Lends the handles, to nobody else meanwhile.
  func withHandles(_ body: (inout Handles) throws(OTPError) -> Void) throws(OTPError) {
    try handles.withLock { (handles) throws(OTPError) in try body(&handles) }
  }
}

/// An array of handles: the standard one cannot hold what cannot be copied.
struct Handles: ~Copyable, Sendable {
  // Safe to send: nobody else has the storage.
  nonisolated(unsafe) private let storage: UnsafeMutablePointer<KeyedHandle>
  private(set) var count = 0

  init(capacity: Int) {
    storage = .allocate(capacity: capacity)
  }

  deinit {
    storage.deinitialize(count: count)
    storage.deallocate()
  }

  mutating func append(_ handle: consuming KeyedHandle) {
    (storage + count).initialize(to: handle)
    count += 1
  }

  mutating func replace(_ slot: Int, with handle: consuming KeyedHandle) {
    storage[slot] = handle
  }

  mutating func removeLast(_ removed: Int) {
    count -= removed
    (storage + count).deinitialize(count: removed)
  }

  func copy(of slot: Int) throws(OTPError) -> KeyedHandle {
    try storage[slot].copy()
  }

  mutating func truncatedValue(slot: Int, counter: UInt64) throws(OTPError) -> UInt32 {
    try storage[slot].truncatedValue(counter: counter)
  }
}
