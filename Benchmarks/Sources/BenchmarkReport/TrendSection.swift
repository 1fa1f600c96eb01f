import BenchmarkResults
import RunComparison

extension Section {
  /// How throughput changed over commits, for each machine.
  static func trend(
    _ histories: [History], leftOut: [ResultsError], _ palette: Palette, tolerance: Tolerance
  ) -> Section {
    let told = histories.filter { $0.entries.count > 1 }
    let alone = histories.count - told.count
    let others: HTML =
      told.isEmpty || alone == 0
      ? ""
      : alone == 1
        ? " One other machine has a single result, and so no trend."
        : " \(alone) other machines have a single result each, and so no trend."
    let absent: HTML =
      leftOut.isEmpty
      ? ""
      : """
       <strong>Left out of the history:</strong> \(leftOut.map { "\($0)" }.joined(separator: "; ")).
      """
    return Section(
      id: "trend", title: "Trend over commits",
      introduction: """
        Throughput as a share of that at each line's first point. Every benchmark is compared with its last \
        measurement before, by the rule of <code>otp-bench compare</code>: a regression is slower by more than \
        \(Drawing.number(tolerance.percent)) %, and not by chance.\(others)\(absent)
        """,
      blocks: told.flatMap { $0.blocks(palette, namesMachine: histories.count > 1) },
      whenEmpty: """
        There are no two results of one machine. Keep each result in a folder and give that: \
        <code>otp-bench report result.json --history FOLDER --output report.html</code>.
        """)
  }
}

extension History {
  /// A place in the history of one benchmark.
  private struct Step {
    let entry: Entry
    let position: Int
    let benchmark: Measured
    let change: ComparedBenchmark?
  }

  fileprivate func blocks(_ palette: Palette, namesMachine: Bool) -> [Block] {
    var steps: [String: [Step]] = [:]
    var names: [String] = []
    for (position, entry) in entries.enumerated() {
      for result in entry.run.benchmarks {
        guard let benchmark = entry.benchmarks[result.name] else { continue }
        if steps[result.name] == nil { names.append(result.name) }
        steps[result.name, default: []].append(
          Step(
            entry: entry, position: position, benchmark: benchmark,
            change: entry.changes[result.name]))
      }
    }
    let place = namesMachine ? " on \(machine.title)" : ""
    let changed = names.filter { steps[$0, default: []].contains { $0.change?.isChange ?? false } }
    var blocks: [Block] = []

    // Charts of what the suite is for, and of all that changed.
    let latest = names.compactMap { steps[$0]?.last?.benchmark }
    let contests = Contest.all(of: latest, without: [])
    for contest in contests {
      let isChanged = contest.members.contains { changed.contains($0.path.name) }
      guard contest.isHeadline || isChanged else { continue }
      let figures = contest.groups.compactMap { algorithm, members in
        figure(
          contest.title(algorithm), algorithm,
          members.sorted { $0.contestantTitle < $1.contestantTitle }
            .map { ($0, steps[$0.path.name, default: []]) }.filter { $0.1.count > 1 }, palette)
      }
      guard !figures.isEmpty else { continue }
      blocks.append(
        Block(
          title: contest.family.title + place, pattern: contest.pattern, figures: figures,
          table: table(contest, steps),
          isFolded: !contest.isHeadline))
    }
    let changes = changed.flatMap { steps[$0, default: []].filter { $0.change?.isChange ?? false } }
      .sorted { Self.order($0) < Self.order($1) }
    let summary =
      counted(self.count(.regression), "regression") + ", "
      + counted(self.count(.improvement), "improvement") + place
    blocks.insert(
      Block(title: summary, pattern: nil, figures: [], table: Self.table(of: changes)), at: 0)
    blocks.append(overview(names, steps, place))
    return blocks
  }

  /// The latest comes first, and of one commit what is slower.
  private static func order(_ step: Step) -> (Int, Int, String) {
    (-step.position, step.change?.verdict == .regression ? 0 : 1, step.benchmark.path.name)
  }

  private func figure(
    _ title: String, _ algorithm: String?, _ lines: [(Measured, [Step])],
    _ palette: Palette
  ) -> Figure? {
    let series = lines.map { benchmark, steps in
      let first = steps[0].benchmark.rates.median
      return LineChart.Series(
        name: benchmark.contestantTitle, ink: palette[benchmark.contestantTitle],
        points: steps.map { step in
          let share = step.benchmark.rates.median / first
          return LineChart.Point(
            x: Double(step.position), value: share * 100,
            tip: """
              \(benchmark.contestantTitle), \(step.entry.title): \
              \(Figures.short(step.benchmark.rates.median)) per second, \(Figures.change(share - 1))
              """,
            isMarked: step.change?.verdict == .regression)
        })
    }
    let values = series.flatMap(\.points).map(\.value)
    guard let low = values.min(), let high = values.max() else { return nil }
    // Noise of a percent or two is not to look like a mountain, and no point lies on the axis.
    let ticks = NiceTicks(from: min(low - 1, 95), upTo: max(high, 105), steps: 5).values
    let marks = series.flatMap { line in
      line.points.filter(\.isMarked).map { "\(line.name) at \(entries[Int($0.x)].title)" }
    }
    var chart = LineChart(
      title: "\(title), trend",
      summary: """
        Lines over \(entries.count) commits, as a share of the first: \(series.map { line in
          "\(line.name) ends at \(Figures.percent((line.points.last?.value ?? 100) / 100))"
        }.joined(separator: ", ")). Regressions: \(marks.isEmpty ? "none" : marks.joined(separator: ", ")).
        """,
      series: series,
      positions: entries.enumerated().map { (Double($0), $1.label) },
      positionsTitle: positionsTitle,
      ticks: ticks.map { ($0, "\(Drawing.number($0)) %") },
      valuesTitle: "throughput, share of the first", markName: "regression")
    let narrow = chart.drawing
    chart.width = 1160
    return Figure(
      caption: algorithm.map(algorithmTitle) ?? "", drawing: chart.drawing, narrow: narrow)
  }

