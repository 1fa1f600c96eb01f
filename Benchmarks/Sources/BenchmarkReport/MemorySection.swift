extension Section {
  /// What a prepared key and a credential take, from the results that count bytes.
  static func memory(_ benchmarks: [Measured], _ palette: Palette) -> Section {
    Section(
      id: "memory", title: "Memory",
      introduction:
        "What is kept for each prepared key, and for each credential in all. Less is better.",
      blocks: [
        memoryBlock("bytes_per_key", title: "Bytes for each prepared key", benchmarks, palette),
        memoryBlock(
          "bytes_per_credential", title: "Bytes for each credential", benchmarks, palette),
      ].compactMap { $0 },
      whenEmpty: """
        No benchmark of these results counts bytes. <code>otp-bench run --filter prepare --json result.json</code> \
        does for keys.
        """)
  }

  /// - Returns: nil where nothing has the counter.
  private static func memoryBlock(
    _ counter: String, title: String, _ benchmarks: [Measured], _ palette: Palette
  ) -> Block? {
    // Several benchmarks of one contestant may count the same bytes.
    struct Subject: Hashable {
      let contestant: String
      let credentials: Int?
    }
    func subject(_ member: Measured) -> Subject {
      Subject(contestant: member.contestantTitle, credentials: member.path.credentials)
    }
    let counted = benchmarks.filter { $0.counter(counter) != nil }
    let contest = Contest(
      family: BenchmarkPath("").family(without: []), counted)
    guard !counted.isEmpty else { return nil }
    let sizes = Set(counted.map(\.path.credentials))
    let isOfOneSize = sizes.count == 1
    let size = isOfOneSize ? sizes.first?.map { " of \(Figures.grouped(Double($0)))" } : nil
    var figures: [Figure] = []
    var rows: [[HTML]] = []
    for (algorithm, members) in contest.groups {
      let bars = Dictionary(grouping: members, by: subject)
        .compactMap { subject, members -> (subject: Subject, bytes: Double)? in
          Sample(members.compactMap { $0.counter(counter) }).map { (subject, $0.median) }
        }
        .sorted {
          ($0.bytes, $0.subject.contestant, $0.subject.credentials ?? 0)
            < ($1.bytes, $1.subject.contestant, $1.subject.credentials ?? 0)
        }
      let name = algorithm.map(algorithmTitle)
      let chart = BarChart(
        title: [title, name].compactMap { $0 }.joined(separator: ", "),
        bars: bars.map { subject, bytes in
          let credentials =
            isOfOneSize
            ? nil : subject.credentials.map { ", \(Figures.grouped(Double($0))) credentials" }
          return BarChart.Bar(
            name: subject.contestant + (credentials ?? ""), value: bytes, range: nil,
            ink: palette[subject.contestant])
        }, unit: "bytes", suffix: "\u{A0}B")
      figures.append(Figure(caption: name ?? "", drawing: chart.drawing))
      rows += bars.map { subject, bytes in
        [
          "\(name ?? "–")", "\(Table.name(subject.contestant))",
          "\(subject.credentials.map { Figures.grouped(Double($0)) } ?? "–")",
          "\(Figures.grouped(bytes))",
          "\(Figures.bytes(bytes * 1e6))",
        ]
      }
    }
    return Block(
      title: title + (size ?? ""), pattern: nil, figures: figures,
      table: Table(
        columns: [
          .init(title: "Algorithm", isNumber: false), .init(title: "Backend", isNumber: false),
          .init(title: "Credentials"), .init(title: "Bytes"), .init(title: "For a million"),
        ], rows: rows))
  }
}
