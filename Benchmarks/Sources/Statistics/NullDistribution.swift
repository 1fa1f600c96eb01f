#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a rank statistic is distributed when nothing differs: over 0 ... `maximum`, with its mean in the middle.
struct NullDistribution {
  let maximum: Int
  private let form: Form

  private enum Form {
    /// The probability of each distance from the middle, in halves, and of all above it.
    case exact([Double])
    case normal(standardDeviation: Double)
  }

  var isExact: Bool { if case .exact = form { true } else { false } }

  private init(maximum: Int, _ form: Form) {
    self.maximum = maximum
    self.form = form
  }

  /// - Parameter counts: in how many ways, all equally likely, each value comes about, in halves: ties make some.
  private init(counts: [Double]) {
    let maximum = (counts.count - 1) / 2
    var distances = [Double](repeating: 0, count: maximum + 1)
    for (value, count) in counts.enumerated() { distances[abs(value - maximum)] += count }
    let total = counts.reduce(0, +)
    var sum = 0.0
    for distance in distances.indices.reversed() {
      sum += distances[distance]
      distances[distance] = sum / total
    }
    self.init(maximum: maximum, .exact(distances))
  }

  /// Up to here distributions are exact. Beyond it the normal approximation is good, and exact ones take long.
  static let exactSize = 25

  /// Twice the ranks of values, the middle ones for equal values: whole numbers all the same.
  static func doubledRanks(_ values: [Double]) -> [Int] {
    let sorted = values.sorted()
    var ranks: [Int] = []
    while ranks.count < sorted.count {
      let first = ranks.count
      let end = sorted[first...].firstIndex { $0 != sorted[first] } ?? sorted.count
      ranks += repeatElement(first + 1 + end, count: end - first)
    }
    return ranks
  }

  private static func untied(_ count: Int) -> [Int] { (1...count).map { 2 * $0 } }

  /// What ties take from a variance, but for a factor.
  private static func tied(_ doubledRanks: [Int]) -> Double {
    let groups = Dictionary(grouping: doubledRanks) { $0 }.values.map { Double($0.count) }
    return groups.reduce(0) { $0 + $1 * $1 * $1 - $1 }
  }

  /// Of the Mann-Whitney statistic of samples of two sizes.
  /// - Parameter doubledRanks: of the values of both, if not all differ.
  static func mannWhitney(
    _ first: Int, _ second: Int, doubledRanks: [Int]? = nil
  ) -> NullDistribution {
    let ranks = doubledRanks ?? untied(first + second)
    let maximum = first * second
    guard max(first, second) <= exactSize else {
      // Hollander and Wolfe, Nonparametric Statistical Methods, section 4.1.
      let all = Double(first + second)
      let variance = Double(maximum) / 12 * (all + 1 - tied(ranks) / (all * (all - 1)))
      return NullDistribution(
        maximum: maximum, .normal(standardDeviation: max(0, variance).squareRoot()))
    }
    // Ways to choose a number of ranks with a sum; the least sum of `second` ranks is left out of it.
    let least = second * (second + 1)
    let greatest = 2 * maximum + least
    var ways = [[Double]](
      repeating: [Double](repeating: 0, count: greatest + 1), count: second + 1)
    ways[0][0] = 1
    for (place, rank) in ranks.enumerated() {
      for chosen in stride(from: min(place + 1, second), to: 0, by: -1) {
        for sum in stride(from: greatest, through: rank, by: -1) {
          ways[chosen][sum] += ways[chosen - 1][sum - rank]
        }
      }
    }
    return NullDistribution(counts: Array(ways[second][least...]))
  }

  /// Of Wilcoxon's signed-rank statistic of a number of differences, none of them zero.
  /// - Parameter doubledRanks: of their magnitudes, if not all differ.
  static func signedRank(_ count: Int, doubledRanks: [Int]? = nil) -> NullDistribution {
    let maximum = count * (count + 1) / 2
    guard count > 0 else { return NullDistribution(counts: [1]) }
    let ranks = doubledRanks ?? untied(count)
    guard count <= 2 * exactSize else {
      // Hollander and Wolfe, section 3.1.
      let variance = Double(maximum * (2 * count + 1)) / 12 - tied(ranks) / 48
      return NullDistribution(
        maximum: maximum, .normal(standardDeviation: max(0, variance).squareRoot()))
    }
    // Each rank is in the sum or not.
    var ways = [Double](repeating: 0, count: 2 * maximum + 1)
    ways[0] = 1
    for rank in ranks {
      for sum in stride(from: 2 * maximum, through: rank, by: -1) { ways[sum] += ways[sum - rank] }
    }
    return NullDistribution(counts: ways)
  }

  /// The probability of a value as far from the middle as this one or farther, on both sides.
  /// - Parameter value: 0 ... `maximum`; a half where ties are.
  func twoSided(_ value: Double) -> Double {
    let distance = abs(value - Double(maximum) / 2)
    switch form {
    case .exact(let probabilities): return probabilities[Int(2 * distance)]
    case .normal(let standardDeviation):
      // The half is the correction for continuity.
      guard distance > 0.5, standardDeviation > 0 else { return 1 }
      return erfc((distance - 0.5) / standardDeviation / 2.0.squareRoot())
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
