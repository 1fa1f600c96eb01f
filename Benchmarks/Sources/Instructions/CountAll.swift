import Foundation
import Synchronization

extension Callgrind {
  /// A benchmark, and how the program is asked for it.
  package struct Request: Sendable {
    package let name: String
    package let arguments: [String]
    package let environment: [(name: String, value: String)]

    package init(
      _ name: String, arguments: [String], environment: [(name: String, value: String)] = []
    ) {
      self.name = name
      self.arguments = arguments
      self.environment = environment
    }
  }

  /// Counts benchmarks, as many at a time as there are processors: their counts do not depend on the load.
  /// - Parameter progress: told how many are done, and the name of the last; never twice at the same time.
  /// - Returns: their counts, in order.
  /// - Throws: ``InstructionsFault`` with the name of the first one that failed; no further one is started then.
  package func counts(
    _ requests: [Request], progress: @escaping @Sendable (_ done: Int, _ name: String) -> Void
  ) throws -> [Count] {
    let done = Mutex(0)
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return try concurrently(requests, atOnce: processors) { request in
      let result: Count
      do {
        result = try count(request.arguments, environment: request.environment)
      } catch {
        throw InstructionsFault("\(request.name): \(error)")
      }
      done.withLock { done in
        done += 1
        progress(done, request.name)
      }
      return result
    }
  }
}
