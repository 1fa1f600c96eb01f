package import BenchmarkResults
import Foundation
package import RunComparison

/// A page about results, and about how they changed over commits.
package struct Report {
  private let page: Page

  private let histories: [History]

  /// - Parameters:
  ///   - results: what the page is about. Results of one commit on one machine are shown as one run.
  ///   - history: results of other commits and machines, in any order.
  ///   - leftOut: why others are not among them, which the page says.
  ///   - tolerance: from what size on a change counts.
  package init(
    _ results: [Results], history: [Results], leftOut: [ResultsError] = [], tolerance: Tolerance
  ) {
    let runs = Run.grouped(results)
    let names = (results + history).flatMap(\.benchmarks).map {
      BenchmarkPath($0.name).contestant ?? ""
    }
    let palette = Palette(names)
    histories = History.all(results + history, tolerance: tolerance)
    page = Page(
      parts: runs.map { run in
        let benchmarks = run.benchmarks.compactMap(Measured.init)
        return Page.Part(
          run: run, tiles: Page.Tile.headlines(benchmarks),
          sections: [
            .throughput(benchmarks, palette), .batchScaling(benchmarks, palette),
            .threadScaling(benchmarks, palette), .latency(benchmarks, palette),
            .memory(benchmarks, palette), .everything(benchmarks),
          ])
      },
      trend: .trend(
        histories, leftOut: leftOut, palette, tolerance: tolerance))
  }

  /// How many changes with a verdict the trend marks.
  package func count(_ verdict: Verdict) -> Int {
    histories.reduce(0) { $0 + $1.count(verdict) }
  }

  /// - Throws: ``ReportError`` when gnuplot is not there or fails.
  package func html() throws(ReportError) -> String { try page.html() }
}

extension Report {
  /// All results in a folder, its files that end in `.json`, and why some are left out: one file that is cut short or
  /// is something else must not take the rest away.
  /// - Throws: ``ReportError`` when the folder itself cannot be read.
  package static func history(
    in folder: String
  ) throws(ReportError) -> (results: [Results], leftOut: [ResultsError]) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ReportError("\(folder) cannot be read: \(fileSystemReason(error))")
    }
    var history: (results: [Results], leftOut: [ResultsError]) = ([], [])
    for name in names.sorted() where name.hasSuffix(".json") {
      do {
        history.results.append(try Results(contentsOf: "\(folder)/\(name)"))
      } catch {
        history.leftOut.append(error)
      }
    }
    return history
  }
}
