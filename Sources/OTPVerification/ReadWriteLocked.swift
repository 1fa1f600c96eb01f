#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that many threads may read at once, or one may change.
///
/// For values that are read nearly always; a reader must not take the lock again while it has it.
final class ReadWriteLocked<Value: ~Copyable>: Sendable {
  // Safe to share: the lock is made for that, and its address never changes.
  nonisolated(unsafe) private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  // Safe to share: it is read under the lock for reading and changed under the lock for writing, which nobody
  // else then has.
  nonisolated(unsafe) private var value: Value

  init(_ value: consuming sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    var attributes = pthread_rwlockattr_t()
    pthread_rwlockattr_init(&attributes)
    #if canImport(Glibc)
      // Else readers that come one after the other would keep a writer waiting for ever.
      pthread_rwlockattr_setkind_np(
        &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    #endif
    let status = pthread_rwlock_init(lock, &attributes)
    precondition(status == 0, "pthread_rwlock_init failed")
    pthread_rwlockattr_destroy(&attributes)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  /// Lends the value for reading.
  func read<R: ~Copyable, E: Error>(_ body: (borrowing Value) throws(E) -> R) throws(E) -> R {
    let status = pthread_rwlock_rdlock(lock)
    precondition(status == 0, "pthread_rwlock_rdlock failed")
    defer { pthread_rwlock_unlock(lock) }
    return try body(value)
  }

  /// Lends the value for changing it.
  func change<R: ~Copyable, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    let status = pthread_rwlock_wrlock(lock)
    precondition(status == 0, "pthread_rwlock_wrlock failed")
    defer { pthread_rwlock_unlock(lock) }
    return try body(&value)
  }
}
