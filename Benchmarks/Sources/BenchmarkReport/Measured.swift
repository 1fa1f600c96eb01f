import BenchmarkResults

/// A benchmark as a report uses it: what its name says, and what was measured.
struct Measured {
  let path: BenchmarkPath

  /// Items a second, for each repetition.
  let rates: Sample

  private let repetitions: [Repetition]

  /// - Returns: nil when there is no rate that can be.
  init?(_ result: BenchmarkResult) {
    let rates = zip(result.repetitions, result.times).map { repetition, time in
      repetition.itemsPerSecond ?? 1e9 / time
    }
    guard let sample = Sample(rates.filter { $0.isFinite && $0 > 0 }) else { return nil }
    path = BenchmarkPath(result.name)
    self.rates = sample
    repetitions = result.repetitions
  }

  /// The middle of a counter's values, when all are finite and above zero.
  func counter(_ name: String) -> Double? {
    let values = repetitions.compactMap { $0.counters[name] }
    guard values.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
    return Sample(values)?.median
  }

  var nanosecondsEach: Double { 1e9 / rates.median }
}

/// Values of one kind, at least one.
struct Sample {
  private let sorted: [Double]

  init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    sorted = values.sorted()
  }

  var count: Int { sorted.count }

  var median: Double { quantile(0.5) }

  /// Where the middle half is. One value says nothing about that.
  var quartiles: ClosedRange<Double>? {
    count > 1 ? quantile(0.25)...quantile(0.75) : nil
  }

  /// Half the distance between the quartiles, as a share of the median.
  var spread: Double? {
    quartiles.map { ($0.upperBound - $0.lowerBound) / 2 / median }
  }

  /// Linear between the values.
  private func quantile(_ share: Double) -> Double {
    let place = share * Double(count - 1)
    let below = Int(place)
    guard below + 1 < count else { return sorted[count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }
}
