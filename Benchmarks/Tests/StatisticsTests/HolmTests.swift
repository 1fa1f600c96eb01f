import Statistics
import Testing

@Suite struct HolmTests {
  /// Expected values by hand from Holm's definition: the k-th least of n is multiplied by n - k + 1, no value is
  /// below that of a lesser one, and none above 1.
  @Test func adjustedValues() {
    #expect(holmAdjusted([]) == [])
    #expect(holmAdjusted([0.04]) == [0.04])
    #expect(holmAdjusted([0.25, 0.0625, 0.5, 0.125]) == [0.5, 0.25, 0.5, 0.375])
    #expect(holmAdjusted([0.75, 0.75]) == [1, 1])
    #expect(holmAdjusted([0.25, 0.1875]) == [0.375, 0.375])
  }
}
