extension [EvidenceReport] {
  /// The reports as lines for a person: a summary of each group, and each case that failed.
  public var text: String {
    var lines: [String] = []
    for report in self {
      lines.append(
        "\(report.backend.name) (\(report.backend.library)), ledger \(report.ledger), "
          + "at \(report.time.seconds)")
      for group in EvidenceReport.Group.allCases {
        let cases = report.cases.filter { $0.group == group }
        let passed = cases.filter(\.hasPassed).count
        lines.append(
          "  \(passed == cases.count ? "pass" : "FAIL")  \(group.rawValue): \(passed) of \(cases.count)"
        )
        for entry in cases {
          if let failure = entry.failure { lines.append("        \(entry.name): \(failure)") }
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The reports as JUnit XML, which CI systems read: a suite for each backend and group.
  public var junit: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"]
    for report in self {
      for group in EvidenceReport.Group.allCases {
        let cases = report.cases.filter { $0.group == group }
        let failures = cases.filter { !$0.hasPassed }.count
        lines.append(
          "  <testsuite name=\(quoted("\(report.backend.name): \(group.rawValue)"))"
            + " tests=\"\(cases.count)\" failures=\"\(failures)\">")
        lines.append("    <properties>")
        for (name, value) in [
          ("library", report.backend.library), ("ledger", report.ledger),
          ("unixTime", "\(report.time.seconds)"),
        ] {
          lines.append("      <property name=\(quoted(name)) value=\(quoted(value))/>")
        }
        lines.append("    </properties>")
        for entry in cases {
          let start =
            "    <testcase classname=\(quoted("\(report.backend.name).\(group.rawValue)"))"
            + " name=\(quoted(entry.name))"
          if let failure = entry.failure {
            lines.append("\(start)><failure message=\(quoted(failure))/></testcase>")
          } else {
            lines.append("\(start)/>")
          }
        }
        lines.append("  </testsuite>")
      }
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n")
  }
}

/// An XML attribute's value in quotation marks. Control characters, which XML 1.0 cannot carry, become `?`.
private func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": quoted += "&amp;"
    case "<": quoted += "&lt;"
    case ">": quoted += "&gt;"
    case "\"": quoted += "&quot;"
    case _ where scalar.value < 0x20: quoted += "?"
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
