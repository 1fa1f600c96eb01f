/// The times of single calls in a repetition, and what most of them stayed below.
package final class LatencyRecorder {
  private var nanoseconds: [UInt32] = []

  package init() {}

  package func add(_ more: [UInt32]) {
    nanoseconds += more
  }

  /// The percentiles of what was added since the last call, by their names as counters: the least time that so many
  /// of a hundred, or of a thousand, calls did not exceed.
  package func takePercentiles() -> [String: Double] {
    defer { nanoseconds.removeAll(keepingCapacity: true) }
    guard !nanoseconds.isEmpty else { return [:] }
    let sorted = nanoseconds.sorted()
    func percentile(perMille: Int) -> Double {
      // The nearest rank, counted from 1.
      let rank = (sorted.count * perMille + 999) / 1000
      return Double(sorted[max(rank, 1) - 1])
    }
    return [
      "p50_ns": percentile(perMille: 500), "p90_ns": percentile(perMille: 900),
      "p99_ns": percentile(perMille: 990), "p999_ns": percentile(perMille: 999),
    ]
  }
}
