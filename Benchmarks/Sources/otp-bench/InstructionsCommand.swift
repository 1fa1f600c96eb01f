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
    case .count: return try count() ? .fine : .failed
    case .countStages: return try StagesRun.count() ? .fine : .failed
    }
  }

  /// What a benchmark may take under callgrind; it takes a second or two.
  static let secondsPerCount = 120

  private static func count() throws -> Bool {
    // Under valgrind a call of a body takes fifty times longer.
    let suite = try Suite(leastAttempts: 4096)
    return try CountedRun.run(seconds: secondsPerCount) { name in
      guard let benchmark = suite.registry[name] else {
        throw BenchmarkFault("there is no benchmark of this name")
      }
      return benchmark
    }
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
