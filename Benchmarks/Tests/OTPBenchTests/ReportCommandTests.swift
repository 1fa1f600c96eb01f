import BenchmarkTestSupport
import Foundation
import Testing

/// `otp-bench report` and `otp-bench chart` from the command line.
@Suite struct ReportCommandTests {
  private static let result = """
    {"context": {"date": "2026-01-01T10:00:00Z", "host_name": "alpha"}, "benchmarks": [
      {"name": "code/sha1/swift", "run_type": "iteration", "repetition_index": 0, "iterations": 1,
       "real_time": 1, "cpu_time": 1, "time_unit": "us", "items_per_second": 1e6}]}
    """

  private func write(_ text: String, _ path: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func aPageIsWritten() throws {
    try withFolder { folder in
      let result = try write(Self.result, folder + "/result.json")
      try FileManager.default.createDirectory(
        atPath: folder + "/history", withIntermediateDirectories: false)
      _ = try write(
        Self.result.replacing("2026-01-01", with: "2025-12-31"), folder + "/history/old.json")
      let page = try write("what was there", folder + "/page.html")
      let run = try BenchRun([
        "report", result, "--history", folder + "/history", "--tolerance", "5", "--output", page,
      ])
      #expect(run.status == 0)
      #expect(
        run.output
          == "\(page): 1 result and 1 file of the history, 0 regressions and 0 improvements marked\n"
      )
      #expect(run.errors.isEmpty)
      let html = try String(contentsOfFile: page, encoding: .utf8)
      #expect(html.hasPrefix("<!doctype html>"))
      #expect(html.contains("slower by more than 5 %"))
      #expect(html.contains("0 regressions, 0 improvements"))
      // Nothing else is left.
      #expect(try names(folder) == ["history", "page.html", "result.json"])
    }
  }

  /// The folder alone is enough, and a file that was cut short takes nothing else away.
  @Test func aPageOfAHistory() throws {
    try withFolder { folder in
      let history = folder + "/history"
      try FileManager.default.createDirectory(
        atPath: history, withIntermediateDirectories: false)
      for (day, rate) in [1e6, 0.8e6, 0.6e6].enumerated() {
        _ = try write(
          Self.result(day: day + 1, rate: rate), "\(history)/\(day).json")
      }
      let cut = try write(String(Self.result.prefix(100)), history + "/cut.json")
      let page = folder + "/page.html"
      let run = try BenchRun(["report", "--history", history, "--output", page])
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        run.output == "\(page): 3 files of the history, 2 regressions and 0 improvements marked\n")
      #expect(run.errors.hasPrefix("otp-bench: warning: \(cut) is not JSON"), "\(run.errors)")
      #expect(run.errors.hasSuffix("; it is left out\n"))
      let html = try String(contentsOfFile: page, encoding: .utf8)
      #expect(html.contains("Left out of the history:"))
      #expect(html.contains("\(cut) is not JSON"))
      #expect(html.contains("<h3>2 regressions, 0 improvements</h3>"))
      // It is about the latest of them.
      #expect(html.contains("2026-01-03 10:00 UTC"))
    }
  }

  /// Nine repetitions that differ a little.
  private static func result(day: Int, rate: Double) -> String {
    let runs = (0..<9).map { number in
      let time = 1e9 / rate * (1 + Double(number) / 10_000)
      return """
        {"name": "code/sha1/swift", "run_type": "iteration", "repetition_index": \(number),
         "real_time": \(time), "cpu_time": \(time)}
        """
    }
    return """
      {"context": {"date": "2026-01-0\(day)T10:00:00Z", "host_name": "alpha", "commit": "c\(day)"},
       "benchmarks": [\(runs.joined(separator: ", "))]}
      """
  }

  @Test(arguments: [("chart.svg", "<svg"), ("chart.PNG", "PNG")])
  func aChartIsWritten(name: String, beginning: String) throws {
    try withFolder { folder in
      let result = try write(Self.result, folder + "/result.json")
      let run = try BenchRun([
        "chart", result, "--filter", "sha1", "--output", "\(folder)/\(name)",
      ])
      #expect(run.status == 0)
      #expect(run.output == "\(folder)/\(name): written\n" && run.errors.isEmpty)
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      #expect(String(decoding: data.prefix(10), as: UTF8.self).contains(beginning))
    }
  }

  @Test func faultsAreRefusedByNameAndLeaveTheOutput() throws {
    try withFolder { folder in
      let good = try write(Self.result, folder + "/good.json")
      let bad = try write("{", folder + "/bad.json")
      let page = try write("what was there", folder + "/page.html")
      try FileManager.default.createDirectory(
        atPath: folder + "/empty", withIntermediateDirectories: false)
      for (arguments, named) in [
        (["report"], "neither RESULT.json nor --history"),
        (["report", "--output", page], "neither RESULT.json nor --history"),
        (["report", good], "--output"),
        (["report", good, "--output"], "--output"), (["report", "--fly", good], "--fly"),
        (["report", good, "--tolerance", "0", "--output", page], "--tolerance"),
        (
          ["report", good, folder + "/none.json", "--output", page],
          ": \(folder)/none.json cannot be read: No such file or directory\n"
        ),
        (["report", bad, "--output", page], "bad.json is not JSON"),
        (
          ["report", good, "--history", folder + "/none", "--output", page],
          ": \(folder)/none cannot be read: No such file or directory\n"
        ),
        (
          ["report", "--history", folder + "/empty", "--output", page],
          "/empty has no result that can be read"
        ),
        (
          ["report", good, "--output", folder + "/none/page.html"],
          "/none/page.html cannot be written: there is no folder \(folder)/none"
        ),
        (["report", good, "--output", folder], "cannot be written: it is a folder"),
        (["chart"], "RESULT.json"), (["chart", good], "--output"),
        (["chart", good, good], "good.json"),
        (["chart", good, "--output", folder + "/x.gif"], ".svg"),
        (["chart", good, "--output", folder + "/svg"], ".svg"),
        (["chart", good, "--filter", "(", "--output", folder + "/x.svg"], "'('"),
        (["chart", good, "--filter", "none", "--output", folder + "/x.svg"], "no benchmark"),
        (["chart", bad, "--output", folder + "/x.svg"], "bad.json is not JSON"),
        (["chart", good, "--output", folder + "/none/x.svg"], "x.svg cannot be written"),
      ] {
        let run = try BenchRun(arguments)
        #expect(run.isRefusal, "\(arguments): \(run.status): \(run.errors)")
        #expect(run.errors.contains(named), "\(arguments): \(run.errors)")
      }
      #expect(try String(contentsOfFile: page, encoding: .utf8) == "what was there")
      #expect(try names(folder) == ["bad.json", "empty", "good.json", "page.html"])
    }
  }

  @Test func aMissingGnuplotIsNamed() throws {
    try withFolder { folder in
      let result = try write(Self.result, folder + "/result.json")
      let process = Process()
      process.executableURL = try BenchRun.program
      process.arguments = ["report", result, "--output", folder + "/page.html"]
      process.environment = ["PATH": folder]
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
      #expect(text == "otp-bench: gnuplot is not there; Debian's package is gnuplot-nox\n")
    }
  }
}
