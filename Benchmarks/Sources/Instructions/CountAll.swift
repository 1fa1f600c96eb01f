import Foundation
import Synchronization

extension Callgrind {
  /// Counts benchmarks, as many at a time as there are processors: their counts do not depend on the load.
  /// - Parameter progress: told each name when it is done; never twice at the same time.
  /// - Returns: for each request the counts by name.
  /// - Throws: as ``run(_:counted:)``, of the first one that failed; no further request is begun then.
  package func counts(
    _ requests: [Request], progress: @escaping @Sendable (_ name: String) -> Void
  ) throws -> [[String: Count]] {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let told = Mutex(())
    return try concurrently(requests, atOnce: processors) { request in
      var counts: [String: Count] = [:]
      try run(request) { counted in
        guard counted.profile.instructions > 0 else {
          throw InstructionsFault("no instruction was counted")
        }
        counts[counted.name] = Count(
          items: counted.items, instructions: counted.profile.instructions,
          allocations: counted.allocations)
        told.withLock { _ in progress(counted.name) }
      }
      return counts
    }
  }
}
