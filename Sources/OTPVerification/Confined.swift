import Dispatch
import OTP

/// A value that is only touched on a thread of its own queue, one caller after the other.
///
/// For ledgers over C libraries: their calls block, and must not block the threads that Swift's tasks
/// share.
package final class Confined<Value: ~Copyable>: Sendable {
  private let queue: DispatchQueue

  // Safe to share: after `init` it is touched in `run` alone, whose bodies run one at a time on the serial
  // queue.
  nonisolated(unsafe) private var value: Value

  package init(_ value: consuming sending Value, label: String) {
    self.value = value
    queue = DispatchQueue(label: label)
  }

  /// Runs `body` on the queue and waits, without holding up a thread, for its result.
  package func run<R: Sendable>(
    _ body: @escaping @Sendable (inout Value) throws(OTPError) -> R
  ) async throws(OTPError) -> R {
    let result: Result<R, OTPError> = await awaitResult { handOver in
      queue.async {
        do throws(OTPError) {
          handOver(.success(try body(&self.value)))
        } catch {
          handOver(.failure(error))
        }
      }
    }
    return try result.get()
  }
}
