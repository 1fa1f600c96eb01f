/// By how much one sample lies above another: an estimate, an interval for it and a test of whether it is zero,
/// all three from the same ranks, so that they cannot contradict each other but for ties.
///
/// The times of benchmarks have outliers, all of them upwards, and no known distribution. Ranks need none: the test is
/// exact for small samples, and one wild value moves the estimate no more than a mildly large one. With logarithms of
/// times, a shift is the logarithm of their ratio.
///
/// The estimate is that of J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", Annals of
/// Mathematical Statistics 34 (1963); interval and tests are described by M. Hollander and D. A. Wolfe,
/// Nonparametric Statistical Methods, chapters 3 and 4.
package struct Shift: Equatable, Sendable {
  package let estimate: Double

  /// Has no bounds where the samples are too small for any.
  package let interval: ClosedRange<Double>

  /// The probability of samples that differ as much as these or more, when nothing differs.
  package let pValue: Double

  /// Whether that is exact: for small samples. Ties are taken as they are.
  package let isExact: Bool

  /// The least p-value that samples of these sizes can have: all of one lie above all of the other.
  package let leastPValue: Double

  /// Of two independent samples: the test of H. B. Mann and D. R. Whitney. Nil when one has no values.
  /// - Parameter confidence: of the interval, 0 ..< 1.
  package init?(from base: [Double], to head: [Double], confidence: Double) {
    guard !base.isEmpty, !head.isEmpty else { return nil }
    let differences = head.flatMap { head in base.map { head - $0 } }
    let distribution = NullDistribution.mannWhitney(base.count, head.count)
    let values = base + head
    self.init(
      of: differences, distribution, statistic: Self.countAboveZero(differences),
      Self.areDistinct(values)
        ? distribution
        : .mannWhitney(
          base.count, head.count, doubledRanks: NullDistribution.doubledRanks(values)),
      confidence)
  }

  /// Of differences within pairs: F. Wilcoxon's signed-rank test. What disturbs both of a pair alike is not in their
  /// difference, and when nothing differs, a difference is as likely above zero as below it by the same, which is all
  /// that the test asks for. Nil when there are no differences.
  /// - Parameter confidence: of the interval, 0 ..< 1.
  package init?(ofDifferences differences: [Double], confidence: Double) {
    guard !differences.isEmpty else { return nil }
    // Differences of zero lie on no side, so the test leaves them out, as Wilcoxon did.
    let nonzero = differences.filter { $0 != 0 }
    let magnitudes = nonzero.map(\.magnitude)
    let distribution = NullDistribution.signedRank(differences.count)
    self.init(
      of: Self.means(differences), distribution,
      statistic: Self.countAboveZero(Self.means(nonzero)),
      nonzero.count == differences.count && Self.areDistinct(magnitudes)
        ? distribution
        : .signedRank(nonzero.count, doubledRanks: NullDistribution.doubledRanks(magnitudes)),
      confidence)
  }

  /// - Parameters:
  ///   - pairwise: the values of which the estimate is the median. How many are above zero is the statistic.
  ///   - untied: how the statistic is distributed without ties.
  ///   - tested: how it is distributed with those that there are.
  private init(
    of pairwise: [Double], _ untied: NullDistribution, statistic: Double,
    _ tested: NullDistribution, _ confidence: Double
  ) {
    let sorted = pairwise.sorted()
    estimate = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let trimmed = untied.trimmedCount(confidence: confidence)
    interval =
      trimmed == 0
      ? -.infinity ... .infinity : sorted[trimmed - 1]...sorted[sorted.count - trimmed]
    pValue = tested.twoSided(statistic)
    leastPValue = untied.twoSided(0)
    isExact = tested.isExact
  }

  /// The least number of values in each of two samples with which a test can reach a level at all.
  /// - Parameter level: of the p-value, above 0.
  package static func fewestValues(level: Double) -> Int {
    fewest(level) { .mannWhitney($0, $0) }
  }

  /// The least number of pairs with which a test can reach a level at all.
  /// - Parameter level: of the p-value, above 0.
  package static func fewestPairs(level: Double) -> Int {
    fewest(level) { .signedRank($0) }
  }

  private static func fewest(_ level: Double, _ distribution: (Int) -> NullDistribution) -> Int {
    precondition(level > 0, "no test reaches zero")
    var count = 1
    while distribution(count).twoSided(0) > level { count += 1 }
    return count
  }

  /// Walsh's averages: of each two differences, and of each with itself.
  private static func means(_ differences: [Double]) -> [Double] {
    differences.indices.flatMap { first in
      differences[first...].map { (differences[first] + $0) / 2 }
    }
  }

  /// Those at zero are a half each. Of differences between samples this is Mann and Whitney's statistic, of Walsh's
  /// averages it is Wilcoxon's (J. W. Tukey).
  private static func countAboveZero(_ values: [Double]) -> Double {
    values.reduce(0) { $0 + ($1 > 0 ? 1 : $1 == 0 ? 0.5 : 0) }
  }

  private static func areDistinct(_ values: [Double]) -> Bool {
    Set(values).count == values.count
  }
}
