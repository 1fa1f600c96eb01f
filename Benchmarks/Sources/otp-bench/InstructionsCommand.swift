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
    case .stages:
      print(try StagesRun.table(credentials: options.credentials))
      return .fine
    case .count(let name):
      // Under valgrind a call of a body takes fifty times longer.
      let suite = try Suite(leastAttempts: 4096)
      guard let benchmark = suite.registry[name] else {
        throw BenchError("there is no benchmark \(name)")
      }
      try count(benchmark)
      return .fine
    case .countStages(let credentials):
      try count(StagesRun.benchmark(credentials: credentials))
      return .fine
    }
  }

  /// What runs under callgrind.
  private static func count(_ benchmark: Benchmark) throws {
    guard CountedRun.isPossible else {
      throw BenchError("this is what other commands start under valgrind")
    }
    print(try CountedRun.run(try benchmark.prepare()))
  }
}

extension Callgrind {
  /// With the program that runs now.
  /// - Parameter folder: an empty one, which must stay as long as this value.
  static func ofThisProgram(_ folder: TemporaryFolder) throws -> Callgrind {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return try Callgrind(program: program, folder: folder.url)
  }
}

/// A folder that is removed with this object.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("otp-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
