import Synchronization

/// A value behind a lock, in an order that the thread sanitizer sees.
///
/// `Mutex` alone is right, but where threads meet it waits inside a library that the sanitizer does not look
/// into, and what the lock protects is reported as a race. The release and the acquire of `order` say the
/// same once more; on x86-64 and arm64 they cost next to nothing.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let order = Atomic(false)

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  package borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try mutex.withLock { (value) throws(E) -> sending R in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}

/// Waits for a result that `start` has somebody else hand over, once.
///
/// The result goes through a lock and not through the continuation: the order that a continuation makes when
/// it is resumed early is one more that the thread sanitizer does not see.
package func awaitResult<R: Sendable>(
  _ start: (_ handOver: @escaping @Sendable (R) -> Void) -> Void
) async -> R {
  let place = Place<R>()
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    start { result in
      place.result.withLock { $0 = result }
      continuation.resume()
    }
  }
  guard let result = place.result.withLock({ $0 }) else {
    preconditionFailure("the continuation is resumed after the result is there")
  }
  return result
}

private final class Place<R: Sendable>: Sendable {
  let result = Locked<R?>(nil)
}
