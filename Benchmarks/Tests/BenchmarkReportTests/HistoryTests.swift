import BenchmarkResults
import RunComparison
import Testing

import BenchmarkReport

@Suite struct HistoryTests {
  private let name = "verify/warm/sha1/w1+1/swift/t1"
  private let tolerance = Tolerance(percent: 3)

  private func run(
    _ commit: String?, _ date: String, _ rate: Double, host: String = "alpha",
    name: String? = nil, source: String = "x"
  ) -> Results {
    results(
      [benchmark(name ?? self.name, rate: rate)], source: source, date: date, commit: commit,
      host: host)
  }

  private func commits(_ history: History) -> [String?] { history.entries.map(\.run.commit) }

  private func verdicts(_ history: History, _ name: String? = nil) -> [Verdict?] {
    history.entries.map { $0.changes[name ?? self.name]?.verdict }
  }

  @Test func entriesAreInTheOrderOfTheirDatesWhateverTheirZones() throws {
    let histories = History.all(
      [
        run("c", "2026-03-01T10:00:00+00:00", 1e6), run("a", "2026-03-01T10:30:00+02:00", 1e6),
        run("b", "2026-03-01T04:00:00-05:00", 1e6), run("undated", "some day", 1e6),
      ], tolerance: tolerance)
    #expect(histories.count == 1)
    #expect(commits(histories[0]) == ["undated", "a", "b", "c"])
  }

  @Test func machinesAreKeptApart() {
    let histories = History.all(
      [
        run("a", "2026-01-01T10:00:00Z", 1e6), run("a", "2026-01-01T10:00:00Z", 5e5, host: "beta"),
        run("b", "2026-01-02T10:00:00Z", 1e6), run("b", "2026-01-02T10:00:00Z", 5e5, host: "beta"),
      ], tolerance: tolerance)
    #expect(histories.map(\.machine.host) == ["alpha", "beta"])
    for history in histories {
      #expect(commits(history) == ["a", "b"])
      #expect(verdicts(history) == [.new, .noChange])
    }
  }

  @Test func regressionsAreThoseOfCompare() {
    let rates = [1e6, 0.99e6, 0.9e6, 0.9e6, 1.1e6]
    let runs = rates.enumerated().map { run("\($0)", "2026-01-0\($0 + 1)T10:00:00Z", $1) }
    let history = History.all(runs.reversed(), tolerance: tolerance)[0]
    #expect(verdicts(history) == [.new, .noChange, .regression, .noChange, .improvement])
    for (base, head) in zip(runs, runs.dropFirst()) {
      let compared = RunComparison(base: base, head: head, tolerance: tolerance).benchmarks[0]
      let shown = history.entries.first { $0.run.commit == head.context["commit"] }?.changes[name]
      #expect(shown?.verdict == compared.verdict)
      #expect(shown?.ratio == compared.ratio)
    }
    let generous = History.all(runs, tolerance: Tolerance(percent: 50))[0]
    #expect(!verdicts(generous).contains(.regression))
  }

  /// A benchmark that one run left out is compared with the run before that.
  @Test func gapsHideNothing() {
    let history = History.all(
      [
        run("a", "2026-01-01T10:00:00Z", 1e6),
        run("b", "2026-01-02T10:00:00Z", 1e6, name: "prepare/sha1/swift"),
        run("c", "2026-01-03T10:00:00Z", 8e5),
      ], tolerance: tolerance)[0]
    #expect(verdicts(history) == [.new, nil, .regression])
  }

  @Test func filesOfOneCommitThatFollowEachOtherAreOneRun() {
    let history = History.all(
      [
        run("a", "2026-01-01T10:00:00Z", 1e6),
        run("a", "2026-01-01T11:00:00Z", 1e6, name: "prepare/sha1/swift"),
        run("b", "2026-01-02T10:00:00Z", 1e6), run("a", "2026-01-03T10:00:00Z", 1e6),
        run("unknown", "2026-01-04T10:00:00Z", 1e6), run(nil, "2026-01-05T10:00:00Z", 1e6),
        run("a-dirty", "2026-01-06T10:00:00Z", 1e6), run("a-dirty", "2026-01-07T10:00:00Z", 1e6),
      ], tolerance: tolerance)[0]
    // Whose commit nobody knows are not of one commit, nor are those with changes of one state.
    #expect(commits(history) == ["a", "b", "a", nil, nil, "a-dirty", "a-dirty"])
    #expect(history.entries[0].run.benchmarks.map(\.name) == [name, "prepare/sha1/swift"])
  }

  @Test func changesAreCounted() {
    let history = History.all(
      [1e6, 0.9e6, 0.8e6, 1e6].enumerated().map {
        run("\($0)", "2026-01-0\($0 + 1)T10:00:00Z", $1)
      },
      tolerance: tolerance)[0]
    #expect(history.count(.regression) == 2)
    #expect(history.count(.improvement) == 1)
  }

  @Test func theLatestIsAllThatWasMeasuredOfItsCommit() {
    let other = "prepare/sha1/swift"
    let all = [
      run("b", "2026-01-02T12:00:00Z", 1e6, source: "z"),
      run("b", "2026-01-02T10:00:00Z", 1e6, name: other, source: "y"),
      run("b", "2026-01-02T11:00:00Z", 1e6, host: "beta", source: "x"),
      run("a", "2026-01-01T10:00:00Z", 1e6, source: "w"),
    ]
    #expect(History.latest(of: all).map(\.source) == ["z", "y"])
    #expect(History.latest(of: Array(all.suffix(2))).map(\.source) == ["x"])
    let nameless = [run(nil, "2026-01-03T10:00:00Z", 1e6), run(nil, "2026-01-03T11:00:00Z", 1e6)]
    #expect(History.latest(of: nameless) == [nameless[1]])
    #expect(History.latest(of: []).isEmpty)
  }

  @Test func aCopyOfAFileCountsOnce() {
    let history = History.all(
      [
        run("a", "2026-01-01T10:00:00Z", 1e6, source: "history/a.json"),
        run("a", "2026-01-01T10:00:00Z", 1e6, source: "result.json"),
      ], tolerance: tolerance)[0]
    #expect(history.entries.count == 1)
    #expect(history.entries[0].run.benchmarks[0].repetitions.count == 9)
  }

  @Test func resultsOfOneCommitAndMachineAreOneRun() {
    let runs = Run.grouped([
      run("a", "2026-01-01T11:00:00Z", 1e6), run("b", "2026-01-02T10:00:00Z", 1e6),
      run("a", "2026-01-01T10:00:00Z", 2e6), run("a", "2026-01-01T10:00:00Z", 1e6, host: "beta"),
    ])
    #expect(runs.map(\.commit) == ["a", "b", "a"])
    #expect(runs.map(\.machine.host) == ["alpha", "alpha", "beta"])
    #expect(runs[0].benchmarks.map(\.repetitions.count) == [18])
    #expect(runs[0].date == "2026-01-01T10:00:00Z")
  }
}
