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
    let output = try OutputFile(options.output)
    let history =
      try options.history.map { try Report.history(in: $0) } ?? (results: [], leftOut: [])
    for fault in history.leftOut {
      writeToStandardError("otp-bench: warning: \(fault); it is left out\n")
    }
    let results =
      try options.results.isEmpty
      ? History.latest(of: history.results) : options.results.map { try Results(contentsOf: $0) }
    guard !results.isEmpty else {
      throw BenchError(
        "\(options.history ?? "") has no result that can be read; give a RESULT.json")
    }
    let report = Report(
      results, history: history.results, leftOut: history.leftOut, tolerance: options.tolerance)
    try output.write(Data(try report.html().utf8))
    let files = options.results.isEmpty ? [] : [counted(results.count, "result")]
    let past =
      options.history == nil ? [] : [counted(history.results.count, "file") + " of the history"]
    print(
      "\(output.path): \((files + past).joined(separator: " and ")), "
        + "\(counted(report.count(.regression), "regression")) and "
        + "\(counted(report.count(.improvement), "improvement")) marked")
    return .fine
  }
}

private struct ReportOptions {
  var results: [String] = []
  var history: String?
  var output = ""
  var tolerance = Tolerance(percent: 3)

  static let help = """
    Usage: otp-bench report RESULT.json... [--history FOLDER] --output FILE.html
           otp-bench report --history FOLDER --output FILE.html

    Makes one page of what 'otp-bench run --json' measured, which opens from disk without a network: throughput by
    backend, scaling with batch size and threads, latency, memory, and the trend over commits. Results of one commit
    on one machine are shown together, others one after the other. Without RESULT.json
    the page is about the latest result of the history. gnuplot draws the charts.

    It says how many regressions the trend marks. The status is 0 even so: results of different times only hint at
    a regression, and 'compare-revisions' of the two commits says whether it is one.

    Options:
      --history FOLDER   a folder of results of other commits (FOLDER/*.json), for the trend. They are ordered by
                         their dates, and machines are kept apart. A file that cannot be read is left out,
                         which a warning and the page say
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
    guard !results.isEmpty || history != nil else {
      throw BenchError(
        "neither RESULT.json nor --history FOLDER is given; see 'otp-bench report --help'")
    }
    guard !output.isEmpty else {
      throw BenchError("--output is missing; see 'otp-bench report --help'")
    }
  }
}
