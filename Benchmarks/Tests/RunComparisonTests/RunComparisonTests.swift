import BenchmarkResults
import Foundation
import RunComparison
import Testing

@Suite struct RunComparisonTests {
  // MARK: Verdicts of pairs

  @Test(arguments: [
    (1.05, 0.005, Verdict.regression), (1.02, 0.005, .noChange), (1, 0.005, .noChange),
    (0.98, 0.005, .noChange), (1 / 1.05, 0.005, .improvement), (1.05, 0.3, .inconclusive),
    (1, 0.1, .inconclusive),
  ])
  func verdictsFollowSizeAndNoise(ratio: Double, noise: Double, expected: Verdict) throws {
    let comparison = compare(["a": ratio], noise: noise)
    let benchmark = try #require(comparison.benchmarks.first)
    #expect(benchmark.verdict == expected, "\(benchmark)")
    #expect(try #require(benchmark.interval).contains(try #require(benchmark.ratio)))
  }

  /// A ratio and its inverse are one change, seen from both sides.
  @Test(arguments: [1.029, 1.031])
  func toleranceIsTheSameBothWays(ratio: Double) {
    let slower = compare(["a": ratio], noise: 0.0001).benchmarks[0].verdict
    let faster = compare(["a": 1 / ratio], noise: 0.0001).benchmarks[0].verdict
    #expect(slower == (ratio > 1.03 ? .regression : .noChange))
    #expect(faster == (ratio > 1.03 ? .improvement : .noChange))
  }

  @Test func theToleranceDecidesTheSize() {
    #expect(compare(["a": 1.05], noise: 0.005, percent: 10).benchmarks[0].verdict == .noChange)
    #expect(compare(["a": 1.02], noise: 0.005, percent: 1).benchmarks[0].verdict == .regression)
  }

  /// Five pairs are as rare as 1 in 16 at best, whatever the times.
  @Test func fewPairsProveNothing() {
    let comparison = compare(["a": 2], noise: 0.001, pairs: 5)
    #expect(comparison.benchmarks[0].verdict == .inconclusive)
    #expect(comparison.fewestValues == 6)
    #expect(comparison.text.contains("6 pairs or more"))
    #expect(comparison.text.contains("unbounded"))
  }

