/// Where rows stand under each other, each with its name and its value above what is drawn, and an axis below all.
struct RowLayout {
  struct Row {
    let name: String
    let value: String
  }

  let rows: [Row]

  /// Of the axis.
  let ticks: [(value: Double, text: String)]
  let title: String

  /// Above all. On a page it stands elsewhere.
  var heading: String?

  /// Pixels above the first row for what is not of this layout.
  var legendHeight = 0

  private var head: Int { legendHeight + (heading == nil ? 0 : Drawing.headingHeight) }

  var width = 380
  /// As wide as the labels at the ends of the axis need.
  private var margin: (left: Double, right: Double) {
    func half(_ tick: (value: Double, text: String)?) -> Double {
      max(Drawing.width(of: tick?.text ?? "") / 2 + 3, 8)
    }
    return (half(ticks.first), half(ticks.last))
  }

  private let rowHeight = 44
  private let axisHeight = 46

  var height: Int { head + rowHeight * rows.count + axisHeight }

  /// In units of rows: where in a row something is drawn, from its upper edge on.
  static let mark = (top: 0.56, middle: 0.72, bottom: 0.88)
  private static let text = 0.3

  var commands: String {
    var commands = """
      set lmargin at screen \(Drawing.number(margin.left / Double(width)))
      set rmargin at screen \(Drawing.number(1 - margin.right / Double(width)))
      set tmargin at screen \(Drawing.number(1 - Double(head) / Double(height)))
      set bmargin at screen \(Drawing.number(Double(axisHeight) / Double(height)))
      unset border
      unset key
      unset ytics
      set yrange [\(rows.count):0]
      set grid xtics linetype 1 linecolor rgb '\(Ink.grid.gnuplot)' linewidth 1
      set xtics scale 0 textcolor rgb '\(Ink.muted.gnuplot)' (\(Drawing.labels(ticks)))
      set label \(Drawing.quoted(title)) at graph 0.5, screen \(Drawing.number(9 / Double(height))) center \
      textcolor rgb '\(Ink.muted.gnuplot)'

      """
    if let heading {
      commands += Drawing.heading(heading, left: margin.left, width: width, height: height)
    }
    for (index, row) in rows.enumerated() {
      let space = Double(width) - margin.left - margin.right - Drawing.width(of: row.value) - 16
      let name = Drawing.shortened(row.name, to: max(Int(space / Drawing.width(of: "x")), 8))
      for (text, x, side) in [(name, 0, "left"), (row.value, 1, "right")] {
        commands += """
          set label \(Drawing.quoted(text)) at graph \(x), first \(Double(index) + Self.text) \(side) \
          textcolor rgb '\(Ink.text.gnuplot)' front

          """
      }
    }
    return commands
  }
}
