import Dispatch
import Synchronization

/// Runs asynchronous work for a caller that is not, and waits for it. The thread that waits must be none of
/// those that tasks share: the benchmarks' is the main thread, which no task of theirs needs.
package func waiting<R: Sendable>(
  for work: @escaping @Sendable () async throws -> R
) throws -> R {
  let place = Place<R>()
  Task.detached {
    let result: Result<R, any Error>
    do {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    place.result.withLock { $0 = result }
    place.isFull.signal()
  }
  place.isFull.wait()
  guard let result = place.result.withLock({ $0 }) else {
    preconditionFailure("the signal comes after the result")
  }
  return try result.get()
}

private final class Place<R: Sendable>: Sendable {
  let result = Mutex<Result<R, any Error>?>(nil)
  let isFull = DispatchSemaphore(value: 0)
}