  /// Three repetitions against three are as rare as 1 in 10 at best. How many are needed follows from the test and from
  /// the number of tests: 2 / C(8, 4) is above 0.05 and 2 / C(10, 5) is not; for 30 tests it is 2 / C(14, 7).
  @Test(arguments: [(1, 4), (10, 6), (30, 7)])
  func fewRepetitionsAreSaidToBeTooFew(tests: Int, fewest: Int) throws {
    func compare(_ repetitions: Int) -> RunComparison {
      let times = (0..<repetitions).map { 100 + Double($0) / 1000 }
      let names = (0..<tests).map { "b\($0)" }
      return RunComparison(
        base: results(Dictionary(uniqueKeysWithValues: names.map { ($0, times) })),
        head: results(
          Dictionary(
            uniqueKeysWithValues: names.map { name in
              (name, name == "b0" ? times.map { $0 * 2 } : times.map { $0 + 0.0005 })
            })),
        tolerance: Tolerance(percent: 3))
    }
    let few = compare(fewest - 1)
    #expect(few.benchmarks[0].verdict == .inconclusive)
    #expect(few.fewestValues == fewest)
    #expect(few.tooShortCount == tests - few.count(.noChange))
    #expect(few.text.contains("\(fewest) repetitions or more on each side"), "\(few.text)")
    #expect(few.markdown.contains("\(fewest) repetitions or more on each side"))
    #expect(
      String(decoding: try few.json(), as: UTF8.self).contains("\"fewestValues\" : \(fewest)"))
    let enough = compare(fewest)
    #expect(enough.benchmarks[0].verdict == .regression)
    #expect(!enough.text.contains("on each side"))
  }

  /// Also with times that are all alike, as a coarse clock makes them.
  @Test func fewEqualRepetitionsProveNothing() {
    let comparison = RunComparison(
      base: results(["a": [1, 1, 1]]), head: results(["a": [2, 2, 2]]),
      tolerance: Tolerance(percent: 3))
    #expect(comparison.benchmarks[0].verdict == .inconclusive)
    #expect(comparison.tooShortCount == 1)
  }

  /// Where repetitions suffice, noise is the reason.
  @Test func noiseIsNotSaidToBeTooFewRepetitions() {
    let wave = (0..<9).map { 100 + 20 * sin(Double($0) * 2.3) }
    let comparison = RunComparison(
      base: results(["a": wave]), head: results(["a": wave.map { $0 + sin($0) }]),
      tolerance: Tolerance(percent: 3))
    #expect(comparison.benchmarks[0].verdict == .inconclusive)
    #expect(comparison.tooShortCount == 0)
    #expect(comparison.text.contains("more repetitions would tell"))
  }

  /// Six pairs suffice for one benchmark, and not for two: 2 / 64 twice is above 0.05.
  @Test func manyTestsNeedMore() {
    #expect(compare(["a": 2], noise: 0.001, pairs: 6).benchmarks[0].verdict == .regression)
    let two = compare(["a": 2, "b": 2], noise: 0.001, pairs: 6)
    #expect(two.benchmarks.map(\.verdict) == [.inconclusive, .inconclusive])
    #expect(two.benchmarks.map(\.pValue) == [0.03125, 0.03125])
    #expect(two.benchmarks.map(\.adjustedPValue) == [0.0625, 0.0625])
    #expect(two.fewestValues == 7)
  }

  /// A process is worth its least repetition: what disturbs the others is not in it.
  @Test func disturbedRepetitionsDoNotCount() {
    let pairs = (0..<12).map { number in
      let time = 100 + Double(number)
      return (
        base: results(["a": [time, time * 3]]),
        head: results(["a": [time * 7, time * 1.001, time * 2]])
      )
    }
    let comparison = RunComparison(
      base: "x", head: "y", pairs: pairs, tolerance: Tolerance(percent: 3))
    #expect(comparison.benchmarks[0].verdict == .noChange)
    #expect(abs((comparison.benchmarks[0].ratio ?? 0) - 1.001) < 1e-9)
  }

  /// A slow HEAD is as precise as a fast one.
  @Test(arguments: [0.9, 1, 1.1])
  func precisionIsTheWidthAlone(ratio: Double) {
    #expect(compare(["a": ratio], noise: 0.01).isPrecise)
    #expect(!compare(["a": ratio], noise: 0.1).isPrecise)
    #expect(!compare(["a": ratio], noise: 0.01, percent: 0.1).isPrecise)
  }

  // MARK: Which benchmarks

  @Test func newAndMissingOnes() {
    let base = results(["both": [1, 1.001], "gone": [1]])
    let head = results(["both": [1, 1.001], "added": [1]])
    let comparison = RunComparison(base: base, head: head, tolerance: Tolerance(percent: 3))
    #expect(comparison.benchmarks.map(\.name) == ["added", "both", "gone"])
    #expect(comparison.benchmarks.map(\.verdict) == [.new, .inconclusive, .missing])
    #expect(comparison.comparedCount == 1)
    #expect(comparison.text.contains("missing from HEAD"))
  }

  // MARK: Files

  @Test func filesAreComparedByTheirRepetitions() throws {
    let times = (0..<9).map { 100 + Double($0) / 10 }
    let base = results(["a": times, "b": times])
    let head = results(["a": times.map { $0 * 1.05 }, "b": times.map { $0 * 1.001 }])
    let comparison = RunComparison(base: base, head: head, tolerance: Tolerance(percent: 3))
    #expect(comparison.design == .independent)
    #expect(comparison.benchmarks.map(\.verdict) == [.regression, .noChange])
    #expect(abs(try #require(comparison.benchmarks[0].ratio) - 1.05) < 0.001)
    #expect(try #require(comparison.benchmarks[0].times).base == 100.4)
  }

  /// Twice as many items in a body that takes twice as long is no change.
  @Test func timesAreOfItems() throws {
    func results(items: Double) -> Results {
      let repetitions = (0..<9).map { number in
        let time = items * (100 + Double(number) / 100)
        return Repetition(
          realTime: time, cpuTime: time, iterations: 1, itemsPerSecond: items / time * 1e9)
      }
      return Results(
        source: "x", context: [:],
        benchmarks: [BenchmarkResult(name: "a", repetitions: repetitions)])
    }
    let comparison = RunComparison(
      base: results(items: 10), head: results(items: 20), tolerance: Tolerance(percent: 3))
    #expect(comparison.benchmarks[0].verdict == .noChange)
    #expect(abs(try #require(comparison.benchmarks[0].times).head - 100.04) < 1e-9)
  }

  @Test func onlyWhatMattersOfTheContextIsWarnedOf() {
    let base = results(
      ["a": [1]],
      context: [
        "date": "1", "load_avg": "[1]", "executable": "a", "commit": "1", "cpu_model": "X",
        "library_openssl": "3.0", "kernel_sha1_reason": "1 ns", "same": "1",
      ])
    let head = results(
      ["a": [1]],
      context: [
        "date": "2", "load_avg": "[2]", "executable": "b", "commit": "2", "cpu_model": "Y",
        "kernel_sha1_reason": "2 ns", "same": "1",
      ])
    let comparison = RunComparison(base: base, head: head, tolerance: Tolerance(percent: 3))
    #expect(
      comparison.warnings == [
        "cpu_model: X in BASE, Y in HEAD", "library_openssl: 3.0 in BASE, not given in HEAD",
      ])
    #expect(comparison.text.contains("cpu_model: X in BASE, Y in HEAD"))
  }

  // MARK: Reports

  @Test func textHasARowForEach() {
    let text = compare(["a/long/name": 1.05, "b": 1], noise: 0.005).text
    let lines = text.split(separator: "\n")
    let row = lines.first { $0.hasPrefix("a/long/name  ") }
    #expect(row?.hasSuffix("regression") == true)
    #expect(row?.contains(" 1.05") == true)
    #expect(lines.contains("1 regression, 1 no change"))
  }

  /// What changed is in the open, the rest is folded; a bar in a name does not end its cell.
  @Test func markdownShowsWhatChanged() {
    let markdown = compare(["slow|er": 1.05, "same": 1], noise: 0.005).markdown
    let parts = markdown.split(separator: "<details>")
    #expect(parts.count == 2)
    #expect(parts[0].contains("`slow\\|er`"))
    #expect(parts[0].contains("**regression**"))
    #expect(!parts[0].contains("`same`"))
    #expect(parts[1].contains("`same`"))
    #expect(!compare(["slow": 1.05], noise: 0.005).markdown.contains("<details>"))
  }

  /// Files that others wrote have names and contexts that forge no line, end no cell and command no terminal.
  @Test func namesAreInTheirLine() throws {
    let base = results(["a\n`|\u{1B}[2J\u{202E}": [1]], context: ["cpu_model": "X\n9 improvement"])
    let head = results(["a\n`|\u{1B}[2J\u{202E}": [1]], context: ["cpu_model": "Y\u{2028}"])
    let comparison = RunComparison(base: base, head: head, tolerance: Tolerance(percent: 3))
    for text in [comparison.text, comparison.markdown] {
      let lines = text.split(whereSeparator: \.isNewline)
      #expect(!lines.contains { $0.hasPrefix("`") || $0.hasPrefix("9 improvement") }, "\(text)")
      #expect(!text.unicodeScalars.contains("\u{1B}"))
      #expect(!text.unicodeScalars.contains("\u{202E}"))
    }
    let row = comparison.markdown.split(separator: "\n").first { $0.hasPrefix("| `a") }
    #expect(row?.contains("'\\|\u{FFFD}[2J\u{FFFD}`") == true, "\(comparison.markdown)")
  }

  /// A rate that no measurement can have counts as none.
  @Test(arguments: [Double.leastNonzeroMagnitude, 1e300, .infinity, -1, .nan])
  func ratesThatCannotBe(rate: Double) throws {
    func results(_ time: Double) -> Results {
      let repetitions = (0..<9).map { number in
        let time = time + Double(number) / 1000
        return Repetition(realTime: time, cpuTime: time, iterations: 1, itemsPerSecond: rate)
      }
      return Results(
        source: "x", context: [:],
        benchmarks: [BenchmarkResult(name: "a", repetitions: repetitions)])
    }
    let comparison = RunComparison(
      base: results(10), head: results(20), tolerance: Tolerance(percent: 3))
    #expect(comparison.benchmarks[0].verdict == .regression)
    #expect(try #require(comparison.benchmarks[0].times).base == 10.004)
  }

  @Test func jsonHasEveryFigure() throws {
    let comparison = compare(["a": 1.05], noise: 0.005)
    let json = try #require(
      try JSONSerialization.jsonObject(with: comparison.json()) as? [String: Any])
    #expect(json["tolerancePercent"] as? Double == 3)
    #expect(json["pairs"] as? Int == 20)
    let benchmark = try #require((json["benchmarks"] as? [[String: Any]])?.first)
    #expect(benchmark["name"] as? String == "a")
    #expect(benchmark["verdict"] as? String == "regression")
    let ratio = try #require(benchmark["ratio"] as? Double)
    let lower = try #require(benchmark["lowerBound"] as? Double)
    let upper = try #require(benchmark["upperBound"] as? Double)
    #expect(1 < lower && lower < ratio && ratio < upper && upper < 1.1)
    for key in ["baseNanoseconds", "headNanoseconds", "pValue", "adjustedPValue"] {
      #expect(benchmark[key] is Double, "\(key)")
    }
  }

  @Test func jsonLeavesOutWhatThereIsNot() throws {
    let comparison = RunComparison(
      base: results(["a": [1]]), head: results(["a": [1], "b": [1]]),
      tolerance: Tolerance(percent: 3))
    let json = try #require(
      try JSONSerialization.jsonObject(with: comparison.json()) as? [String: Any])
    #expect(json["pairs"] == nil)
    let benchmarks = try #require(json["benchmarks"] as? [[String: Any]])
    #expect(benchmarks[0]["ratio"] as? Double == 1)
    #expect(benchmarks[0]["lowerBound"] == nil)
    #expect(Set(benchmarks[1].keys) == ["name", "verdict"])
  }

  // MARK: Making results

  private func results(_ times: [String: [Double]], context: [String: String] = [:]) -> Results {
    Results(
      source: "x", context: context,
      benchmarks: times.sorted { $0.key < $1.key }.map { name, times in
        BenchmarkResult(
          name: name,
          repetitions: times.map {
            Repetition(realTime: $0, cpuTime: $0, iterations: 1, itemsPerSecond: nil)
          })
      })
  }

  /// Pairs in which HEAD's time is a multiple of BASE's, but for noise that is the same each time: a wave for each
  /// side, with a drift that both have.
  private func compare(
    _ ratios: [String: Double], noise: Double, pairs: Int = 20, percent: Double = 3
  ) -> RunComparison {
    func pair(_ number: Int) -> (base: Results, head: Results) {
      let drift = 100 * (1 + Double(number) / 10)
      let waves = (sin(Double(number) * 2.3), sin(Double(number) * 5.1 + 1))
      return (
        results(ratios.mapValues { _ in [drift * exp(noise * waves.0)] }),
        results(ratios.mapValues { [drift * $0 * exp(noise * waves.1)] })
      )
    }
    return RunComparison(
      base: "x", head: "y", pairs: (0..<pairs).map(pair), tolerance: Tolerance(percent: percent))
  }
}
