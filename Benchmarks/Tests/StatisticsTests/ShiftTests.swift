import Foundation
import Statistics
import Testing

/// Values named "scipy" were computed with scipy 1.17.1, whose code shares nothing with this one.
@Suite struct ShiftTests {
  // MARK: Published values

  /// Permeability of the human chorioamnion at term and at 12 to 26 weeks. Hollander and Wolfe, Nonparametric
  /// Statistical Methods, examples 4.1, 4.3 and 4.4: one-sided 0.1272, and R's `wilcox.test` documents the same.
  /// The interval of 96 % was checked by listing all 3,003 orders of the ranks.
  @Test func permeability() throws {
    let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    let early = [1.15, 0.88, 0.90, 0.74, 1.21]
    let shift = try #require(Shift(from: early, to: term, confidence: 0.95))
    #expect(shift.isExact)
    #expect(abs(shift.pValue - 0.2544122544122544) < 1e-14)
    #expect(abs(shift.estimate - 0.305) < 1e-14)
    #expect(shift.interval.isNear(-0.15...0.76))
  }

  /// Depression before and after a tranquilizer. Hollander and Wolfe, examples 3.1, 3.3 and 3.4: one-sided 0.0195,
  /// estimate -0.46, interval of 96.1 % from -0.786 to -0.010.
  @Test func depression() throws {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    let shift = try #require(
      Shift(ofDifferences: zip(before, after).map { $1 - $0 }, confidence: 0.95))
    #expect(shift.isExact)
    #expect(abs(shift.pValue - 0.0390625) < 1e-15)
    #expect(abs(shift.estimate - -0.46) < 1e-14)
    #expect(shift.interval.isNear(-0.786 ... -0.010))
  }

  // MARK: Values of scipy

  /// `mannwhitneyu(method='exact')` of 0, 1, 2 ... and of the same moved.
  @Test(arguments: [
    (3, 3, 1.75, 0.2), (4, 4, 2.75, 0.05714285714285714), (9, 9, 4.75, 0.005635540929658576),
    (10, 12, 5.75, 0.0004299106466289129), (25, 25, 8.75, 0.00043355745784660936),
    (25, 20, 4.75, 0.37056116412519835),
  ])
  func exactMannWhitney(first: Int, second: Int, moved: Double, expected: Double) throws {
    let base = (0..<first).map(Double.init)
    let head = (0..<second).map { Double($0) + moved }
    let shift = try #require(Shift(from: base, to: head, confidence: 0.95))
    let reverse = try #require(Shift(from: head, to: base, confidence: 0.95))
    #expect(shift.isExact)
    #expect(abs(shift.pValue / expected - 1) < 1e-12)
    #expect(abs(reverse.pValue / expected - 1) < 1e-12)
    #expect(reverse.estimate == -shift.estimate)
    #expect(reverse.interval == -shift.interval.upperBound ... -shift.interval.lowerBound)
  }

  /// `mannwhitneyu(method='asymptotic')`, with the correction for continuity.
  @Test func approximateMannWhitney() throws {
    let large = try #require(
      Shift(
        from: (0..<60).map(Double.init), to: (0..<70).map { Double($0) + 10.5 }, confidence: 0.95))
    #expect(!large.isExact)
    #expect(abs(large.pValue / 4.425912609251131e-05 - 1) < 1e-12)
    let base = (0..<60).map { Double($0 / 3) }
    let head = (0..<70).map { Double($0 / 3 + 4) }
    let tied = try #require(Shift(from: base, to: head, confidence: 0.95))
    #expect(!tied.isExact)
    #expect(abs(tied.pValue / 9.483957146724502e-06 - 1) < 1e-12)
  }

  /// Of all ways to draw the second sample from the values of both, the share with a sum of ranks as far from the mean
  /// or farther: counted by a list of them all, as fractions.
  @Test(
    arguments: [
      ([1, 2, 2, 3, 4, 5, 5, 6], [2, 3, 4, 4, 5, 6, 7, 7, 8], 0.1297408473879062),
      ([1, 1, 1], [2, 2, 2], 0.1), ([1, 1, 1, 1], [2, 2, 2, 2], 0.02857142857142857),
      ([1, 1], [1, 2, 2, 3, 3], 0.19047619047619047),
    ] as [([Double], [Double], Double)])
  func tiesOfSmallSamples(base: [Double], head: [Double], expected: Double) throws {
    let shift = try #require(Shift(from: base, to: head, confidence: 0.95))
    let reverse = try #require(Shift(from: head, to: base, confidence: 0.95))
    #expect(shift.isExact)
    #expect(abs(shift.pValue / expected - 1) < 1e-14)
    #expect(reverse.pValue == shift.pValue)
  }

  /// Counted likewise: of all ways to give the differences a sign. Those of zero are left out.
  @Test(
    arguments: [
      ([1, -1, 2, 2, -3, 4, 5, 5, 6, 0, -2, 7], 0.05859375), ([1, 1, 1, 1, 1], 0.0625),
      ([1, 1, 1, 1, 1, 1], 0.03125),
    ] as [([Double], Double)])
  func tiesOfFewDifferences(differences: [Double], expected: Double) throws {
    let shift = try #require(Shift(ofDifferences: differences, confidence: 0.95))
    #expect(shift.isExact)
    #expect(abs(shift.pValue / expected - 1) < 1e-14)
  }

  /// `wilcoxon(method='exact')` of 1, 2, 3 ... with every fourth one negative.
  @Test(arguments: [
    (5, 0.8125), (6, 0.4375), (12, 0.06396484375), (20, 0.023950576782226562),
    (50, 0.0021224348550905603),
  ])
  func exactSignedRank(count: Int, expected: Double) throws {
    let differences = (0..<count).map { Double($0 + 1) * ($0.isMultiple(of: 4) ? -1 : 1) }
    let shift = try #require(Shift(ofDifferences: differences, confidence: 0.95))
    let reverse = try #require(Shift(ofDifferences: differences.map { -$0 }, confidence: 0.95))
    #expect(shift.isExact)
    #expect(abs(shift.pValue / expected - 1) < 1e-12)
    #expect(reverse.pValue == shift.pValue)
    #expect(reverse.estimate == -shift.estimate)
  }

  /// `wilcoxon(method='asymptotic', correction=True, zero_method='wilcox')`.
  @Test func approximateSignedRank() throws {
    let differences = (0..<80).map { Double($0 + 1) * ($0.isMultiple(of: 3) ? -1 : 1) }
    let large = try #require(Shift(ofDifferences: differences, confidence: 0.95))
    #expect(!large.isExact)
    #expect(abs(large.pValue / 0.009664799654326928 - 1) < 1e-12)
    let inThrees = (0..<80).map { Double($0 / 3 + 1) * ($0.isMultiple(of: 3) ? -1 : 1) }
    let tied = try #require(Shift(ofDifferences: inThrees, confidence: 0.95))
    #expect(!tied.isExact)
    #expect(abs(tied.pValue / 0.013860178766627729 - 1) < 1e-12)
  }

  /// An interval holds the shifts that the test does not refuse: the bounds are those at which scipy's exact p-value
  /// of the moved sample passes 0.05.
  @Test func intervalsInvertTheTests() throws {
    let base = [
      5.001, 5.299, 4.726, 4.109, 4.545, 4.008, 5.06, 6.34, 4.508, 4.38, 5.49, 5.357,
    ]
    let head = [
      5.737, 5.39, 5.562, 6.504, 4.853, 5.005, 5.128, 4.924, 5.206, 5.294, 4.952, 5.953, 5.804,
      5.358,
    ]
    let independent = try #require(Shift(from: base, to: head, confidence: 0.95))
    #expect(abs(independent.estimate - 0.5035) < 1e-12)
    #expect(independent.interval.isNear(0.033...0.997))
    let differences = [
      0.31, -0.12, 0.47, 0.05, 0.93, -0.29, 0.62, 0.18, 0.74, 0.22, -0.08, 0.55, 0.37, 0.81, 0.14,
    ]
    let paired = try #require(Shift(ofDifferences: differences, confidence: 0.95))
    #expect(abs(paired.estimate - 0.3275) < 1e-12)
    #expect(paired.interval.isNear(0.115...0.545))
  }

  // MARK: What must hold

  /// No order of three and three values is rarer than 1 in 10 on both sides, and none of five signs than 1 in 16.
  @Test func tooFewValuesHaveNoBounds() throws {
    let three = try #require(Shift(from: [1, 2, 3], to: [11, 12, 13.5], confidence: 0.95))
    #expect(three.interval == -.infinity ... .infinity)
    #expect(three.pValue == 0.1)
    let five = try #require(Shift(ofDifferences: [1, 2, 3, 4, 5], confidence: 0.95))
    #expect(five.interval == -.infinity ... .infinity)
    #expect(five.pValue == 0.0625)
    let six = try #require(Shift(ofDifferences: [1, 2, 3, 4, 5, 6], confidence: 0.95))
    #expect(six.interval == 1...6)
    #expect(six.pValue == 0.03125)
  }

  /// The least p-values are 2 / C(2n, n) and 2 / 2^n.
  @Test(arguments: [(0.05, 4, 6), (0.01, 5, 8), (0.05 / 100, 8, 12), (0.1, 3, 5), (1, 1, 1)])
  func fewestValuesForALevel(level: Double, values: Int, pairs: Int) throws {
    #expect(Shift.fewestValues(level: level) == values)
    #expect(Shift.fewestPairs(level: level) == pairs)
    let low = (0..<values).map(Double.init)
    let apart = try #require(
      Shift(from: low, to: low.map { $0 + 1000.5 }, confidence: 1 - level))
    #expect(apart.pValue == apart.leastPValue)
    #expect(apart.leastPValue <= level)
    let differences = (0..<pairs).map { Double($0 + 1) }
    let paired = try #require(Shift(ofDifferences: differences, confidence: 1 - level))
    #expect(paired.pValue == paired.leastPValue)
    #expect(paired.leastPValue <= level)
  }

  @Test func nothingAndEqualValues() throws {
    #expect(Shift(from: [], to: [1], confidence: 0.95) == nil)
    #expect(Shift(from: [1], to: [], confidence: 0.95) == nil)
    #expect(Shift(ofDifferences: [], confidence: 0.95) == nil)
    let same = [Double](repeating: 2, count: 30)
    let independent = try #require(Shift(from: same, to: same, confidence: 0.95))
    #expect(independent.pValue == 1)
    #expect(independent.interval == 0...0)
    let paired = try #require(
      Shift(ofDifferences: same.map { $0 - 2 }, confidence: 0.95))
    #expect(paired.pValue == 1)
    #expect(paired.interval == 0...0)
  }

  /// Among samples of one distribution, an interval of 90 % must leave zero out in 10 % at most, and not in far fewer.
  /// The generator has a fixed seed, so that the counts are always the same.
  @Test(arguments: [8, 20, 40])
  func intervalsCoverAsOftenAsTheySay(count: Int) throws {
    var generator = SplitMix64(state: 1)
    func skewed() -> Double { -log(1 - Double.random(in: 0..<1, using: &generator)) }
    var missed = (independent: 0, paired: 0)
    for _ in 0..<1000 {
      let base = (0..<count).map { _ in skewed() }
      let head = (0..<count).map { _ in skewed() }
      let independent = try #require(Shift(from: base, to: head, confidence: 0.9))
      let paired = try #require(
        Shift(ofDifferences: zip(base, head).map { $1 - $0 }, confidence: 0.9))
      if !independent.interval.contains(0) { missed.independent += 1 }
      if !paired.interval.contains(0) { missed.paired += 1 }
      // Estimate, interval and test are one.
      #expect(independent.interval.contains(independent.estimate))
      #expect((independent.pValue <= 0.1) == !independent.interval.contains(0))
      #expect((paired.pValue <= 0.1) == !paired.interval.contains(0))
    }
    // Four standard deviations of a count of 1,000 at 10 % are 38; small samples have steps of up to 2 %.
    #expect((42...138).contains(missed.independent), "\(missed)")
    #expect((42...138).contains(missed.paired), "\(missed)")
  }
}

/// G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension ClosedRange<Double> {
  fileprivate func isNear(_ other: ClosedRange<Double>) -> Bool {
    abs(lowerBound - other.lowerBound) < 1e-12 && abs(upperBound - other.upperBound) < 1e-12
  }
}
