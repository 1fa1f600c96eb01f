/// How long the fast and the slow calls take, on a logarithmic scale.
struct PercentileChart {
  struct Row {
    let name: String

    /// Nanoseconds, above zero, by the percentile; those that were not measured are left out.
    let values: [Percentile: Double]
    let ink: Ink
  }

  let title: String
  let rows: [Row]

  var drawing: Drawing {
    let all = rows.flatMap(\.values.values)
    let ticks = NiceTicks(
      logarithmicFrom: all.min() ?? 1, upTo: all.max() ?? 1
    ).values
    let layout = RowLayout(
      rows: rows.map { row in
        RowLayout.Row(
          name: row.name, value: row.values[.p50].map(Figures.duration(nanoseconds:)) ?? "")
      },
      ticks: ticks.map { ($0, Figures.round(nanoseconds: $0)) },
      title: "time of one verification, logarithmic", legendHeight: 26)
    let percentiles = Percentile.allCases.filter { percentile in
      rows.contains { $0.values[percentile] != nil }
    }
    let legendY = Drawing.number(1 - 11 / Double(layout.height))
    var commands = ""
    var plots = ["$spans using 1:2:3:(0):4 with vectors nohead linewidth 3 linecolor rgb variable"]
    var tips: [[String]] = [[]]
    let spans = rows.enumerated().compactMap { index, row -> String? in
      guard let low = row.values.values.min(), let high = row.values.values.max() else {
        return nil
      }
      return "\(low) \(Double(index) + RowLayout.mark.middle) \(high - low) \(row.ink.value)"
    }
    commands += Drawing.data("spans", spans) + "\n"
    for (place, percentile) in percentiles.enumerated() {
      let points = rows.enumerated().compactMap { index, row in
        row.values[percentile].map {
          "\($0) \(Double(index) + RowLayout.mark.middle) \(row.ink.value)"
        }
      }
      commands += """
        \(Drawing.data(percentile.rawValue, points))
        set label '' at graph \(Double(place) * 0.2 + 0.02), screen \(legendY) \
        point pointtype \(percentile.symbol) linecolor rgb '\(Ink.muted.gnuplot)'
        set label '\(percentile.label)' at graph \(Double(place) * 0.2 + 0.055), screen \(legendY) left \
        textcolor rgb '\(Ink.muted.gnuplot)'

        """
      plots.append(
        "$\(percentile.rawValue) using 1:2:3 with points pointtype \(percentile.symbol) "
          + "pointsize 1.1 linecolor rgb variable")
      tips.append(
        rows.compactMap { row in
          row.values[percentile].map {
            "\(row.name), \(percentile.label): \(Figures.duration(nanoseconds: $0))"
          }
        })
    }
    return Drawing(
      title: title, summary: summary, width: layout.width, height: layout.height,
      commands: """
        \(layout.commands)
        set logscale x
        set xrange [\(ticks.first ?? 1):\(ticks.last ?? 10)]
        \(commands)
        plot \(plots.joined(separator: ", "))
        """, tips: tips)
  }

  private var summary: String {
    let texts = rows.map { row in
      let values = Percentile.allCases.compactMap { percentile in
        row.values[percentile].map { "\(percentile.label) \(Figures.duration(nanoseconds: $0))" }
      }
      return "\(row.name): \(values.joined(separator: ", "))"
    }
    return "Points on a logarithmic scale. \(texts.joined(separator: "; "))."
  }
}

/// A share of all calls that took no longer.
enum Percentile: String, CaseIterable {
  case p50, p90, p99, p999

  var label: String { self == .p999 ? "p99.9" : rawValue }

  /// The counter in results.
  var counter: String { "\(rawValue)_ns" }

  /// gnuplot's number of a mark.
  var symbol: Int {
    switch self {
    case .p50: 7
    case .p90: 5
    case .p99: 13
    case .p999: 9
    }
  }
}
