import Foundation

/// Benchmarks' costs now against those recorded.
package struct ThresholdCheck {
  /// Instructions may differ by this share. They are counted exactly; it leaves room for what an unrelated change
  /// moves, such as the places of constants.
  package static let tolerance = 0.005

  package struct Finding: Equatable {
    /// In the order of a report.
    package enum Kind: Int, CaseIterable, Sendable {
      /// It takes more instructions now.
      case regression
      case moreAllocations
      /// It was recorded, and is no more, or does other work.
      case missing
      /// It was not recorded.
      case new
      /// It takes less instructions now.
      case improvement
      case fewerAllocations
    }

    package let kind: Kind
    package let name: String

    /// The figures, or what else is to be said of the benchmark.
    package let detail: String

    /// How much it changed, without a sign: a share of the instructions, or allocations per item; 0 for other kinds.
    package let size: Double

    package init(_ kind: Kind, _ name: String, _ detail: String = "", size: Double = 0) {
      self.kind = kind
      self.name = name
      self.detail = detail
      self.size = size
    }
  }

  /// In the order of the benchmarks' names.
  package let findings: [Finding]

  package init(_ counts: [String: Count], against thresholds: Thresholds) {
    let names = Set(counts.keys).union(thresholds.counts.keys).sorted()
    findings = names.flatMap { Self.findings($0, thresholds.counts[$0], counts[$0]) }
  }

  private static func findings(
    _ name: String, _ old: Thresholds.Recorded?, _ new: Count?
  ) -> [Finding] {
    guard let new else { return [Finding(.missing, name)] }
    guard let old else {
      return [Finding(.new, name, "\(decimal(new.instructionsPerItem)) instructions per item")]
    }
    // Of other work nothing can be said.
    guard old.items == new.items else {
      return [
        Finding(.missing, name, "with \(old.items) items in a call; it has \(new.items) now")
      ]
    }
    var findings: [Finding] = []
    let change = new.instructionsPerItem / old.instructionsPerItem - 1
    if abs(change) > tolerance {
      let detail =
        "\(decimal(old.instructionsPerItem)) -> \(decimal(new.instructionsPerItem))"
        + " instructions per item"
      findings.append(
        Finding(change > 0 ? .regression : .improvement, name, detail, size: abs(change)))
    }
    if old.allocations != new.allocations {
      let detail =
        "\(old.allocations) -> \(new.allocations) allocations"
        + " in a call of \(new.items) \(new.items == 1 ? "item" : "items")"
      findings.append(
        Finding(
          new.allocations > old.allocations ? .moreAllocations : .fewerAllocations, name, detail,
          size: Double(abs(new.allocations - old.allocations)) / Double(new.items)))
    }
    return findings
  }
}

/// With two decimals.
package func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
