package import BenchmarkResults
import Foundation
import Statistics

/// Two states of the code, compared benchmark by benchmark.
package struct RunComparison: Sendable {
  /// How the results came about, which decides how they are compared.
  package enum Design: Equatable, Sendable {
    /// A number of pairs of processes, the two of a pair close together in time.
    case pairs(Int)

    /// A process for each side, at any times.
    case independent
  }

  package let base: String
  package let head: String
  package let design: Design
  package let tolerance: Tolerance

  /// By name, those that are missing from HEAD at the end.
  package let benchmarks: [ComparedBenchmark]

  /// What differs between the sides beside the code, a line each.
  package let warnings: [String]

  /// Of the intervals, and 1 minus the level of the tests.
  package static let confidence = 0.95

  /// Compares the repetitions of one process a side. What differs between processes, such as where their memory lies,
  /// is not in them, so that a small difference may come from there.
  package init(base: Results, head: Results, tolerance: Tolerance) {
    self.init(
      base: base.source, head: head.source, design: .independent, tolerance,
      contexts: (base.context, head.context), base.benchmarks.map(\.name),
      head.benchmarks.map(\.name)
    ) { name in
      guard let base = base[name], let head = head[name] else { return nil }
      let times = Times(base: [base], head: [head])
      return Samples(
        base: times.base[0], head: times.head[0],
        shift: Shift(
          from: times.base[0].map { log($0) }, to: times.head[0].map { log($0) },
          confidence: Self.confidence))
    }
  }

  /// Compares pairs of processes.
  ///
  /// A process is one value: the least time of its repetitions. Its memory lies where it lies for all of them, so
  /// that they are not independent; what disturbs it only adds to the time; and each repetition is a mean of many
  /// calls, so that what the code itself does now and then is in the least one too.
  /// - Parameter pairs: one at least; all of a side with the benchmarks of the first.
  package init(
    base: String, head: String, pairs: [ProcessPairs.Pair], tolerance: Tolerance
  ) {
    self.init(
      base: base, head: head, design: .pairs(pairs.count), tolerance,
      contexts: (pairs[0].base.context, pairs[0].head.context),
      pairs[0].base.benchmarks.map(\.name), pairs[0].head.benchmarks.map(\.name)
    ) { name in
      let bases = pairs.compactMap { $0.base[name] }
      let heads = pairs.compactMap { $0.head[name] }
      guard bases.count == pairs.count, heads.count == pairs.count else { return nil }
      let times = Times(base: bases, head: heads)
      let base = times.base.map { $0.min() ?? .nan }
      let head = times.head.map { $0.min() ?? .nan }
      return Samples(
        base: base, head: head,
        shift: Shift(
          ofDifferences: zip(base, head).map { log($1 / $0) }, confidence: Self.confidence))
    }
  }

  private init(
    base: String, head: String, design: Design, _ tolerance: Tolerance,
    contexts: (base: [String: String], head: [String: String]), _ baseNames: [String],
    _ headNames: [String], samples: (String) -> Samples?
  ) {
    self.base = base
    self.head = head
    self.design = design
    self.tolerance = tolerance
    warnings = contextDifferences(base: contexts.base, head: contexts.head)
    let compared = headNames.sorted().map { name in
      (name, baseNames.contains(name) ? samples(name) : nil)
    }
    let adjusted = holmAdjusted(compared.compactMap { $0.1?.shift.pValue })
    var next = adjusted.makeIterator()
    benchmarks =
      compared.map { name, samples in
        guard let samples, let pValue = next.next() else {
          return ComparedBenchmark(name: name, verdict: .new)
        }
        return ComparedBenchmark(name: name, samples, adjustedPValue: pValue, tolerance)
      }
      + baseNames.sorted().filter { !headNames.contains($0) }
      .map { ComparedBenchmark(name: $0, verdict: .missing) }
  }

  package func count(_ verdict: Verdict) -> Int {
    benchmarks.count { $0.verdict == verdict }
  }

  /// Whether every interval is narrower than the tolerance, wherever it lies.
  package var isPrecise: Bool {
    benchmarks.compactMap(\.interval).allSatisfy {
      $0.upperBound <= $0.lowerBound * tolerance.ratios.upperBound
    }
  }

  /// Benchmarks that both sides have.
  package var comparedCount: Int { benchmarks.count { $0.times != nil } }

  /// The least number of pairs, or of repetitions on each side, with which any of so many tests can find something by
  /// itself: Holm's first step takes the level divided by their number.
  package var fewestValues: Int {
    let level = (1 - Self.confidence) / Double(max(comparedCount, 1))
    return switch design {
    case .pairs: Shift.fewestPairs(level: level)
    case .independent: Shift.fewestValues(level: level)
    }
  }

  /// Benchmarks that are inconclusive whatever their times: they have too few values.
  package var tooShortCount: Int {
    benchmarks.count { benchmark in
      guard benchmark.verdict == .inconclusive, let least = benchmark.leastPValue else {
        return false
      }
      return least * Double(comparedCount) > 1 - Self.confidence
    }
  }
}

