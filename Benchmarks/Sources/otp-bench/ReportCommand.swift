import BenchmarkReport
import BenchmarkResults
import Foundation
import RunComparison

extension Command {
  static let htmlReport = Command(
    name: "report", summary: "Makes a page of results: charts, numbers, and how they changed.",
    help: ReportOptions.help
  ) { words in
    let options = try ReportOptions(words)
    let results = try options.results.map { try Results(contentsOf: $0) }
    let history = try options.history.map(Report.history(in:)) ?? []
    try write(
      Data(try Report(results, history: history, tolerance: options.tolerance).html().utf8),
      to: options.output)
    return .fine
  }

  /// Writes a file as a whole or not at all.
  static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw BenchError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}

private struct ReportOptions {
  var results: [String] = []
  var history: String?
  var output = ""
  var tolerance = Tolerance(percent: 3)

  static let help = """
    Usage: otp-bench report RESULT.json... [--history FOLDER] --output FILE.html

    Makes one page of what 'otp-bench run --json' measured, which opens from disk without a network: throughput by
    backend, scaling with batch size and threads, latency, memory, and the trend over commits. Results of one commit
    on one machine are shown together, others one after the other. gnuplot draws the charts.

    Options:
      --history FOLDER   a folder of results of other commits (FOLDER/*.json), for the trend. They are ordered by
                         their dates, and machines are kept apart
      --tolerance PERCENT
                         how much slower or faster is no change, 3 if not given
      --output FILE      the page to write
      --help             show this help and exit

    \(ExitStatus.help)

    """

  init(_ words: Words) throws {
    var words = words
    while let word = words.next() {
      switch word {
      case "--history": history = try words.argument(of: word)
      case "--tolerance": tolerance = Tolerance(percent: try words.amount(of: word, upTo: 1000))
      case "--output": output = try words.argument(of: word)
      case _ where word.hasPrefix("-"): throw words.unknown(word)
      default: results.append(word)
      }
    }
    guard !results.isEmpty else {
      throw BenchError("no RESULT.json given; see 'otp-bench report --help'")
    }
    guard !output.isEmpty else {
      throw BenchError("--output is missing; see 'otp-bench report --help'")
    }
  }
}
