package import BenchmarkRegistry
import CCallgrind

/// The side of the child: what runs under callgrind.
package enum CountedRun {
  /// Whether instructions can be counted here.
  package static var isPossible: Bool { ccallgrind_is_running() }

  /// What the child writes for its parent, who finds the rest in callgrind's output.
  static let itemsPrefix = "items "

  /// Calls before the one that counts: what is done once is done then, and the heap has its shape.
  private static let warmUps = 3

  /// Runs a benchmark's body, one call of which is counted.
  /// - Returns: the line to write to standard output.
  package static func run(_ benchmark: PreparedBenchmark) throws -> String {
    let body: () throws -> Void =
      switch benchmark.body {
      case .plain(let body): body
      case .timed(let body): { _ = try body() }
      }
    for _ in 0..<warmUps { try body() }
    ccallgrind_start()
    try body()
    ccallgrind_stop()
    return "\(itemsPrefix)\(benchmark.items)"
  }
}
