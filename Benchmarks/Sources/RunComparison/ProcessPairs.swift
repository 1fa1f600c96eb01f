package import BenchmarkResults

/// Two executables that are measured in pairs of processes.
///
/// The processes take turns: A B, B A, A B, ... What disturbs the machine for longer than a pair meets both alike, and
/// a drift does too. Both at once, each on its own core (L. Bulej and others, "Duet Benchmarking: Improving Measurement
/// Accuracy in the Cloud", ICPE 2020), takes half the time on two idle cores and is no more exact there; with other
/// work on one of two cores, its intervals were ten times as wide.
package struct ProcessPairs: Sendable {
  private let base: BenchmarkExecutable
  private let head: BenchmarkExecutable
  private let settings: ProcessSettings

  package init(
    base: BenchmarkExecutable, head: BenchmarkExecutable, _ settings: ProcessSettings
  ) {
    self.base = base
    self.head = head
    self.settings = settings
  }

  /// - Parameters:
  ///   - count: of pairs.
  ///   - folder: for a moment, results are written to it.
  ///   - progress: called before each pair with the number of those that are done.
  package func measure(
    count: Int, in folder: String, progress: (Int) -> Void = { _ in }
  ) throws -> [(base: Results, head: Results)] {
    var pairs: [(base: Results, head: Results)] = []
    for number in 0..<count {
      progress(number)
      let pair = try measurePair(isReversed: !number.isMultiple(of: 2), in: folder)
      let first = pairs.first ?? pair
      for (results, expected) in [(pair.base, first.base), (pair.head, first.head)]
      where results.names != expected.names {
        throw UnsteadyError(source: results.source)
      }
      pairs.append(pair)
    }
    return pairs
  }

  private func measurePair(
    isReversed: Bool, in folder: String
  ) throws -> (base: Results, head: Results) {
    if isReversed {
      let head = try head.measure(settings, in: folder)
      return (try base.measure(settings, in: folder), head)
    }
    let base = try base.measure(settings, in: folder)
    return (base, try head.measure(settings, in: folder))
  }
}

extension Results {
  /// Their order is random, as that in which they were measured.
  fileprivate var names: Set<String> { Set(benchmarks.map(\.name)) }
}

/// Processes of one executable measured different benchmarks.
package struct UnsteadyError: Error, CustomStringConvertible {
  let source: String

  package var description: String {
    "\(source) has other benchmarks than that of another process of the same executable"
  }
}
