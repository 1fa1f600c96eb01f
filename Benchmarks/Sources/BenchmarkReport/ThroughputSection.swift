extension Section {
  /// How much each contestant does in a second, one chart for each algorithm.
  static func throughput(_ benchmarks: [Measured], _ palette: Palette) -> Section {
    let contests = Contest.all(of: benchmarks, without: [.batch, .threads]).map(\.plain)
    return Section(
      id: "throughput", title: "Throughput by backend",
      introduction: """
        Medians; the fine line across the end of a bar spans the middle half of the repetitions. More is better.
        """,
      blocks: contests.enumerated().map { $1.throughputBlock(palette, isFolded: $0 > 0) },
      whenEmpty: "<code>otp-bench run --json result.json</code> measures the backends.")
  }
}

extension Contest {
  fileprivate func throughputBlock(_ palette: Palette, isFolded: Bool) -> Block {
    let items = family.items
    let sorted = groups.map { group in
      (group.algorithm, group.members.sorted { $0.rates.median > $1.rates.median })
    }
    let figures = sorted.map { algorithm, members in
      let chart = BarChart(
        title: title(algorithm),
        bars: members.map {
          BarChart.Bar(
            name: $0.contestantTitle, value: $0.rates.median, range: $0.rates.quartiles,
            ink: palette[$0.contestantTitle])
        },
        unit: "\(items.many) per second")
      return Figure(caption: algorithm.map(algorithmTitle) ?? "", drawing: chart.drawing)
    }
    let rows = sorted.flatMap { algorithm, members in
      let reference = members.first { $0.path.contestant == "openssl" }
      return members.map { member -> [HTML] in
        [
          "\(algorithm.map(algorithmTitle) ?? "–")", "\(Table.name(member.contestantTitle))",
          "\(Figures.grouped(member.rates.median))",
          "\(Figures.spread(member.rates.spread))",
          "\(Figures.duration(nanoseconds: member.nanosecondsEach))",
          "\(reference.map { Figures.ratio(member.rates.median / $0.rates.median) } ?? "–")",
          "\(member.rates.count)",
        ]
      }
    }
    let best = sorted.first?.1.first.map {
      [$0.path.contestant, Figures.short($0.rates.median)].compactMap { $0 }.joined(separator: " ")
    }
    return Block(
      title: family.title, pattern: pattern, note: best, figures: figures,
      table: Table(
        columns: [
          .init(title: "Algorithm", isNumber: false), .init(title: "Backend", isNumber: false),
          .init(title: "\(items.many.capitalizedFirst) per second"), .init(title: "Spread"),
          .init(title: "Each"), .init(title: "Against openssl"), .init(title: "Repetitions"),
        ], rows: rows),
      isFolded: isFolded)
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
