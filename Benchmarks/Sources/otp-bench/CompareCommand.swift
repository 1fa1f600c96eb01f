import BenchmarkRegistry
import BenchmarkResults
import Foundation
import RunComparison

extension Command {
  static let compare = Command(
    name: "compare", summary: "Says what became slower or faster from one state to another.",
    help: """
      Usage: otp-bench compare [OPTION...] BASE HEAD

      BASE and HEAD are two JSON files that 'run --json' wrote, or two otp-bench executables. Executables are
      measured here, in pairs of processes that take turns (A B, B A, ...), so that what disturbs the machine
      meets both: prefer them.

      "Not by chance" means p <= 0.05 in a two-sided rank test, corrected for the number of benchmarks.

      \(ComparisonOptions.verdicts)

      Options:
      \(ComparisonOptions.help(filter: "needed for executables"))

      \(ExitStatus.help)

      """
  ) { words in
    var words = words
    var options = ComparisonOptions()
    var operands: [String] = []
    while let word = words.next() {
      if try options.take(word, &words) { continue }
      guard !word.hasPrefix("-"), operands.count < 2 else { throw words.unknown(word) }
      operands.append(word)
    }
    guard operands.count == 2 else { throw BenchError("BASE and HEAD are needed") }
    switch (isExecutable(operands[0]), isExecutable(operands[1])) {
    case (false, false): return try compareFiles(operands[0], operands[1], options)
    case (true, true):
      guard options.filter != nil else { throw BenchError("executables need a --filter") }
      return try tidying { programs, folder in
        func side(_ path: String) -> ExecutableComparison.Side {
          .init(executable: BenchmarkExecutable(path: path, programs), name: path)
        }
        let comparison = try ExecutableComparison(
          base: side(operands[0]), head: side(operands[1]), options: options
        ).measured(in: folder)
        return try report(comparison, options)
      }
    default: throw BenchError("BASE and HEAD must be two files of results or two executables")
    }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }

  private static func compareFiles(
    _ base: String, _ head: String, _ options: ComparisonOptions
  ) throws -> ExitStatus {
    let filter = try options.filter.map { try NameFilter($0) }
    func read(_ path: String) throws -> Results {
      let results = try Results(contentsOf: path)
      return Results(
        source: results.source, context: results.context,
        benchmarks: results.benchmarks.filter { filter?.matches($0.name) ?? true })
    }
    return try report(
      RunComparison(base: read(base), head: read(head), tolerance: options.tolerance), options)
  }
}
