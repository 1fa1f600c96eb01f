import BenchmarkResults
import Foundation
import Testing

@Suite struct GoogleBenchmarkJSONTests {
  @Test func repetitionsAreReadAndAggregatesAreNot() throws {
    let results = try read(
      run(#""repetition_index": 1, "iterations": 20, "real_time": 2.5, "cpu_time": 2.25"#),
      run(#""repetition_index": 0, "iterations": 10, "real_time": 3.5, "cpu_time": 3.25"#),
      #"{"name": "a/b_median", "run_name": "a/b", "run_type": "aggregate", "aggregate_name": "median","#
        + #" "real_time": 3, "cpu_time": 2.75, "time_unit": "ns"}"#,
      run(#""real_time": 1, "cpu_time": 1, "items_per_second": 7e6, "allocations": 12"#, name: "c"))
    #expect(results.source == "x.json")
    #expect(results.benchmarks.map(\.name) == ["a/b", "c"])
    #expect(
      results["a/b"]?.repetitions == [
        Repetition(realTime: 3.5, cpuTime: 3.25, iterations: 10, itemsPerSecond: nil),
        Repetition(realTime: 2.5, cpuTime: 2.25, iterations: 20, itemsPerSecond: nil),
      ])
    #expect(results["a/b"]?.times == [3.25, 2.25])
    #expect(results["c"]?.repetitions.first?.itemsPerSecond == 7e6)
    #expect(results["c"]?.repetitions.first?.counters == ["allocations": 12])
    #expect(results["d"] == nil)
  }

  /// A benchmark whose work is done on other threads uses no time on its own.
  @Test(arguments: ["a/manual_time", "a/real_time", "a/real_time/threads:2"])
  func suffixesSayWhichTimeCounts(name: String) throws {
    let results = try read(run(#""real_time": 5, "cpu_time": 0"#, name: name))
    #expect(results[name]?.times == [5])
  }

  @Test func aWordOfANameIsNoSuffix() throws {
    let results = try read(run(#""real_time": 5, "cpu_time": 4"#, name: "a/real_timer"))
    #expect(results["a/real_timer"]?.times == [4])
  }

  @Test(arguments: [("ns", 2.0), ("us", 2e3), ("ms", 2e6), ("s", 2e9)])
  func timesAreInNanoseconds(unit: String, expected: Double) throws {
    let results = try read(run(#""real_time": 3, "cpu_time": 2"#, unit: unit))
    #expect(results["a/b"]?.times == [expected])
  }

  @Test func contextIsText() throws {
    let json = """
      {"context": {"commit": "abc \\"d\\"", "num_cpus": 2, "cpu_scaling_enabled": false, "load_avg": [0.5, 1],
       "caches": [{"type": "Data", "level": 1}], "none": null}, "benchmarks": []}
      """
    let results = try Results(json: Data(json.utf8), source: "x.json")
    #expect(
      results.context == [
        "commit": "abc \"d\"", "num_cpus": "2", "cpu_scaling_enabled": "false",
        "load_avg": "[0.5, 1]", "caches": #"[{"level": 1, "type": "Data"}]"#, "none": "null",
      ])
    #expect(results.benchmarks.isEmpty)
  }

  @Test func countersMayBeNoNumbers() throws {
    let results = try read(run(#""real_time": 5, "cpu_time": 4, "ratio": NaN"#))
    #expect(results["a/b"]?.repetitions.first?.counters["ratio"]?.isNaN == true)
  }

  @Test(arguments: [
    #""real_time": NaN, "cpu_time": 1"#, #""real_time": 1, "cpu_time": NaN"#,
    #""real_time": Infinity, "cpu_time": 1"#, #""real_time": 1, "cpu_time": Infinity"#,
    #""real_time": -1, "cpu_time": 1"#, #""real_time": 1, "cpu_time": -1"#,
    #""real_time": 0, "cpu_time": 1"#, #""real_time": 1, "cpu_time": 0"#,
    #""real_time": 1"#, #""cpu_time": 1"#, #""real_time": 1e308, "cpu_time": 1"#,
    #""real_time": 1, "cpu_time": 1e-19"#, #""real_time": 1, "cpu_time": 1e10"#,
  ])
  func impossibleTimes(times: String) {
    expect(.impossibleTime(benchmark: "a/b", repetition: 3)) {
      try read(run(times + #", "repetition_index": 3"#, unit: "s"))
    }
  }

  @Test func faults() {
    let one = run(#""real_time": 1, "cpu_time": 1, "repetition_index": 2"#)
    expect(.duplicate(benchmark: "a/b", repetition: 2)) { try read(one, one) }
    expect(.noRunType(benchmark: "a")) {
      try read(#"{"name": "a", "real_time": 1, "cpu_time": 1}"#)
    }
    expect(.unknownTimeUnit(benchmark: "a/b", unit: "min")) {
      try read(run(#""real_time": 1, "cpu_time": 1"#, unit: "min"))
    }
    expect(.failed(benchmark: "a/b", "the body failed")) {
      try read(run(#""error_occurred": true, "error_message": "the body failed""#))
    }
  }

  @Test(arguments: [
    (#"{"benchmarks": []}"#, "the file"),
    (#"{"context": {}}"#, "the file"),
    (#"[]"#, "the file"),
    (#"{"context": [], "benchmarks": []}"#, "context"),
    (#"{"context": {}, "benchmarks": {}}"#, "benchmarks"),
    (#"{"context": {}, "benchmarks": [7]}"#, "benchmarks[0]"),
    (#"{"context": {}, "benchmarks": [{"run_type": "iteration"}]}"#, "benchmarks[0]"),
    (#"{"context": {}, "benchmarks": [{"name": 1}]}"#, "benchmarks[0].name"),
    (
      #"{"context": {}, "benchmarks": [{"name": "a", "real_time": "1"}]}"#,
      "benchmarks[0].real_time"
    ),
    (#"{"context": {}, "benchmarks": [{"name": "a", "note": "1"}]}"#, "benchmarks[0].note"),
    (
      #"{"context": {}, "benchmarks": [{"name": "a", "repetition_index": -1}]}"#,
      "benchmarks[0].repetition_index"
    ),
    (
      #"{"context": {}, "benchmarks": [{"name": "a", "iterations": 0.5}]}"#,
      "benchmarks[0].iterations"
    ),
  ])
  func wrongShapesAreNamed(json: String, place: String) throws {
    let error = try #require(throws: ResultsError.self) {
      try Results(json: Data(json.utf8), source: "x.json")
    }
    guard case .malformed(place, _) = error.problem else {
      Issue.record("\(error)")
      return
    }
    #expect(error.description.hasPrefix("x.json is no result of Google Benchmark: \(place): "))
  }

  /// Where a file ends too early, nothing of it is believed.
  @Test func truncatedFiles() throws {
    let whole = Data(
      #"{"context": {"a": 1}, "benchmarks": [\#(run(#""real_time": 1, "cpu_time": 1"#))]}"#.utf8)
    _ = try Results(json: whole, source: "x.json")
    for length in 0..<whole.count {
      let error = #expect(throws: ResultsError.self, "\(length) bytes") {
        try Results(json: whole.prefix(length), source: "x.json")
      }
      guard case .notJSON = error?.problem else {
        Issue.record("\(length) bytes: \(error.map { "\($0)" } ?? "no error")")
        return
      }
    }
  }

  @Test func filesThatAreNotThere() throws {
    let error = #expect(throws: ResultsError.self) { try Results(contentsOf: "/nowhere/x.json") }
    #expect(error?.description == "/nowhere/x.json cannot be read: No such file or directory")
    #expect(throws: ResultsError.self) { try Results(contentsOf: "/") }
  }

  // MARK: Making files

  private func run(_ values: String, name: String = "a/b", unit: String = "ns") -> String {
    #"{"name": "\#(name)", "run_name": "\#(name)", "run_type": "iteration", "time_unit": "\#(unit)", \#(values)}"#
  }

  @discardableResult
  private func read(_ runs: String...) throws -> Results {
    let json = #"{"context": {}, "benchmarks": [\#(runs.joined(separator: ", "))]}"#
    return try Results(json: Data(json.utf8), source: "x.json")
  }

  private func expect(
    _ problem: ResultsError.Problem, location: SourceLocation = #_sourceLocation,
    _ work: () throws -> Results
  ) {
    let error = #expect(throws: ResultsError.self, sourceLocation: location) { try work() }
    #expect(error?.problem == problem, sourceLocation: location)
  }
}
