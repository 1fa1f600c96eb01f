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
    }
  }
}

extension Callgrind {
  /// With the program whose benchmarks are counted, which lies beside this one.
  /// - Parameter folder: an empty one, which must stay as long as this value.
  static func ofBenchmarks(_ folder: TemporaryFolder) throws -> Callgrind {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = own.deletingLastPathComponent().appendingPathComponent("otp-bench-count")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw BenchError(
        "\(program.path) is missing: 'make check-instructions' builds it and checks, or build it with "
          + "'swift build -c release --package-path Benchmarks --product otp-bench-count'")
    }
    return try Callgrind(program: program, folder: folder.url)
  }
}

/// A folder for programs that are counted. It is removed with this object, and by a signal that ends the run, which ends
/// them too.
final class TemporaryFolder {
  let url: URL

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("otp-bench-\(UUID().uuidString)")
    self.url = url
    Interrupt.calls {
      BoundedProcess.endAll {
        try? FileManager.default.removeItem(at: url)
        Interrupt.end()
      }
    }
    try makeFolder(url.path)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
