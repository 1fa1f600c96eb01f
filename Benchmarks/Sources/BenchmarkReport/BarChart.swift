/// Values side by side.
struct BarChart {
  struct Bar {
    let name: String
    let value: Double

    /// Where half of the repetitions are.
    let range: ClosedRange<Double>?
    let ink: Ink
  }

  let title: String

  /// A title in the drawing. On a page it stands elsewhere.
  var heading: String?
  var width = 380

  /// In the order from above.
  let bars: [Bar]

  /// What is counted: `verifications per second`.
  let unit: String

  /// What follows a value in words: ` B`. Nil: the letter for millions or the like, the same for all bars.
  var suffix: String?

  var drawing: Drawing {
    let ticks = NiceTicks(upTo: maximum > 0 ? maximum / scale.factor : 1, steps: 4).values
    let layout = RowLayout(
      rows: zip(bars, texts).map { RowLayout.Row(name: $0.name, value: $1) },
      ticks: ticks.map { ($0, $0 >= 1000 ? Figures.grouped($0) : Drawing.number($0)) },
      title: scale.title(unit),
      heading: heading, width: width)
    let mark = RowLayout.mark
    let rectangles = bars.enumerated().map { row, bar in
      let (top, bottom) = (Double(row) + mark.top, Double(row) + mark.bottom)
      return
        "\(bar.value / scale.factor) \(Double(row) + mark.middle) \(top) \(bottom) \(bar.ink.value)"
    }
    let ranges = bars.enumerated().compactMap { row, bar in
      bar.range.map {
        let length = ($0.upperBound - $0.lowerBound) / scale.factor
        return "\($0.lowerBound / scale.factor) \(Double(row) + mark.middle) \(length)"
      }
    }
    var plots = ["$bars using 1:2:(0):1:3:4:5 with boxxyerror linecolor rgb variable"]
    if !ranges.isEmpty {
      plots.append(
        "$ranges using 1:2:3:(0) with vectors heads size graph 0.008,90 fixed linewidth 1.5 "
          + "linecolor rgb '\(Ink.text.gnuplot)'")
    }
    return Drawing(
      title: title, summary: summary, width: layout.width, height: layout.height,
      commands: """
        \(layout.commands)
        set xrange [0:\(ticks.last ?? 1)]
        set style fill solid noborder
        \(Drawing.data("bars", rectangles))
        \(Drawing.data("ranges", ranges))
        plot \(plots.joined(separator: ", "))
        """,
      tips: [zip(bars, texts).map { "\($0.name): \($1)" }])
  }

  private var maximum: Double {
    bars.map { max($0.value, $0.range?.upperBound ?? 0) }.max() ?? 0
  }

  private var scale: Figures.Scale { Figures.Scale(for: maximum) }

  private var texts: [String] {
    bars.map { bar in
      suffix.map { Figures.grouped(bar.value) + $0 } ?? scale.text(bar.value)
    }
  }

  private var summary: String {
    let values = zip(bars, texts).map { "\($0.name) \($1)" }
    return "Bars, \(unit): \(values.joined(separator: ", "))."
  }
}
