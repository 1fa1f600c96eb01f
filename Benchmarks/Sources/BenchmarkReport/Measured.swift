package import BenchmarkResults
import Statistics

/// A benchmark as a report uses it: what its name says, and what was measured.
package struct Measured {
  package let path: BenchmarkPath

  /// Items a second, for each repetition.
  package let rates: Sample

  private let repetitions: [Repetition]

  /// - Returns: nil when there is no rate that can be.
  package init?(_ result: BenchmarkResult) {
    let rates = zip(result.repetitions, result.times).map { repetition, time in
      repetition.itemsPerSecond ?? 1e9 / time
    }
    guard let sample = Sample(rates.filter(Self.possible.contains)) else { return nil }
    path = BenchmarkPath(result.name)
    self.rates = sample
    repetitions = result.repetitions
  }

  /// What lies outside is no measurement, and no chart has room for both ends.
  private static let possible = 1e-6...1e18

  /// The middle of a counter's values, when all are possible.
  func counter(_ name: String) -> Double? {
    let values = repetitions.compactMap { $0.counters[name] }
    guard values.allSatisfy(Self.possible.contains) else { return nil }
    return Sample(values)?.median
  }

  var nanosecondsEach: Double { 1e9 / rates.median }
}

/// Values of one kind, at least one.
package struct Sample {
  package let median: Double

  /// Where the middle half is. One value says nothing about that.
  package let quartiles: ClosedRange<Double>?

  let count: Int

  init?(_ values: [Double]) {
    guard let median = values.median, let low = values.quantile(0.25),
      let high = values.quantile(0.75)
    else { return nil }
    self.median = median
    quartiles = values.count > 1 ? low...high : nil
    count = values.count
  }

  /// Of the median and the quartiles: what a chart must have room for.
  var highest: Double { max(median, quartiles?.upperBound ?? median) }

  /// Half the distance between the quartiles, as a share of the median.
  var spread: Double? {
    quartiles.map { ($0.upperBound - $0.lowerBound) / 2 / median }
  }
}
