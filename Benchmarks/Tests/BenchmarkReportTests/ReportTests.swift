import BenchmarkReport
import BenchmarkResults
import BenchmarkTestSupport
import Foundation
import RunComparison
import Testing

@Suite struct ReportTests {
  private func page(_ results: [Results], history: [Results] = []) throws -> String {
    try Report(results, history: history, tolerance: Tolerance(percent: 3)).html()
  }

  @Test func theHeadSaysWhatWasMeasuredWhere() throws {
    let html = try page([
      results(
        [benchmark("prepare/sha1/swift", rate: 1e6)], commit: String(repeating: "a", count: 40))
    ])
    for text in [
      "Test Processor", "2 cores", "alpha", "aaaaaaaa", "Swift 6.3, Clang 21.0.0<",
      "2026-01-01 10:00 UTC", "openssl: OpenSSL 3.0", "SHA-1: avx2, sha for few",
    ] { #expect(html.contains(text), "\(text)") }
  }

  @Test func emptySectionsSayWhatToRun() throws {
    let html = try page([results([])])
    #expect(html.components(separatedBy: "class=\"card empty\"").count == 8)
    #expect(html.contains("otp-bench run --full --json result.json"))
    #expect(html.contains("--history FOLDER"))
    #expect(!html.contains("<svg"))
  }

  @Test func eachSectionShowsItsKindOfResult() throws {
    let percentiles = ["p50_ns": 900.0, "p90_ns": 1e3, "p99_ns": 2e3, "p999_ns": 9e3]
    let html = try page([
      results([
        benchmark("verify/warm/sha1/w1+1/swift/t1", rate: 1_234_567),
        benchmark("verify/warm/sha1/w1+1/openssl/t1", rate: 617_283.5),
        benchmark("verify/warm/sha1/w1+1/swift/b1/n1000/t1", rate: 1e6),
        benchmark("verify/warm/sha1/w1+1/swift/b16/n1000/t1", rate: 2e6),
        benchmark("verify/warm/sha1/w1+1/swift/b16/n1000/t2", rate: 3e6),
        benchmark("latency/sha1/w1+1/swift", rate: 1e6, counters: percentiles),
        benchmark("prepare/sha1/swift", rate: 1e6, counters: ["bytes_per_key": 40]),
        benchmark(
          "table/sha1/swift/n100000", rate: 1e6, counters: ["bytes_per_credential": 257]),
      ])
    ])
    for (section, text) in [
      ("throughput", "1,234,567"), ("batch-size", "attempts in a call"), ("threads", ">threads<"),
      ("latency", "<title>swift, p99.9: 9.00\u{A0}µs</title>"), ("memory", "257\u{A0}B"),
    ] {
      let rest = try #require(html.components(separatedBy: "<section id=\"\(section)\"").last)
      let content = try #require(rest.components(separatedBy: "</section>").first)
      #expect(content.contains(text), "\(section)")
      #expect(content.contains("<svg") && content.contains("<table>"), "\(section)")
    }
    #expect(html.contains("swift, 2.00\u{A0}× openssl"))
    #expect(html.components(separatedBy: "class=\"card empty\"").count == 2)
  }

  @Test func allTextOfFilesIsEscaped() throws {
    let hostile = "<script>alert(1)</script><img src=x onerror='x'>\""
    var context = results([]).context
    for key in ["host_name", "cpu_model", "commit", "compiler", "kernel_sha1", "backend_x", "date"]
    {
      context[key] = hostile
    }
    context[hostile] = hostile
    let names = [
      "verify/warm/sha1/w1+1/\(hostile)/b1/t1", "verify/warm/sha1/w1+1/\(hostile)/b16/t1",
      hostile, "settle/\(hostile)/one", "prepare/sha1/\(hostile)",
    ]
    let counters = ["p50_ns": 1.0, "bytes_per_key": 1]
    let file = Results(
      source: hostile, context: context,
      benchmarks: names.map { benchmark($0, rate: 1e6, counters: counters) })
    var later = context
    later["date"] = "2026-01-01T10:00:00Z"
    let html = try page(
      [file],
      history: [
        Results(
          source: hostile, context: later,
          benchmarks: names.map { benchmark($0, rate: 2e6, counters: counters) })
      ])
    #expect(!html.contains("<script") && !html.contains("<img"))
    #expect(html.contains("&lt;script&gt;"))
  }

  @Test(arguments: [
    [], [""], ["/"], ["x"], [String(repeating: "y", count: 10_000)],
    ["verify/warm/sha1/w1+1/swift/t1"],
    ["settle"], ["verify"], ["a/b1", "a/b2"],
  ])
  func anythingMakesAPage(names: [String]) throws {
    let html = try page([results(names.map { benchmark($0, rates: [1]) })])
    #expect(html.hasSuffix("</html>\n"))
  }

  @Test(arguments: [1e-300, 1e-6, 1e-3, 1, 1e6, 1e18, 1e300, .infinity, .nan, 0, -1])
  func anyNumbersMakeAPage(value: Double) throws {
    let names = [
      "verify/warm/sha1/w1+1/swift/t1", "verify/warm/sha1/w1+1/swift/b1/t1",
      "verify/warm/sha1/w1+1/swift/b1000000000000/t1",
    ]
    func file(_ value: Double, _ commit: String) -> Results {
      let counters = ["p50_ns": value, "bytes_per_key": value]
      return results(
        names.map { benchmark($0, rates: [value, value], counters: counters) }
          + [benchmark("prepare/sha1/swift", rate: 1)], commit: commit)
    }
    let html = try page(
      [file(value, "head")],
      history: [file(1, String(repeating: "long", count: 2000)), file(1e18, "c")])
    #expect(html.hasSuffix("</html>\n"))
  }

  @Test func runsOfSeveralCommitsStandOneAfterTheOther() throws {
    let benchmarks = [benchmark("prepare/sha1/swift", rate: 1e6)]
    let html = try page([
      results(benchmarks, commit: "first"), results(benchmarks, commit: "second", host: "beta"),
    ])
    #expect(html.contains("Commit first on Test Processor, 2 cores (alpha)</h2>"))
    #expect(html.contains("Commit second on Test Processor, 2 cores (beta)</h2>"))
    #expect(html.contains("id=\"run-2-throughput\""))
    let ids = html.matches(of: /\bid="([^"]*)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
  }

