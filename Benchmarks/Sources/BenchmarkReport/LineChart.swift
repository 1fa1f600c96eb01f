/// How values change along an axis, a line for each of several contestants.
struct LineChart {
  struct Point {
    let x: Double
    let value: Double

    /// Where half of the repetitions are.
    var range: ClosedRange<Double>?

    /// What the point says when it is pointed at.
    let tip: String

    /// Whether something became worse here.
    var isMarked = false
  }

  struct Series {
    let name: String
    let ink: Ink

    /// In the order of `x`.
    let points: [Point]
  }

  let title: String
  let summary: String
  let series: [Series]

  /// Where along the axis there is a label.
  let positions: [(x: Double, text: String)]
  let positionsTitle: String
  var isLogarithmic = false

  /// Ascending.
  let ticks: [(value: Double, text: String)]
  let valuesTitle: String

  /// What a marked point says in the legend.
  var markName = ""

  /// A title in the drawing. On a page it stands elsewhere.
  var heading: String?
  var width = 380
  private let plotHeight = 210.0
  private let lineHeight = 20.0
  private let axisHeight = 46.0

  var drawing: Drawing {
    let left = (ticks.map { Drawing.width(of: $0.text) }.max() ?? 0) + 14
    let right = max((positions.last.map { Drawing.width(of: $0.text) } ?? 0) / 2 + 3, 18)
    let legend = legend(width: Double(width) - 8)
    let top = heading == nil ? 0 : Double(Drawing.headingHeight)
    let head = top + Double(legend.lines) * lineHeight + lineHeight + 12
    let height = head + plotHeight + axisHeight
    func screenY(_ pixels: Double) -> String { Drawing.number(1 - pixels / height) }
    func screenX(_ pixels: Double) -> String { Drawing.number(pixels / Double(width)) }

    let shown = thinned(positions, width: Double(width) - left - right)
    var commands = """
      set lmargin at screen \(screenX(left))
      set rmargin at screen \(screenX(Double(width) - right))
      set tmargin at screen \(screenY(head))
      set bmargin at screen \(screenY(head + plotHeight))
      set border 1 linecolor rgb '\(Ink.axis.gnuplot)'
      unset key
      set grid ytics linetype 1 linecolor rgb '\(Ink.grid.gnuplot)' linewidth 1
      set xtics nomirror scale 0.4 textcolor rgb '\(Ink.muted.gnuplot)' (\(Drawing.labels(shown)))
      set ytics scale 0 textcolor rgb '\(Ink.muted.gnuplot)' (\(Drawing.labels(ticks)))
      set label \(Drawing.quoted(positionsTitle)) at graph 0.5, screen \(Drawing.number(9 / height)) center \
      textcolor rgb '\(Ink.muted.gnuplot)'
      set label \(Drawing.quoted(valuesTitle)) at screen \(screenX(4)), screen \(screenY(head - 16)) left \
      textcolor rgb '\(Ink.muted.gnuplot)'
      set yrange [\(ticks.first?.value ?? 0):\(ticks.last?.value ?? 1)]
      \(range)

      """
    if let heading {
      commands += Drawing.heading(heading, left: 4, width: width, height: Int(height))
    }
    for entry in legend.entries {
      let y = screenY(top + Double(entry.line) * lineHeight + 11)
      commands += """
        set label '' at screen \(screenX(entry.x + 10)), screen \(y) \
        point pointtype \(entry.symbol) pointsize 1 linecolor rgb '\(entry.ink.gnuplot)'
        set label \(Drawing.quoted(entry.name)) at screen \(screenX(entry.x + 22)), screen \(y) left \
        textcolor rgb '\(Ink.text.gnuplot)'

        """
    }
    var plots: [String] = []
    var tips: [[String]] = []
    for (index, line) in series.enumerated() {
      let ranges = line.points.compactMap { point in
        point.range.map { "\(point.x) \($0.lowerBound) \($0.upperBound - $0.lowerBound)" }
      }
      if !ranges.isEmpty {
        commands += Drawing.data("ranges\(index)", ranges) + "\n"
        plots.append(
          "$ranges\(index) using 1:2:(0):3 with vectors nohead linewidth 1 "
            + "linecolor rgb '\(line.ink.gnuplot)'")
        tips.append([])
      }
      commands +=
        Drawing.data("line\(index)", line.points.map { "\($0.x) \($0.value)" }) + "\n"
      plots.append(
        "$line\(index) using 1:2 with linespoints pointtype \(line.ink.symbol) pointsize 0.9 "
          + "linewidth 2 linecolor rgb '\(line.ink.gnuplot)'")
      tips.append(line.points.map(\.tip))
    }
    let marked = series.flatMap(\.points).filter(\.isMarked)
    if !marked.isEmpty {
      commands += Drawing.data("marked", marked.map { "\($0.x) \($0.value)" }) + "\n"
      plots.append(
        "$marked using 1:2 with points pointtype 11 pointsize 1.9 "
          + "linecolor rgb '\(Ink.regression.gnuplot)'")
      tips.append(marked.map(\.tip))
    }
    return Drawing(
      title: title, summary: summary, width: width, height: Int(height),
      commands: "\(commands)plot \(plots.joined(separator: ", "))", tips: tips)
  }

  private var range: String {
    let xs = series.flatMap(\.points).map(\.x)
    guard let low = xs.min(), let high = xs.max() else { return "" }
    // A little room beside the outermost points.
    if isLogarithmic { return "set logscale x\nset xrange [\(low * 0.85):\(high * 1.18)]" }
    let room = max((high - low) * 0.03, low == high ? 1 : 0)
    return "set xrange [\(low - room):\(high + room)]"
  }

  /// No more labels than have room, the last one among them.
  private func thinned(
    _ positions: [(x: Double, text: String)], width: Double
  ) -> [(value: Double, text: String)] {
    let widest = (positions.map { Drawing.width(of: $0.text) }.max() ?? 0) + 14
    let step = max(1, Int((Double(positions.count) * widest / width).rounded(.up)))
    return positions.reversed().enumerated().filter { $0.offset.isMultiple(of: step) }
      .map { ($0.element.x, $0.element.text) }
  }

  private struct Entry {
    let name: String
    let ink: Ink
    let symbol: Int
    let x: Double
    let line: Int
  }

  /// One after the other, in as many lines as they need.
  private func legend(width: Double) -> (entries: [Entry], lines: Int) {
    var wanted = series.map { ($0.name, $0.ink, $0.ink.symbol) }
    if series.contains(where: { $0.points.contains(where: \.isMarked) }) {
      wanted.append((markName, .regression, 11))
    }
    var entries: [Entry] = []
    var (x, line) = (0.0, 0)
    for (name, ink, symbol) in wanted {
      let name = Drawing.shortened(name, to: Int((width - 20) / Drawing.width(of: "x")))
      let length = Drawing.width(of: name) + 34
      if x > 0, x + length > width { (x, line) = (0, line + 1) }
      entries.append(Entry(name: name, ink: ink, symbol: symbol, x: x, line: line))
      x += length
    }
    return (entries, line + 1)
  }
}
