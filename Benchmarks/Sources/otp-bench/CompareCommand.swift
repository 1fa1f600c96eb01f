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

      A regression is a benchmark that is slower by more than the tolerance, and not by chance: with
      p <= 0.05 in a two-sided rank test, corrected for the number of benchmarks. A benchmark that is
      missing from HEAD fails the comparison.

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
        try ExecutableComparison(
          base: BenchmarkExecutable(path: operands[0], programs),
          head: BenchmarkExecutable(path: operands[1], programs), names: (operands[0], operands[1]),
          options
        ).run(in: folder)
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

/// Two executables, from what they can to the report.
struct ExecutableComparison {
  let base: BenchmarkExecutable
  let head: BenchmarkExecutable

  /// What the report calls them.
  let names: (base: String, head: String)
  let options: ComparisonOptions

  init(
    base: BenchmarkExecutable, head: BenchmarkExecutable, names: (base: String, head: String),
    _ options: ComparisonOptions
  ) {
    self.base = base
    self.head = head
    self.names = names
    self.options = options
  }

  /// What BASE measures of that which is to be compared.
  /// - Throws: ``BenchError`` with its status when there is nothing, or BASE is too old to say it.
  static func baseNames(
    _ base: BenchmarkExecutable, _ name: String, _ settings: ProcessSettings
  ) throws -> [String] {
    let filter = try NameFilter(settings.filter)
    let names: [String]
    do {
      names = try base.names(within: settings.limit).filter { filter.matches($0) }
    } catch {
      throw BenchError(
        "nothing to compare with: \(name) cannot list its benchmarks: \(error)", .nothingToCompare)
    }
    guard !names.isEmpty else {
      throw BenchError(
        "nothing to compare with: \(name) has no benchmark that matches '\(settings.filter)'",
        .nothingToCompare)
    }
    return names
  }

  /// - Parameter folder: for files of the run.
  func run(in folder: String) throws -> ExitStatus {
    let settings = options.settings
    _ = try Self.baseNames(base, names.base, settings)
    let filter = try NameFilter(settings.filter)
    guard try head.names(within: settings.limit).contains(where: filter.matches) else {
      throw BenchError(
        "\(names.head) has no benchmark that matches '\(settings.filter)', and \(names.base) has")
    }
    let progress = ProgressLine()
    defer { progress.clear() }
    let pairs = try ProcessPairs(base: base, head: head, settings, try order()).measure(
      count: options.pairs, in: folder
    ) { done in
      let left =
        done == 0
        ? "" : ", \(Int(progress.seconds / Double(done) * Double(options.pairs - done))) s left"
      progress.show("pair \(done + 1) of \(options.pairs)\(left)")
    }
    progress.clear()
    return try report(
      RunComparison(
        base: names.base, head: names.head, pairs: pairs, tolerance: options.tolerance), options)
  }

  private func order() throws -> ProcessPairs.Order {
    guard options.isDuet else { return .alternating }
    let cores = allowedCores()
    guard cores.count > 1 else { throw BenchError("--duet needs two cores") }
    return .duet(cores: cores)
  }
}

/// Writes the comparison where the options say.
func report(_ comparison: RunComparison, _ options: ComparisonOptions) throws -> ExitStatus {
  func write(_ data: Data, to path: String?) throws {
    guard let path else { return }
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw BenchError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
  print(comparison.text)
  try write(Data(comparison.markdown.utf8), to: options.markdownPath)
  try write(comparison.json(), to: options.jsonPath)
  if comparison.count(.missing) > 0 { return .failed }
  if comparison.comparedCount == 0 { return .nothingToCompare }
  if comparison.count(.regression) > 0 { return .regression }
  return options.failsForImprovement && comparison.count(.improvement) > 0 ? .improvement : .fine
}

/// Runs work that starts programs, with a folder for its files. Afterwards nothing of both is left, also when the work
/// fails or a signal ends it.
func tidying(_ work: (Programs, String) throws -> ExitStatus) throws -> ExitStatus {
  let programs = Programs()
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("otp-bench-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  Interrupt.ends(programs)
  let result = Result { try work(programs, folder) }
  try? FileManager.default.removeItem(atPath: folder)
  if programs.isInterrupted { Interrupt.end() }
  return try result.get()
}

/// The cores that this process may run on.
private func allowedCores() -> [Int] {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") } ?? ""
  return line.drop { !$0.isNumber }.split(separator: ",").flatMap { range -> [Int] in
    let ends = range.split(separator: "-").compactMap { Int($0) }
    return ends.isEmpty ? [] : Array(ends[0]...ends[ends.count - 1])
  }
}
