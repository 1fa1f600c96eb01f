import BenchmarkRegistry
import Foundation
import Instructions

extension Command {
  static let instructions = Command(
    name: "instructions",
    summary: "Counts instructions and allocations, and compares them with those recorded.",
    help: InstructionsOptions.help
  ) { words in
    let options = try InstructionsOptions(words)
    try refuseDebugBuild()
    switch options.action {
    case .record: return try InstructionsRun(options).record()
    case .check: return try InstructionsRun(options).check()
    case .count(let name): return try count(name)
    }
  }

  /// What runs under callgrind.
  private static func count(_ name: String) throws -> ExitStatus {
    guard CountedRun.isPossible else {
      throw BenchError("this is what 'check' starts under valgrind")
    }
    // Under valgrind a call of a body takes fifty times longer.
    let suite = try Suite(leastAttempts: 4096)
    guard let benchmark = suite.registry[name] else {
      throw BenchError("there is no benchmark \(name)")
    }
    print(try CountedRun.run(try benchmark.prepare()))
    return .fine
  }
}
