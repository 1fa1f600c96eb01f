#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a rank statistic is distributed when nothing differs: over 0 ... `maximum`, symmetric about the middle.
struct NullDistribution {
  let maximum: Int
  private let form: Form

  private enum Form {
    /// The probability of each value and all below it.
    case exact([Double])
    case normal(standardDeviation: Double)
  }

  var isExact: Bool { if case .exact = form { true } else { false } }

  private init(maximum: Int, _ form: Form) {
    self.maximum = maximum
    self.form = form
  }

  /// - Parameter counts: in how many ways, all equally likely, each value comes about.
  private init(counts: [Double]) {
    let total = counts.reduce(0, +)
    var sum = 0.0
    self.init(
      maximum: counts.count - 1,
      .exact(
        counts.map { count in
          sum += count
          return sum / total
        }))
  }

  /// Up to here distributions are exact. Beyond it the normal approximation is good, and exact ones take long.
  static let exactSize = 25

  /// Of the Mann-Whitney statistic of samples of two sizes.
  /// - Parameter ties: how many values each group of equal ones has.
  static func mannWhitney(_ first: Int, _ second: Int, ties: [Int] = []) -> NullDistribution {
    let maximum = first * second
    guard ties.isEmpty, max(first, second) <= exactSize else {
      // Hollander and Wolfe, Nonparametric Statistical Methods, section 4.1.
      let all = Double(first + second)
      let tied = ties.map { Double($0 * $0 * $0 - $0) }.reduce(0, +)
      let variance = Double(maximum) / 12 * (all + 1 - tied / (all * (all - 1)))
      return NullDistribution(
        maximum: maximum, .normal(standardDeviation: max(0, variance).squareRoot()))
    }
    // Ways to choose a number of ranks with a sum; the least sum of `second` ranks is left out of it.
    let ranks = first + second
    let least = second * (second + 1) / 2
    var ways = [[Double]](
      repeating: [Double](repeating: 0, count: maximum + least + 1), count: second + 1)
    ways[0][0] = 1
    for rank in 1...ranks {
      for chosen in stride(from: min(rank, second), to: 0, by: -1) {
        for sum in stride(from: maximum + least, through: rank, by: -1) {
          ways[chosen][sum] += ways[chosen - 1][sum - rank]
        }
      }
    }
    return NullDistribution(counts: Array(ways[second][least...]))
  }

  /// Of Wilcoxon's signed-rank statistic of a number of differences, none of them zero.
  /// - Parameter ties: how many differences each group of the same size has.
  static func signedRank(_ count: Int, ties: [Int] = []) -> NullDistribution {
    let maximum = count * (count + 1) / 2
    guard ties.isEmpty, count <= 2 * exactSize else {
      // Hollander and Wolfe, section 3.1.
      let tied = ties.map { Double($0 * $0 * $0 - $0) }.reduce(0, +)
      let variance = Double(maximum * (2 * count + 1)) / 12 - tied / 48
      return NullDistribution(
        maximum: maximum, .normal(standardDeviation: max(0, variance).squareRoot()))
    }
    // Each rank is in the sum or not.
    var ways = [Double](repeating: 0, count: maximum + 1)
    ways[0] = 1
    for rank in stride(from: 1, through: count, by: 1) {
      for sum in stride(from: maximum, through: rank, by: -1) { ways[sum] += ways[sum - rank] }
    }
    return NullDistribution(counts: ways)
  }

  /// The probability of a value as far from the middle as this one or farther, on both sides.
  /// - Parameter value: 0 ... `maximum`; a half where ties are.
  func twoSided(_ value: Double) -> Double {
    let lower = min(value, Double(maximum) - value)
    switch form {
    case .exact(let cumulative): return min(1, 2 * cumulative[Int(lower)])
    case .normal(let standardDeviation):
      // The half is the correction for continuity.
      let distance = Double(maximum) / 2 - lower - 0.5
      guard distance > 0, standardDeviation > 0 else { return 1 }
      return erfc(distance / standardDeviation / 2.0.squareRoot())
    }
  }

  /// How many of the least and of the greatest values can be left out, so that what remains has the probability
  /// `confidence` or more.
  func trimmedCount(confidence: Double) -> Int {
    var count = 0
    while 2 * count < maximum, twoSided(Double(count)) <= 1 - confidence { count += 1 }
    return count
  }
}
