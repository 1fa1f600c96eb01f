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
    let names = (results + history).flatMap(\.benchmarks).map { BenchmarkPath($0.name).contestant ?? "" }
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

extension Page.Tile {
  /// The fastest in the work that the suite is for, for each algorithm.
  fileprivate static func headlines(_ benchmarks: [Measured]) -> [Page.Tile] {
    guard let contest = Contest.all(of: benchmarks, without: [.batch, .threads]).first(where: \.isHeadline)
    else { return [] }
    return contest.plain.groups.compactMap { algorithm, members in
      guard let algorithm,
        let best = members.max(by: { $0.rates.median < $1.rates.median })
      else { return nil }
      let ratio = members.first { $0.path.contestant == "openssl" }.map {
        best.rates.median / $0.rates.median
      }
      let name = best.contestantTitle
      return Page.Tile(
        title: algorithmTitle(algorithm), figure: Figures.short(best.rates.median),
        unit: "verifications per second on one thread",
        note: ratio.flatMap { name == "openssl" ? nil : "\(name), \(Figures.ratio($0)) openssl" } ?? name)
    }
  }
}

extension Section {
  /// Each benchmark by its name.
  fileprivate static func everything(_ benchmarks: [Measured]) -> Section {
    let rows = benchmarks.sorted { $0.path.name < $1.path.name }.map { member -> [HTML] in
      [
        "<code class=\"long\">\(member.path.name)</code>", "\(Figures.grouped(member.rates.median))",
        "\(Figures.spread(member.rates.spread))",
        "\(Figures.duration(nanoseconds: member.nanosecondsEach))", "\(member.rates.count)",
      ]
    }
    let table = Table(
      columns: [
        .init(title: "Benchmark", isNumber: false), .init(title: "Items per second"),
        .init(title: "Spread"), .init(title: "Each"), .init(title: "Repetitions"),
      ], rows: rows)
    return Section(
      id: "all", title: "All benchmarks",
      introduction: """
        By name. An item is a verification, a code, a key or an attempt; the spread is half the distance between the \
        quartiles.
        """,
      blocks: rows.isEmpty
        ? []
        : [
          Block(
            title: "\(rows.count) benchmark\(rows.count == 1 ? "" : "s")", pattern: nil, figures: [],
            table: table, isFolded: rows.count > 12)
        ],
      whenEmpty: "These results have no benchmark. <code>otp-bench run --json result.json</code> measures some.")
  }
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
