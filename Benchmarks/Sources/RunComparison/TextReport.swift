import Foundation

extension RunComparison {
  /// For a terminal.
  package var text: String {
    let rows =
      [["benchmark", "base", "head", "ratio", "95 % interval", "p", "verdict"]]
      + benchmarks.map { [printable($0.name)] + $0.cells + [$0.verdict.rawValue] }
    return ([heading, ""] + aligned(rows) + ["", summary] + notes).joined(separator: "\n")
  }

  /// For a pull request: what changed is seen at once, all the rest on demand.
  package var markdown: String {
    let unchanged = benchmarks.filter { $0.verdict == .noChange }
    let others = benchmarks.filter { $0.verdict != .noChange }
    var lines = ["### Benchmarks: \(summary)", ""]
    if !others.isEmpty { lines += markdownTable(others) + [""] }
    if !unchanged.isEmpty {
      lines += ["<details><summary>\(unchanged.count) without change</summary>", ""]
      lines += markdownTable(unchanged) + ["", "</details>", ""]
    }
    lines += notes.map { "- \($0)" }
    lines += heading.split(separator: "\n").map { "- \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What was compared, and how.
  private var heading: String {
    let values =
      switch design {
      case .pairs(let count): "\(count) pairs of processes, each process by its least time"
      case .independent: "the repetitions of one process a side"
      }
    let test =
      switch design {
      case .pairs: "Wilcoxon's signed-rank test"
      case .independent: "Mann and Whitney's test"
      }
    return """
      BASE \(base), HEAD \(head): \(values)
      A change is more than \(percent(tolerance.percent)) % and has p <= 0.05 by \(test), \
      with Holm's correction for \(counted(comparedCount, "test"))
      ratio: HEAD's time to BASE's, above 1 is slower; times of an item, or of an iteration without items
      """
  }

  /// How many have which verdict.
  package var summary: String {
    let counts = Verdict.allCases.compactMap { verdict in
      count(verdict) == 0 ? nil : "\(count(verdict)) \(verdict.rawValue)"
    }
    return counts.isEmpty ? "nothing to compare" : counts.joined(separator: ", ")
  }

  /// What the reader should do or know.
  private var notes: [String] {
    var notes: [String] = []
    if count(.inconclusive) > 0 {
      let more =
        switch design {
        case .pairs: "more pairs (--pairs) would tell"
        case .independent: "more repetitions would tell, and better two executables than two files"
        }
      notes.append(
        "inconclusive: the interval reaches beyond the tolerance; \(tooShortNote ?? more)")
    }
    if count(.missing) > 0 { notes.append("missing from HEAD: what BASE measures must stay") }
    return notes + warnings.map { printable("the sides differ in more than the code: \($0)") }
  }

  /// How many values are needed where no times whatever would have been significant.
  private var tooShortNote: String? {
    guard tooShortCount > 0 else { return nil }
    let fewest = fewestValues
    let (have, needed) =
      switch design {
      case .pairs(let count):
        (counted(count, "pair"), "\(fewest) pairs or more (--pairs)")
      case .independent:
        ("so few repetitions", "\(fewest) repetitions or more on each side (run --repetitions)")
      }
    return "\(have) cannot be significant whatever the times, for \(tooShortCount) of "
      + "\(counted(comparedCount, "test")): \(needed) can"
  }

  private func markdownTable(_ benchmarks: [ComparedBenchmark]) -> [String] {
    [
      "| benchmark | base | head | ratio | 95 % interval | p | verdict |",
      "|---|--:|--:|--:|:-:|--:|---|",
    ]
      + benchmarks.map { benchmark in
        let verdict =
          [.regression, .missing].contains(benchmark.verdict)
          ? "**\(benchmark.verdict.rawValue)**" : benchmark.verdict.rawValue
        let text = printable(benchmark.name).replacing("`", with: "'")
        let name = "`\(text.replacing("|", with: "\\|"))`"
        return "| " + ([name] + benchmark.cells + [verdict]).joined(separator: " | ") + " |"
      }
  }

  /// Columns side by side, the first and the last to the left.
  private func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        if column == 0 { return row[column] + space }
        return column == row.count - 1 ? row[column] : space + row[column]
      }.joined(separator: "  ")
    }
  }
}

/// A text in one line that commands no terminal: files that others wrote hold whatever they like.
private func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        let properties = scalar.properties
        let isRefused =
          properties.isBidiControl
          || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        return isRefused ? "\u{FFFD}" : scalar
      }))
}

extension ComparedBenchmark {
  /// Times, ratio, interval and p.
  fileprivate var cells: [String] {
    guard let times, let ratio, let interval, let adjustedPValue else {
      return [String](repeating: "-", count: 5)
    }
    let bounds =
      interval.upperBound.isInfinite
      ? "unbounded"
      : String(format: "%.3f ... %.3f", interval.lowerBound, interval.upperBound)
    return [
      nanoseconds(times.base), nanoseconds(times.head), String(format: "%.3f", ratio), bounds,
      adjustedPValue < 0.0001 ? "< 0.0001" : String(format: "%.4f", adjustedPValue),
    ]
  }
}

/// A time with four digits and a unit.
private func nanoseconds(_ time: Double) -> String {
  let (value, unit) =
    switch time {
    case ..<1e3: (time, "ns")
    case ..<1e6: (time / 1e3, "us")
    case ..<1e9: (time / 1e6, "ms")
    default: (time / 1e9, "s")
    }
  let digits = value < 10 ? 3 : value < 100 ? 2 : 1
  return String(format: "%.\(digits)f \(unit)", value)
}

private func percent(_ value: Double) -> String {
  Int(exactly: value).map { "\($0)" } ?? "\(value)"
}
