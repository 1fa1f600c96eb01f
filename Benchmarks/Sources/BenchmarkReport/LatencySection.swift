extension Section {
  /// How long single calls take, from the results that count percentiles.
  static func latency(_ benchmarks: [Measured], _ palette: Palette) -> Section {
    let timed = benchmarks.filter { !$0.percentiles.isEmpty }
    return Section(
      id: "latency", title: "Latency of single verifications",
      introduction: """
        Half of all calls take no longer than p50, and one in a thousand takes longer than p99.9. Less is better; the \
        number beside a name is its p50.
        """,
      blocks: Contest.all(of: timed, without: []).enumerated().map {
        $1.latencyBlock(palette, isFolded: $0 > 0)
      },
      whenEmpty: """
        No benchmark of these results has percentiles. <code>otp-bench run --full --json result.json</code> measures \
        single calls.
        """)
  }
}

extension Measured {
  fileprivate var percentiles: [Percentile: Double] {
    Dictionary(
      uniqueKeysWithValues: Percentile.allCases.compactMap { percentile in
        counter(percentile.counter).map { (percentile, $0) }
      })
  }
}

extension Contest {
  fileprivate func latencyBlock(_ palette: Palette, isFolded: Bool) -> Block {
    let sorted = groups.map { group in
      (
        group.algorithm,
        group.members.sorted {
          ($0.percentiles[.p50] ?? .infinity) < ($1.percentiles[.p50] ?? .infinity)
        }
      )
    }
    let figures = sorted.map { algorithm, members in
      let chart = PercentileChart(
        title: "\(title(algorithm)), percentiles",
        rows: members.map {
          PercentileChart.Row(
            name: $0.contestantTitle, values: $0.percentiles, ink: palette[$0.contestantTitle])
        })
      return Figure(caption: algorithm.map(algorithmTitle) ?? "", drawing: chart.drawing)
    }
    let rows = sorted.flatMap { algorithm, members in
      members.map { member -> [HTML] in
        ["\(algorithm.map(algorithmTitle) ?? "–")", "\(Table.name(member.contestantTitle))"]
          + Percentile.allCases.map {
            "\(member.percentiles[$0].map(Figures.duration(nanoseconds:)) ?? "–")"
          }
      }
    }
    return Block(
      title: family.title, pattern: pattern, figures: figures,
      table: Table(
        columns: [
          .init(title: "Algorithm", isNumber: false), .init(title: "Backend", isNumber: false),
        ] + Percentile.allCases.map { .init(title: $0.label) }, rows: rows),
      isFolded: isFolded)
  }
}
