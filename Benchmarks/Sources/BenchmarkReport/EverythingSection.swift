extension Section {
  /// Each benchmark by its name.
  static func everything(_ benchmarks: [Measured]) -> Section {
    let rows = benchmarks.sorted { $0.path.name < $1.path.name }.map { member -> [HTML] in
      [
        "<code>\(Table.name(member.path.name))</code>", "\(Figures.grouped(member.rates.median))",
        "\(Figures.spread(member.rates.spread))",
        "\(Figures.duration(nanoseconds: member.nanosecondsEach))", "\(member.rates.count)",
      ]
    }
    let table = Table(
      columns: [
        .init(title: "Benchmark", isNumber: false), .init(title: "Items per second"),
        .init(title: "Spread"), .init(title: "Each"), .init(title: "Repetitions"),
      ], rows: rows)
    return Section(
      id: "all", title: "All benchmarks",
      introduction: """
        By name. An item is a verification, a code, a key or an attempt; the spread is half the distance between the \
        quartiles.
        """,
      blocks: rows.isEmpty
        ? []
        : [
          Block(
            title: "\(rows.count) benchmark\(rows.count == 1 ? "" : "s")", pattern: nil,
            figures: [],
            table: table, isFolded: rows.count > 12)
        ],
      whenEmpty:
        "These results have no benchmark. <code>otp-bench run --json result.json</code> measures some."
    )
  }
}
