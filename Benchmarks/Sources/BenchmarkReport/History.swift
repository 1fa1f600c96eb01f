package import BenchmarkResults
import Foundation
package import RunComparison

/// How the results of one machine changed, from commit to commit.
package struct History {
  package let machine: Machine

  /// In the order of their dates.
  package let entries: [Entry]

  package struct Entry {
    package let run: Run

    /// By the names of benchmarks.
    let benchmarks: [String: Measured]

    /// Against the last entry before that has the benchmark. By the names of those in ``benchmarks``.
    package let changes: [String: ComparedBenchmark]
  }

  /// One for each machine, in the order in which they come first.
  package static func all(_ results: [Results], tolerance: Tolerance) -> [History] {
    var distinct: [Results] = []
    for result in results where !distinct.contains(where: { $0.isCopy(of: result) }) {
      distinct.append(result)
    }
    var order: [Machine] = []
    let machines = Dictionary(grouping: distinct) { Machine($0.context) }
    for machine in distinct.map({ Machine($0.context) }) where !order.contains(machine) {
      order.append(machine)
    }
    return order.map { machine in
      History(machine: machine, machines[machine, default: []], tolerance)
    }
  }

  private init(machine: Machine, _ results: [Results], _ tolerance: Tolerance) {
    self.machine = machine
    var known: [String: BenchmarkResult] = [:]
    entries = Self.runs(machine, results).map { run in
      let comparison = RunComparison(
        base: Results(
          source: "before", context: [:], benchmarks: run.benchmarks.compactMap { known[$0.name] }),
        head: Results(source: "after", context: [:], benchmarks: run.benchmarks),
        tolerance: tolerance)
      for benchmark in run.benchmarks { known[benchmark.name] = benchmark }
      let measured = Dictionary(
        run.benchmarks.compactMap { benchmark in Measured(benchmark).map { (benchmark.name, $0) } }
      ) { first, _ in first }
      let changes = comparison.benchmarks.filter { measured[$0.name] != nil }
      return Entry(
        run: run, benchmarks: measured,
        changes: Dictionary(changes.map { ($0.name, $0) }) { first, _ in first })
    }
  }

  /// How many changes of all entries have a verdict.
  package func count(_ verdict: Verdict) -> Int {
    entries.reduce(0) { $0 + $1.changes.values.count { $0.verdict == verdict } }
  }

  /// The results of the latest date, with all others of that machine and commit.
  package static func latest(of results: [Results]) -> [Results] {
    guard let last = results.max(by: { (date($0), $0.source) < (date($1), $1.source) }) else {
      return []
    }
    guard let commit = knownCommit(last.context) else { return [last] }
    return results.filter {
      Machine($0.context) == Machine(last.context) && knownCommit($0.context) == commit
    }
  }

  /// Files of one commit that follow each other are one run: not all benchmarks need be in one file. Changes that are not
  /// committed may be others each time.
  private static func runs(_ machine: Machine, _ results: [Results]) -> [Run] {
    let sorted = results.sorted { (date($0), $0.source) < (date($1), $1.source) }
    var groups: [[Results]] = []
    for result in sorted {
      let commit = knownCommit(result.context)
      if let commit, !commit.hasSuffix("-dirty"), let last = groups.last?.last,
        knownCommit(last.context) == commit
      {
        groups[groups.count - 1].append(result)
      } else {
        groups.append([result])
      }
    }
    return groups.map { Run(machine: machine, commit: knownCommit($0[0].context), $0) }
  }

  /// Results without a date come first.
  private static func date(_ result: Results) -> Date {
    result.context["date"].flatMap { try? Date($0, strategy: .iso8601) } ?? .distantPast
  }
}

/// The commit, unless nobody knows it.
func knownCommit(_ context: [String: String]) -> String? {
  context["commit"].flatMap { $0.isEmpty || $0 == "unknown" ? nil : $0 }
}

extension Results {
  /// Whether both are of one file, wherever that lies.
  fileprivate func isCopy(of other: Results) -> Bool {
    context == other.context && benchmarks.map(\.name) == other.benchmarks.map(\.name)
      && benchmarks.map(\.times) == other.benchmarks.map(\.times)
  }
}