  private var positionsTitle: String {
    let days = entries.map(\.day)
    return days.first == days.last
      ? "commits" : "commits, \(days.first ?? "") to \(days.last ?? "")"
  }

  /// A row for each commit, a column for each line.
  private func table(_ contest: Contest, _ steps: [String: [Step]]) -> Table {
    let names = contest.members.map(\.path.name)
    return Table(
      columns: [
        .init(title: "Commit", isNumber: false), .init(title: "Date", isNumber: false),
      ]
        + contest.members.map { member in
          let algorithm = member.path.algorithm.map { "\(algorithmTitle($0)) " } ?? ""
          return .init(title: algorithm + member.contestantTitle)
        },
      rows: entries.enumerated().map { position, entry in
        ["<code>\(entry.label)</code>", "\(entry.day)"]
          + names.map { name -> HTML in
            guard let step = steps[name]?.first(where: { $0.position == position }) else {
              return "–"
            }
            let mark: HTML =
              step.change?.verdict == .regression
              ? "<span class=\"slower\" title=\"regression\">▼\u{A0}</span>" : ""
            return "\(mark)\(Figures.grouped(step.benchmark.rates.median))"
          }
      })
  }

  private static func table(of steps: [Step]) -> Table {
    Table(
      columns: [
        .init(title: "Verdict", isNumber: false), .init(title: "Benchmark", isNumber: false),
        .init(title: "Commit", isNumber: false), .init(title: "Date", isNumber: false),
        .init(title: "Per second"), .init(title: "Time against before"),
        .init(title: "95 % interval"),
      ],
      rows: steps.map { step in
        let change = step.change
        let interval = change?.interval.flatMap { $0.upperBound.isFinite ? $0 : nil }
        let verdict = change.flatMap { $0.times == nil ? nil : $0.verdict }
        return [
          verdict == .regression
            ? "<span class=\"slower\">▼ regression</span>" : "\(verdict?.rawValue ?? "–")",
          "<code>\(Table.name(step.benchmark.path.name))</code>",
          "<code>\(step.entry.label)</code>",
          "\(step.entry.day)", "\(Figures.grouped(step.benchmark.rates.median))",
          "\(change?.ratio.map { Figures.change($0 - 1) } ?? "–")",
          "\(interval.map { "\(Figures.change($0.lowerBound - 1)) to \(Figures.change($0.upperBound - 1))" } ?? "–")",
        ]
      })
  }

  /// From the first to the last of each benchmark: many small steps make a large one.
  private func overview(_ names: [String], _ steps: [String: [Step]], _ place: String) -> Block {
    let rows = names.sorted().compactMap { name -> [HTML]? in
      guard let steps = steps[name], let first = steps.first, let last = steps.last,
        steps.count > 1
      else { return nil }
      return [
        "<code>\(Table.name(name))</code>", "\(steps.count)", "<code>\(first.entry.label)</code>",
        "\(Figures.grouped(first.benchmark.rates.median))", "<code>\(last.entry.label)</code>",
        "\(Figures.grouped(last.benchmark.rates.median))",
        "\(Figures.change(last.benchmark.rates.median / first.benchmark.rates.median - 1))",
      ]
    }
    return Block(
      title: "All benchmarks from first to last\(place)", pattern: nil, figures: [],
      table: Table(
        columns: [
          .init(title: "Benchmark", isNumber: false), .init(title: "Measured"),
          .init(title: "First", isNumber: false), .init(title: "Per second"),
          .init(title: "Last", isNumber: false), .init(title: "Per second"),
          .init(title: "Throughput"),
        ], rows: rows),
      isFolded: true)
  }
}

extension History.Entry {
  /// A short name of the commit; without one, the day.
  fileprivate var label: String {
    Drawing.shortened(run.commit.map(shortCommit) ?? day, to: 16)
  }

  fileprivate var day: String { String(readable(run.date).prefix(10)) }

  fileprivate var title: String { "\(label) of \(readable(run.date))" }
}

extension ComparedBenchmark {
  fileprivate var isChange: Bool { verdict == .regression || verdict == .improvement }
}