  @Test func aRegressionIsMarkedInTheChartAndInWords() throws {
    let name = "verify/warm/sha1/w1+1/swift/t1"
    let history = [1e6, 1e6, 8e5].enumerated().map { day, rate in
      results(
        [benchmark(name, rate: rate)], date: "2026-01-0\(day + 1)T10:00:00Z", commit: "c\(day)")
    }
    let html = try page([history[2]], history: Array(history[..<2]))
    #expect(html.contains("<h3>1 regression, 0 improvements</h3>"))
    #expect(html.contains("▼ regression"))
    #expect(html.contains("Regressions: swift at c2 of 2026-01-03 10:00 UTC."))
    #expect(html.contains("class=\"fill-regression\"><title>swift, c2 of"))
    let calm = try page([history[1]], history: [history[0]])
    #expect(calm.contains("<h3>0 regressions, 0 improvements</h3>"))
    #expect(!calm.contains("class=\"fill-regression\""))
  }

  @Test func aHistoryIsTheFilesOfAFolder() throws {
    try withFolder { folder in
      let json = #"{"context": {"commit": "a"}, "benchmarks": []}"#
      try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/a.json"))
      try Data("no results".utf8).write(to: URL(fileURLWithPath: folder + "/README"))
      #expect(try Report.history(in: folder).results.map { $0.context["commit"] } == ["a"])
      try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/b.json"))
      let history = try Report.history(in: folder)
      #expect(history.results.count == 1)
      #expect(history.leftOut.map(\.source) == ["\(folder)/b.json"])
      let html = try Report(
        history.results, history: history.results, leftOut: history.leftOut,
        tolerance: Tolerance(percent: 3)
      ).html()
      #expect(html.contains("Left out of the history:</strong> \(folder)/b.json is not JSON"))
      #expect(throws: ReportError.self) { try Report.history(in: "\(folder)/missing") }
    }
  }
}
