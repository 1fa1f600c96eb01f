import BenchmarkResults
import Testing

import BenchmarkReport

@Suite struct ContestTests {
  private func measured(_ names: String...) -> [Measured] {
    names.compactMap { Measured(benchmark($0, rate: 1e6)) }
  }

  @Test func benchmarksOfOneWorkComeTogetherAndTheMainWorkIsFirst() {
    let contests = Contest.all(
      of: measured(
        "prepare/sha1/swift", "codes/sha1/shared/swift", "something/else", "settle/memory/one",
        "verify/cold/sha1/w1+1/swift/t1", "verify/warm/sha1/w0/swift/t1",
        "verify/warm/sha256/w1+1/swift/t1", "verify/warm/sha1/w1+1/swift/t1",
        "verify/warm/sha1/w1+1/openssl/t1", "verify/warm/sha1/w1+1/swift/t1/alone"), without: [])
    #expect(
      contests.map(\.pattern) == [
        "verify/warm/*/w1+1/*/t1", "verify/warm/sha1/w0/swift/t1",
        "verify/warm/sha1/w1+1/swift/t1/alone", "verify/cold/sha1/w1+1/swift/t1",
        "codes/sha1/shared/swift", "prepare/sha1/swift", "settle/memory/one", "something/else",
      ])
    #expect(contests.map(\.isHeadline) == [true] + Array(repeating: false, count: 7))
    #expect(contests[0].groups.map(\.algorithm) == ["sha1", "sha256"])
    #expect(contests[0].groups[0].members.map(\.contestantTitle) == ["openssl", "swift"])
  }

  @Test func waysOfALibraryAreOneElementOfThePattern() {
    let contest = Contest.all(
      of: measured("codes/sha1/shared/ipsec-mb/sse", "codes/sha1/shared/swift"), without: [])
    #expect(contest.map(\.pattern) == ["codes/sha1/shared/*"])
  }

  /// Batch sizes and threads that only some were measured with show how those scale.
  @Test func throughputIsShownInTheSettingThatMostShare() {
    let contest = Contest.all(
      of: measured(
        "verify/warm/sha1/w1+1/swift/b16/t1", "verify/warm/sha1/w1+1/swift/b4096/t1",
        "verify/warm/sha256/w1+1/swift/b4096/t1", "verify/warm/sha1/w1+1/swift/b4096/t2",
        "verify/warm/sha256/w1+1/swift/b4096/t2"), without: [.batch, .threads])
    #expect(contest.count == 1)
    #expect(
      contest[0].plain.members.map(\.path.name) == [
        "verify/warm/sha1/w1+1/swift/b4096/t1", "verify/warm/sha256/w1+1/swift/b4096/t1",
      ])
  }

  @Test func scalingNeedsTwoPlaces() {
    let batches = measured(
      "verify/sha1/swift/b1/t1", "verify/sha1/swift/b16/t1", "verify/sha1/openssl/b16/t1",
      "verify/sha1/gcrypt/b0/t1", "verify/sha1/gcrypt/b2/t1")
    let lines = ScalingLines(batches, along: .batch)?.lines
    // One has one place, and a logarithmic axis has no zero.
    #expect(lines?.map(\.name) == ["swift"])
    #expect(lines?.first?.points.map(\.place) == [1, 16])
    #expect(ScalingLines(batches, along: .threads) == nil)
  }

  @Test func ratesComeFromTimesWhereItemsAreNotCounted() {
    let result = BenchmarkResult(
      name: "a",
      repetitions: [
        Repetition(realTime: 1, cpuTime: 500, iterations: 1, itemsPerSecond: nil),
        Repetition(realTime: 1, cpuTime: 250, iterations: 1, itemsPerSecond: nil),
      ])
    #expect(Measured(result)?.rates.median == 3e6)
    #expect(Measured(result)?.rates.quartiles == 2.5e6...3.5e6)
    let once = Measured(benchmark("a", rates: [2e6]))
    #expect(once?.rates.median == 2e6)
    #expect(once?.rates.quartiles == nil)
  }
}
