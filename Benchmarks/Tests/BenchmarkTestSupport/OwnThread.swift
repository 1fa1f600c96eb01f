import Foundation

/// Benchmarks wait on their thread, which must be none of those that tests share.
package func onOwnThread(_ work: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation {
    (continuation: CheckedContinuation<Void, any Error>) in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}
