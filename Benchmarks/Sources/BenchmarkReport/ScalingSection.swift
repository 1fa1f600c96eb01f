extension Section {
  static func batchScaling(_ benchmarks: [Measured], _ palette: Palette) -> Section {
    Section(
      id: "batch-size", title: "Scaling with batch size",
      introduction: "How much is done in a second when so many attempts come in one call.",
      blocks: Contest.scaling(benchmarks, along: .batch, palette),
      whenEmpty: """
        These results have no two batch sizes of one benchmark. <code>otp-bench run --full --json result.json</code> \
        measures them.
        """)
  }

  static func threadScaling(_ benchmarks: [Measured], _ palette: Palette) -> Section {
    Section(
      id: "threads", title: "Scaling with threads",
      introduction: "How much is done in a second when so many threads share the work.",
      blocks: Contest.scaling(benchmarks, along: .threads, palette),
      whenEmpty: """
        These results have no two numbers of threads of one benchmark. \
        <code>otp-bench run --full --json result.json</code> measures them.
        """)
  }
}

/// What is on the horizontal axis.
package enum ScalingAxis: CaseIterable {
  case batch, threads

  func place(_ path: BenchmarkPath) -> Int? {
    switch self {
    case .batch: path.batch
    case .threads: path.threads
    }
  }

  var pathAxis: BenchmarkPath.Axis {
    switch self {
    case .batch: .batch
    case .threads: .threads
    }
  }

  fileprivate var title: String {
    switch self {
    case .batch: "attempts in a call"
    case .threads: "threads"
    }
  }

  fileprivate var column: String {
    switch self {
    case .batch: "Batch"
    case .threads: "Threads"
    }
  }
}

extension Contest {
  fileprivate static func scaling(
    _ benchmarks: [Measured], along axis: ScalingAxis, _ palette: Palette
  ) -> [Block] {
    let blocks = Contest.all(of: benchmarks, without: [axis.pathAxis]).compactMap {
      $0.scalingBlock(along: axis, palette)
    }
    return blocks.enumerated().map { index, block in
      var block = block
      block.isFolded = index > 0
      return block
    }
  }

  /// - Returns: nil where nobody has two places on the axis.
  private func scalingBlock(along axis: ScalingAxis, _ palette: Palette) -> Block? {
    let charts = groups.compactMap { algorithm, members in
      ScalingLines(members, along: axis).map { (algorithm, $0) }
    }
    guard !charts.isEmpty else { return nil }
    let items = family.items.many
    return Block(
      title: family.title, pattern: pattern,
      figures: charts.map { algorithm, lines in
        Figure(
          caption: algorithm.map(algorithmTitle) ?? "",
          drawing: lines.chart(title(algorithm), items, palette).drawing)
      },
      table: Table(
        columns: [
          .init(title: "Algorithm", isNumber: false), .init(title: "Backend", isNumber: false),
          .init(title: axis.column), .init(title: "\(items.capitalizedFirst) per second"),
          .init(title: "Spread"), .init(title: "Each"), .init(title: "Against the first"),
        ],
        rows: charts.flatMap { algorithm, lines in
          lines.rows.map { ["\(algorithm.map(algorithmTitle) ?? "–")"] + $0 }
        }))
  }
}

/// How each contestant does along the axis, with one algorithm.
package struct ScalingLines {
  private let axis: ScalingAxis

  /// The fastest one comes first, and in each the lowest place.
  package let lines: [(name: String, points: [(place: Int, measured: Measured)])]

  /// - Returns: nil where nobody has two places on the axis.
  package init?(_ members: [Measured], along axis: ScalingAxis) {
    self.axis = axis
    let placed = members.compactMap { member in
      // A logarithmic axis has no zero.
      axis.place(member.path).flatMap { $0 > 0 ? (place: $0, measured: member) : nil }
    }
    lines = Dictionary(grouping: placed) { $0.measured.contestantTitle }
      .map { name, points in (name, points.sorted { $0.place < $1.place }) }
      .filter { Set($0.1.map(\.place)).count > 1 }
      .sorted { Self.order($0) < Self.order($1) }
    if lines.isEmpty { return nil }
  }

  private static func order(
    _ line: (name: String, points: [(place: Int, measured: Measured)])
  ) -> (Double, String) {
    (-(line.points.last?.measured.rates.median ?? 0), line.name)
  }

  /// - Parameter items: what is counted.
  func chart(_ title: String, _ items: String, _ palette: Palette) -> LineChart {
    let all = lines.flatMap(\.points)
    let maximum = all.map { $0.measured.rates.highest }.max() ?? 1
    let scale = Figures.Scale(for: maximum)
    return LineChart(
      title: "\(title): \(items) per second by \(axis.title)",
      summary: lines.map { name, points in
        let values = points.map {
          "\(Figures.short($0.measured.rates.median)) at \(Figures.grouped(Double($0.place)))"
        }
        return "\(name): \(values.joined(separator: ", "))"
      }.joined(separator: ". ") + ".",
      series: lines.map { name, points in
        LineChart.Series(
          name: name, ink: palette[name],
          points: points.map { place, measured in
            LineChart.Point(
              x: Double(place), value: measured.rates.median / scale.factor,
              range: measured.rates.quartiles.map {
                ($0.lowerBound / scale.factor)...($0.upperBound / scale.factor)
              },
              tip: """
                \(name), \(Figures.grouped(Double(place))) \(axis.title): \
                \(Figures.short(measured.rates.median)) per second
                """)
          })
      },
      positions: Set(all.map(\.place)).sorted().map { (Double($0), Figures.grouped(Double($0))) },
      positionsTitle: axis == .batch ? "\(axis.title), logarithmic" : axis.title,
      isLogarithmic: axis == .batch,
      ticks: NiceTicks(upTo: maximum / scale.factor, steps: 5).values.map {
        ($0, Drawing.number($0))
      },
      valuesTitle: scale.title("\(items) per second"))
  }

  /// For the table, without the algorithm.
  fileprivate var rows: [[HTML]] {
    lines.flatMap { name, points in
      points.map { place, measured in
        [
          "\(Table.name(name))", "\(Figures.grouped(Double(place)))",
          "\(Figures.grouped(measured.rates.median))",
          "\(Figures.spread(measured.rates.spread))",
          "\(Figures.duration(nanoseconds: measured.nanosecondsEach))",
          "\(Figures.ratio(measured.rates.median / points[0].measured.rates.median))",
        ]
      }
    }
  }
}
