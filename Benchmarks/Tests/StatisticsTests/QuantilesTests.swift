import Statistics
import Testing

@Suite struct QuantilesTests {
  /// Expected values of numpy's `quantile`, which is of the same definition.
  @Test(arguments: [
    (0, 1), (0.1, 1), (0.25, 1.75), (0.5, 3.5), (0.75, 5.25), (0.9, 6.9), (1, 9),
  ])
  func quantiles(share: Double, expected: Double) throws {
    let quantile = try #require([3, 1, 4, 1, 5, 9, 2, 6].quantile(share))
    #expect(abs(quantile - expected) < 1e-14)
  }

  @Test func medians() {
    #expect([Double]().median == nil)
    #expect([7.0].median == 7)
    #expect([7.0, 1, 2].median == 2)
    #expect([7.0, 1, 2, 4].median == 3)
  }
}
