import Foundation

/// What `instructions check` says: what became worse first, the worst at its head, and at the end one line about all.
package struct CheckReport {
  private typealias Finding = ThresholdCheck.Finding
  private typealias Entry = (set: String, finding: Finding)

  private let entries: [Entry]
  private let countedBenchmarks: Int
  private let namesImprovements: Bool
  private let recordCommand: String

  /// - Parameters:
  ///   - checks: by the names of their sets.
  ///   - countedBenchmarks: in all sets.
  ///   - namesImprovements: or else they are only counted.
  ///   - recordCommand: how to record all anew.
  package init(
    _ checks: [(set: String, check: ThresholdCheck)], countedBenchmarks: Int,
    namesImprovements: Bool, recordCommand: String
  ) {
    entries = checks.flatMap { set, check in check.findings.map { (set, $0) } }
      .sorted { Self.order($0) < Self.order($1) }
    self.countedBenchmarks = countedBenchmarks
    self.namesImprovements = namesImprovements
    self.recordCommand = recordCommand
  }

  private static func order(_ entry: Entry) -> (Int, Double, String, String) {
    let (set, finding) = entry
    return (finding.kind.rawValue, -finding.size, finding.name, set)
  }

  package func count(_ kind: ThresholdCheck.Finding.Kind) -> Int {
    entries.count { $0.finding.kind == kind }
  }

  package var lines: [String] {
    let shown = entries.filter { namesImprovements || !$0.finding.kind.isBetter }
    return shown.map(Self.line) + [summary]
  }

  private static func line(_ entry: Entry) -> String {
    let (set, finding) = entry
    let detail = finding.detail.isEmpty ? "" : ": \(finding.detail)"
    return "\(finding.kind.word): \(change(finding))\(set): \(finding.name)\(detail)"
  }

  /// Of instructions, with a space; empty for what else is found.
  private static func change(_ finding: Finding) -> String {
    switch finding.kind {
    case .regression: String(format: "+%.2f %% ", finding.size * 100)
    case .improvement: String(format: "-%.2f %% ", finding.size * 100)
    case .moreAllocations, .fewerAllocations, .missing, .new: ""
    }
  }

  private var summary: String {
    guard !entries.isEmpty else {
      return countedBenchmarks == 1
        ? "the 1 benchmark is as recorded" : "all \(countedBenchmarks) benchmarks are as recorded"
    }
    let parts = Finding.Kind.allCases.compactMap { kind -> String? in
      let count = count(kind)
      guard count > 0 else { return nil }
      let text = "\(count) \(kind.counted(count))"
      guard kind == .regression, let worst = entries.first else { return text }
      return "\(text), the worst \(Self.change(worst.finding))\(worst.finding.name)"
    }
    let hidden = !namesImprovements && entries.contains { $0.finding.kind.isBetter }
    return parts.joined(separator: "; ") + (hidden ? " (--strict names what became less)" : "")
      + ": if the change was meant, run '\(recordCommand)' and review what it changes"
  }
}

extension ThresholdCheck.Finding.Kind {
  fileprivate var isBetter: Bool { self == .improvement || self == .fewerAllocations }

  fileprivate var word: String {
    switch self {
    case .regression: "regression"
    case .moreAllocations: "more allocations"
    case .missing: "missing"
    case .new: "new"
    case .improvement: "improvement"
    case .fewerAllocations: "fewer allocations"
    }
  }

  /// What follows a number of them.
  fileprivate func counted(_ count: Int) -> String {
    switch self {
    case .regression, .improvement: count == 1 ? word : word + "s"
    case .moreAllocations, .fewerAllocations: "with " + word
    case .missing, .new: word
    }
  }
}