/// How much slower or faster counts as a change.
package struct Tolerance: Equatable, Sendable {
  package let percent: Double

  package init(percent: Double) { self.percent = percent }

  /// Ratios of HEAD's time to BASE's that are no change: up to so much slower, and as much faster, so that a change
  /// and its reversal are judged alike.
  package var ratios: ClosedRange<Double> { 1 / (1 + percent / 100)...(1 + percent / 100) }
}

package enum Verdict: String, Sendable, CaseIterable {
  /// Slower by more than the tolerance, and not by chance.
  case regression

  /// Faster by more than the tolerance, and not by chance.
  case improvement

  /// The interval lies within the tolerance.
  case noChange = "no change"

  /// The interval reaches beyond the tolerance: more repetitions would tell.
  case inconclusive

  /// Only HEAD has it.
  case new

  /// Only BASE has it.
  case missing
}

/// What the comparison says of one benchmark.
package struct ComparedBenchmark: Sendable {
  package let name: String
  package let verdict: Verdict

  /// Medians of both sides, in nanoseconds an item, or an iteration where items are not counted. Nil where one of the
  /// sides does not have the benchmark, as are the others.
  package let times: (base: Double, head: Double)?

  /// HEAD's time to BASE's, by Hodges and Lehmann's estimate of the shift between logarithms: where both sides
  /// differ by a factor only, that of their medians.
  package let ratio: Double?
  package let interval: ClosedRange<Double>?
  package let pValue: Double?

  /// By Holm's correction for as many tests as there are.
  package let adjustedPValue: Double?

  /// The least p-value, before the correction, that so many values can have.
  package let leastPValue: Double?

  fileprivate init(name: String, verdict: Verdict) {
    self.name = name
    self.verdict = verdict
    (times, ratio, interval) = (nil, nil, nil)
    (pValue, adjustedPValue, leastPValue) = (nil, nil, nil)
  }

  fileprivate init(
    name: String, _ samples: Samples, adjustedPValue: Double, _ tolerance: Tolerance
  ) {
    let ratio = exp(samples.shift.estimate)
    let interval =
      exp(samples.shift.interval.lowerBound)...exp(samples.shift.interval.upperBound)
    self.name = name
    self.ratio = ratio
    self.interval = interval
    pValue = samples.shift.pValue
    self.adjustedPValue = adjustedPValue
    leastPValue = samples.shift.leastPValue
    times = (samples.base.median ?? .nan, samples.head.median ?? .nan)
    verdict =
      if adjustedPValue <= 1 - RunComparison.confidence, !tolerance.ratios.contains(ratio) {
        ratio > 1 ? .regression : .improvement
      } else if tolerance.ratios.contains(interval.lowerBound),
        tolerance.ratios.contains(interval.upperBound)
      {
        .noChange
      } else {
        .inconclusive
      }
  }
}

/// What is compared of one benchmark: values of both sides, and what the ranks say.
private struct Samples {
  let base: [Double]
  let head: [Double]
  let shift: Shift

  init?(base: [Double], head: [Double], shift: Shift?) {
    guard let shift else { return nil }
    self.base = base
    self.head = head
    self.shift = shift
  }
}

/// The times of each process of both sides: for each item where both count them, since a change of their number in a
/// body is no change of the code, and otherwise for each iteration.
private struct Times {
  let base: [[Double]]
  let head: [[Double]]

  init(base: [BenchmarkResult], head: [BenchmarkResult]) {
    let itemTimes = (base.map(\.timesPerItem), head.map(\.timesPerItem))
    if itemTimes.0.allSatisfy({ $0 != nil }), itemTimes.1.allSatisfy({ $0 != nil }) {
      self.base = itemTimes.0.compactMap { $0 }
      self.head = itemTimes.1.compactMap { $0 }
    } else {
      self.base = base.map(\.times)
      self.head = head.map(\.times)
    }
  }
}

extension BenchmarkResult {
  /// Nanoseconds an item, in the time that counts. Nil where items are not counted, or no rate can be.
  fileprivate var timesPerItem: [Double]? {
    let times = repetitions.compactMap(\.itemsPerSecond).map { 1e9 / $0 }
    guard times.count == repetitions.count, times.allSatisfy(Self.possibleTimes.contains) else {
      return nil
    }
    return times
  }
}
