package import BenchmarkResults
package import Foundation

/// One chart of some benchmarks, for a document.
package struct Picture {
  private let drawing: Drawing

  /// Along the batch size or the threads, where these are what differs; otherwise bars.
  ///
  /// - Parameter results: what to show. Of results that are several contests, the one that comes first on a page.
  package init(_ results: Results) throws(ReportError) {
    let benchmarks = results.benchmarks.compactMap(Measured.init)
    let palette = Palette(benchmarks.map(\.contestantTitle))
    for axis in ScalingAxis.allCases {
      let contests = Contest.all(of: benchmarks, without: [axis.pathAxis])
      guard contests.count == 1, contests[0].groups.count == 1,
        let lines = ScalingLines(contests[0].members, along: axis)
      else { continue }
      let title = contests[0].title(contests[0].groups[0].algorithm)
      var chart = lines.chart(title, contests[0].family.items.many, palette)
      chart.heading = title
      chart.width = Self.width
      drawing = chart.drawing
      return
    }
    guard let contest = Contest.all(of: benchmarks, without: [.batch, .threads]).first?.plain else {
      throw ReportError("there is no benchmark to show")
    }
    let isOfOne = contest.groups.count == 1
    let title = contest.title(isOfOne ? contest.groups[0].algorithm : nil)
    var chart = BarChart(
      title: title,
      bars: contest.groups.flatMap { algorithm, members in
        members.sorted { $0.rates.median > $1.rates.median }.map { member in
          let prefix = isOfOne ? nil : algorithm.map { "\(algorithmTitle($0)), " }
          return BarChart.Bar(
            name: (prefix ?? "") + member.contestantTitle, value: member.rates.median,
            range: member.rates.quartiles, ink: palette[member.contestantTitle])
        }
      }, unit: "\(contest.family.items.many) per second")
    chart.heading = title
    chart.width = Self.width
    drawing = chart.drawing
  }

  private static let width = 760

  /// A file that follows the reader's theme.
  package func svg() throws(ReportError) -> Data {
    Data(try SVG(Gnuplot.svg([drawing])[0], drawing).file.utf8)
  }

  /// A file in the light theme, at two pixels for each of the drawing.
  package func png() throws(ReportError) -> Data { try Gnuplot.png(drawing) }
}
