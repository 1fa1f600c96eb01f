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
private enum ScalingAxis {
  case batch, threads

  func place(_ path: BenchmarkPath) -> Int? {
    switch self {
    case .batch: path.batch
    case .threads: path.threads
    }
  }

  var title: String {
    switch self {
    case .batch: "attempts in a call"
    case .threads: "threads"
    }
  }

  var column: String {
    switch self {
    case .batch: "Batch"
    case .threads: "Threads"
    }
  }

  var pathAxis: BenchmarkPath.Axis {
    switch self {
    case .batch: .batch
    case .threads: .threads
    }
  }
}

extension Contest {
  fileprivate static func scaling(
    _ benchmarks: [Measured], along axis: ScalingAxis, _ palette: Palette
  ) -> [Block] {
    let placed = benchmarks.filter { axis.place($0.path) != nil }
    let blocks = Contest.all(of: placed, without: [axis.pathAxis]).compactMap {
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
    let items = family.items
    var figures: [Figure] = []
    var rows: [[HTML]] = []
    for (algorithm, members) in groups {
      // The fastest one comes first.
      let lines = Dictionary(grouping: members, by: \.contestantTitle)
        .mapValues { $0.sorted { (axis.place($0.path) ?? 0) < (axis.place($1.path) ?? 0) } }
        .filter { $0.value.count > 1 }
        .sorted { ($0.value.last?.rates.median ?? 0) > ($1.value.last?.rates.median ?? 0) }
      guard !lines.isEmpty else { continue }
      let shown = lines.flatMap(\.value)
      let maximum = shown.map { max($0.rates.median, $0.rates.quartiles?.upperBound ?? 0) }.max() ?? 1
      let scale = Figures.Scale(for: maximum)
      let title = [family.title, algorithm.map(algorithmTitle)].compactMap { $0 }
        .joined(separator: ", ")
      let chart = LineChart(
        title: "\(title): \(items.many) per second by \(axis.title)",
        summary: lines.map { name, line in
          let values = line.map {
            "\(Figures.short($0.rates.median)) at \(Figures.grouped(Double(axis.place($0.path) ?? 0)))"
          }
          return "\(name): \(values.joined(separator: ", "))"
        }.joined(separator: ". ") + ".",
        series: lines.map { name, line in
          LineChart.Series(
            name: name, ink: palette[name],
            points: line.map { member in
              let place = axis.place(member.path) ?? 0
              return LineChart.Point(
                x: Double(place), value: member.rates.median / scale.factor,
                range: member.rates.quartiles.map {
                  ($0.lowerBound / scale.factor)...($0.upperBound / scale.factor)
                },
                tip: """
                  \(name), \(Figures.grouped(Double(place))) \(axis.title): \
                  \(Figures.short(member.rates.median)) per second
                  """)
            })
        },
        positions: Set(shown.compactMap { axis.place($0.path) }).sorted().map {
          (Double($0), Figures.grouped(Double($0)))
        },
        positionsTitle: axis == .batch ? "\(axis.title), logarithmic" : axis.title,
        isLogarithmic: axis == .batch,
        ticks: NiceTicks(upTo: maximum / scale.factor, steps: 5).values.map {
          ($0, Drawing.number($0))
        },
        valuesTitle: scale.title("\(items.many) per second"))
      figures.append(
        Figure(caption: algorithm.map(algorithmTitle) ?? "", drawing: chart.drawing))
      for (name, line) in lines {
        for member in line {
          rows.append([
            "\(algorithm.map(algorithmTitle) ?? "–")", "\(name)",
            "\(Figures.grouped(Double(axis.place(member.path) ?? 0)))",
            "\(Figures.grouped(member.rates.median))",
            "\(member.rates.spread.map { "±\u{A0}\(Figures.percent($0))" } ?? "–")",
            "\(Figures.duration(nanoseconds: member.nanosecondsEach))",
            "\(Figures.ratio(member.rates.median / line[0].rates.median))",
          ])
        }
      }
    }
    guard !figures.isEmpty else { return nil }
    return Block(
      title: family.title, pattern: pattern, figures: figures,
      table: Table(
        columns: [
          .init(title: "Algorithm", isNumber: false), .init(title: "Backend", isNumber: false),
          .init(title: axis.column), .init(title: "\(items.many.capitalizedFirst) per second"),
          .init(title: "Spread"), .init(title: "Each"), .init(title: "Against the first"),
        ], rows: rows))
  }
}
