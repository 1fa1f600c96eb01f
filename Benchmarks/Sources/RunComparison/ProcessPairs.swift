package import BenchmarkResults

/// Two executables that are measured in pairs of processes.
///
/// The processes take turns: A B, B A, A B, ... What disturbs the machine for longer than a pair meets both alike, and
/// a drift does too. Both at once, each on its own core (L. Bulej and others, "Duet Benchmarking: Improving Measurement
/// Accuracy in the Cloud", ICPE 2020), takes half the time on two idle cores and is no more exact there; with other
/// work on one of two cores, its intervals were ten times as wide.
package struct ProcessPairs: Sendable {
  package typealias Pair = (base: Results, head: Results)

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
  ///   - least: the number of pairs before it asks whether they are enough.
  ///   - folder: for a moment, results are written to it.
  ///   - progress: called before each pair with the number of those that are done.
  ///   - areEnough: asked after `least` pairs, and then after every half as many again, up to three times `least`.
  ///     It must not depend on which side is slower, or differences that are none would be found more often.
  package func measure(
    least: Int, in folder: String, progress: (Int) -> Void = { _ in },
    areEnough: ([Pair]) -> Bool
  ) throws -> [Pair] {
    var pairs: [Pair] = []
    let step = max(least / 2, 1)
    while pairs.count < 3 * least {
      let isTimeToAsk = pairs.count >= least && (pairs.count - least).isMultiple(of: step)
      if isTimeToAsk, areEnough(pairs) { break }
      progress(pairs.count)
      let pair = try measurePair(isReversed: !pairs.count.isMultiple(of: 2), in: folder)
      let first = pairs.first ?? pair
      for (results, expected) in [(pair.base, first.base), (pair.head, first.head)]
      where results.names != expected.names {
        throw UnsteadyError(source: results.source)
      }
      pairs.append(pair)
    }
    return pairs
  }

  private func measurePair(isReversed: Bool, in folder: String) throws -> Pair {
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
