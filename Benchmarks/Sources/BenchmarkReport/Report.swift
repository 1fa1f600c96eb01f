package import BenchmarkResults
import Foundation
package import RunComparison

/// A page about results, and about how they changed over commits.
package struct Report {
  private let page: Page

  /// - Parameters:
  ///   - results: what the page is about. Results of one commit on one machine are shown as one run.
  ///   - history: results of other commits and machines, in any order.
  ///   - tolerance: from what size on a change counts.
  package init(_ results: [Results], history: [Results], tolerance: Tolerance) {
    let runs = Run.grouped(results)
    let names = (results + history).flatMap(\.benchmarks).map {
      BenchmarkPath($0.name).contestant ?? ""
    }
    let palette = Palette(names)
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
        History.all(results + history, tolerance: tolerance), palette, tolerance: tolerance))
  }

  /// - Throws: ``ReportError`` when gnuplot is not there or fails.
  package func html() throws(ReportError) -> String { try page.html() }
}

extension Report {
  /// All results in a folder: its files that end in `.json`.
  package static func history(in folder: String) throws -> [Results] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ReportError("\(folder) cannot be read: \(error.localizedDescription)")
    }
    return try names.filter { $0.hasSuffix(".json") }.sorted().map {
      try Results(contentsOf: "\(folder)/\($0)")
    }
  }
}
