import BenchmarkRegistry
import BenchmarkReport
import BenchmarkResults
import Foundation

extension Command {
  static let chart = Command(
    name: "chart", summary: "Draws one chart of results, for a document.",
    help: ChartOptions.help
  ) { words in
    let options = try ChartOptions(words)
    let output = try OutputFile(options.output)
    let all = try Results(contentsOf: options.result)
    let filter = try options.filter.map { try NameFilter($0) }
    let chosen = all.benchmarks.filter { filter?.matches($0.name) ?? true }
    guard !chosen.isEmpty else {
      throw BenchError("\(options.result) has no benchmark that matches the filter")
    }
    let picture = try Picture(
      Results(source: all.source, context: all.context, benchmarks: chosen))
    let data =
      switch options.format {
      case .svg: try picture.svg()
      case .png: try picture.png()
      }
    try output.write(data)
    print("\(output.path): written")
    return .fine
  }
}

private struct ChartOptions {
  enum Format: String, CaseIterable { case svg, png }

  let result: String
  let output: String
  let format: Format
  var filter: String?

  static let help = """
    Usage: otp-bench chart RESULT.json --output FILE.svg|png [--filter REGEX]

    Draws one chart of what 'otp-bench run --json' measured: throughput by backend, or, where the benchmarks differ in
    the batch size or in the threads alone, how it scales. An SVG file follows the reader's light or dark theme.

    Options:
      --output FILE    the file to write, .svg or .png
      --filter REGEX   show only benchmarks whose name matches somewhere, or contains the text as it stands. Of several
                       kinds of work the first is shown, verification with prepared keys before all
      --help           show this help and exit

    \(ExitStatus.help)

    """

  init(_ words: Words) throws {
    var words = words
    var results: [String] = []
    var output: String?
    while let word = words.next() {
      switch word {
      case "--filter": filter = try words.argument(of: word)
      case "--output": output = try words.argument(of: word)
      case _ where word.hasPrefix("-"): throw words.unknown(word)
      default:
        guard results.isEmpty else { throw words.unknown(word) }
        results.append(word)
      }
    }
    guard let result = results.first else {
      throw BenchError("no RESULT.json given; see 'otp-bench chart --help'")
    }
    guard let output else { throw BenchError("--output is missing; see 'otp-bench chart --help'") }
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard let format = Format(rawValue: ending) else {
      throw BenchError("\(output) ends neither in .svg nor in .png")
    }
    self.result = result
    self.output = output
    self.format = format
  }
}
