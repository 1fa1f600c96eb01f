import Foundation

/// Benchmarks' costs now against those recorded.
package struct ThresholdCheck {
  /// Instructions may differ by this share. They are counted exactly; it leaves room for what an unrelated change
  /// moves, such as the places of constants.
  package static let tolerance = 0.005

  package enum Finding: Equatable {
    /// It costs more now.
    case regression(String)
    /// It costs less now.
    case improvement(String)
    /// It was recorded, and is no more, or does other work.
    case missing(String)
    /// It was not recorded.
    case new(String)

    package var text: String {
      switch self {
      case .regression(let text): "regression: \(text)"
      case .improvement(let text): "improvement: \(text)"
      case .missing(let text): "missing: \(text)"
      case .new(let text): "new: \(text)"
      }
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
    guard let new else { return [.missing(name)] }
    guard let old else {
      return [.new("\(name): \(decimal(new.instructionsPerItem)) instructions per item")]
    }
    // Of other work nothing can be said.
    guard old.items == new.items else {
      return [.missing("\(name) with \(old.items) items in a call; it has \(new.items) now")]
    }
    var findings: [Finding] = []
    let change = new.instructionsPerItem / old.instructionsPerItem - 1
    if abs(change) > tolerance {
      let text =
        "\(name): \(decimal(old.instructionsPerItem)) -> \(decimal(new.instructionsPerItem))"
        + " instructions per item (\(signed(change * 100)) %)"
      findings.append(change > 0 ? .regression(text) : .improvement(text))
    }
    if old.allocations != new.allocations {
      let text =
        "\(name): \(old.allocations) -> \(new.allocations) allocations"
        + " in a call of \(new.items) \(new.items == 1 ? "item" : "items")"
      findings.append(new.allocations > old.allocations ? .regression(text) : .improvement(text))
    }
    return findings
  }
}

/// With two decimals.
package func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

/// With its sign and two decimals.
private func signed(_ value: Double) -> String { String(format: "%+.2f", value) }
