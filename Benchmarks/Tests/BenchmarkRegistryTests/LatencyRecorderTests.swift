import BenchmarkRegistry
import Testing

@Suite struct LatencyRecorderTests {
  /// Of the numbers 1 to 2,000 in any order.
  @Test func percentilesAreNearestRanks() {
    let recorder = LatencyRecorder()
    recorder.add((1...1000).shuffled())
    recorder.add((1001...2000).shuffled())
    #expect(
      recorder.takePercentiles()
        == ["p50_ns": 1000, "p90_ns": 1800, "p99_ns": 1980, "p999_ns": 1998])
  }

  @Test func fewValuesHaveTheirGreatest() {
    let recorder = LatencyRecorder()
    recorder.add([30, 10, 20])
    #expect(
      recorder.takePercentiles() == ["p50_ns": 20, "p90_ns": 30, "p99_ns": 30, "p999_ns": 30])
  }

  @Test func eachRepetitionHasItsOwn() {
    let recorder = LatencyRecorder()
    recorder.add([5])
    _ = recorder.takePercentiles()
    #expect(recorder.takePercentiles() == [:])
    recorder.add([7])
    #expect(recorder.takePercentiles()["p50_ns"] == 7)
  }
}
