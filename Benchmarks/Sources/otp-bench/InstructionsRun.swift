import BenchmarkRegistry
import BenchmarkResults
import Foundation
import Instructions
import RunComparison
import Synchronization

/// One run of `instructions record` or `instructions check`.
struct InstructionsRun {
  private let options: InstructionsOptions
  private let suite: Suite
  private let filter: NameFilter?
  private let conditions: CountConditions
  private let callgrind: Callgrind
  private let folder: TemporaryFolder

  init(_ options: InstructionsOptions) throws {
    self.options = options
    suite = try Suite()
    filter = try options.filter.map { try NameFilter($0) }
    folder = try TemporaryFolder()
    callgrind = try .ofBenchmarks(folder)
    conditions = CountConditions(suite.backends, valgrind: callgrind.version)
  }

  /// What a benchmark may take; it takes a second or two.
  private static let secondsEach = 120

  // MARK: Record

  func record() throws -> ExitStatus {
    var sets: [(set: CountedSet, kept: [String: Thresholds.Recorded])] = []
    var notCounted: [String] = []
    for set in CountedSet.all where !names(set).isEmpty {
      if let reason = conditions.obstacle(to: set) {
        notCounted.append("\(set.name): \(reason)")
      } else {
        sets.append((set, try keptCounts(set)))
      }
    }
    guard !sets.isEmpty || !notCounted.isEmpty else { throw Self.noneMatches }
    let files = try outputs(sets.map(\.set))
    let counts = try count(sets.map(\.set))
    for ((set, kept), output) in zip(sets, files) {
      let new = (counts[set.name] ?? [:]).mapValues { Thresholds.Recorded($0) }
      let thresholds = Thresholds(
        conditions: conditions.conditions(of: set), counts: kept.merging(new) { $1 })
      try output.write(Data(thresholds.text.utf8))
      print("\(file(set).relativePath): \(counted(new.count, "benchmark")) recorded")
    }
    for reason in notCounted { print("not counted: \(reason)") }
    return notCounted.isEmpty ? .fine : .nothingToCompare
  }

  /// The files that will be written, with their folder.
  private func outputs(_ sets: [CountedSet]) throws -> [OutputFile] {
    try makeFolder(options.folder)
    return try sets.map { try OutputFile(file($0).path) }
  }

  /// What a filter leaves as it is.
  private func keptCounts(_ set: CountedSet) throws -> [String: Thresholds.Recorded] {
    guard let filter, let old = try thresholds(set) else { return [:] }
    if let difference = conditions.difference(from: old, set) {
      throw BenchError("\(set.name): \(difference); record all of it, without --filter")
    }
    return old.counts.filter { !filter.matches($0.key) }
  }

  // MARK: Check

  func check() throws -> ExitStatus {
    var sets: [(set: CountedSet, thresholds: Thresholds)] = []
    var notCompared: [String] = []
    for set in CountedSet.all {
      if let reason = conditions.obstacle(to: set) {
        if !names(set).isEmpty { notCompared.append("\(set.name): \(reason)") }
        continue
      }
      guard var old = try thresholds(set) else {
        if !names(set).isEmpty { throw missingFile(set) }
        continue
      }
      if let filter { old.counts = old.counts.filter { filter.matches($0.key) } }
      if old.counts.isEmpty && names(set).isEmpty { continue }
      if let reason = conditions.difference(from: old, set) {
        notCompared.append("\(set.name): \(reason)")
      } else {
        sets.append((set, old))
      }
    }
    guard !sets.isEmpty || !notCompared.isEmpty else { throw Self.noneMatches }
    let counts = try count(sets.map(\.set))
    for reason in notCompared { print("not compared: \(reason)") }
    guard !sets.isEmpty else { return .nothingToCompare }
    let report = CheckReport(
      sets.map { set, thresholds in
        (set.name, ThresholdCheck(counts[set.name] ?? [:], against: thresholds))
      },
      countedBenchmarks: counts.values.reduce(0) { $0 + $1.count },
      namesImprovements: options.isStrict, recordCommand: options.recordCommand)
    for line in report.lines { print(line) }
    return status(report, isComplete: notCompared.isEmpty)
  }

  private func status(_ report: CheckReport, isComplete: Bool) -> ExitStatus {
    if report.count(.missing) > 0 { return .failed }
    if report.count(.regression) + report.count(.moreAllocations) > 0 { return .regression }
    if !isComplete { return .nothingToCompare }
    let hasImproved = report.count(.improvement) + report.count(.fewerAllocations) > 0
    return options.isStrict && hasImproved ? .improvement : .fine
  }

  // MARK: Both

  /// The benchmarks of a set that are asked for.
  private func names(_ set: CountedSet) -> [String] {
    suite.registry.benchmarks.map(\.name).filter { name in
      set.contains(name) && filter?.matches(name) ?? true
    }
  }

  private func file(_ set: CountedSet) -> URL {
    URL(
      fileURLWithPath: "\(set.name).txt",
      relativeTo: URL(fileURLWithPath: options.folder, isDirectory: true))
  }

  /// What was recorded; nil when nothing was.
  private func thresholds(_ set: CountedSet) throws -> Thresholds? {
    let file = file(set)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let text: Data
    do {
      text = try Data(contentsOf: file)
    } catch {
      throw BenchError("\(file.path) cannot be read: \(fileSystemReason(error))")
    }
    return try Thresholds(String(decoding: text, as: UTF8.self), file: file.relativePath)
  }

  /// The error for a file, or the folder of all, that should be there: a gate must not pass without it.
  private func missingFile(_ set: CountedSet) -> BenchError {
    let missing =
      FileManager.default.fileExists(atPath: options.folder) ? file(set).path : options.folder
    return BenchError(
      "\(missing) is not there: name the folder with --folder, or run '\(options.recordCommand)'")
  }

  private static var noneMatches: BenchError {
    BenchError("no benchmark that is counted matches the filter")
  }

  /// - Returns: by the set's name, and then by the benchmark's.
  private func count(_ sets: [CountedSet]) throws -> [String: [String: Count]] {
    // Each set in as many parts as there are processors.
    let parts = ProcessInfo.processInfo.activeProcessorCount
    let requests = sets.flatMap { set in
      (0..<parts).map { part in
        let names = names(set).enumerated().filter { $0.offset % parts == part }.map(\.element)
        return (
          set: set.name,
          request: Callgrind.Request(
            names, arguments: ["benchmarks"],
            environment: set.kernel.map { [("OTP_KERNEL", $0)] } ?? [],
            secondsEach: Self.secondsEach)
        )
      }
    }.filter { !$0.request.names.isEmpty }
    let total = requests.reduce(0) { $0 + $1.request.names.count }
    let line = ProgressLine()
    defer { line.clear() }
    let done = Atomic(0)
    let counts = try callgrind.counts(requests.map(\.request)) { name in
      line.show("\(done.add(1, ordering: .relaxed).newValue)/\(total)  \(name)")
    }
    return zip(requests, counts).reduce(into: [:]) { result, part in
      result[part.0.set, default: [:]].merge(part.1) { first, _ in first }
    }
  }
}
