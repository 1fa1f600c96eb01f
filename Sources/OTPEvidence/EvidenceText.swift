extension [EvidenceReport] {
  /// The reports as lines for a person: a summary of each group, and each case that failed.
  public var text: String {
    var lines: [String] = []
    for report in self {
      lines.append(
        "\(report.backend.name) (\(report.backend.library)), ledger \(report.ledger), "
          + "at \(report.timeText) (\(report.time.seconds))")
      lines.append(
        "  swift-otp \(report.version) on \(report.operatingSystem), \(report.architecture)")
      lines += report.kernels.map { "  kernel for \($0)" }
      for group in EvidenceReport.Group.allCases {
        let cases = report.cases.filter { $0.group == group }
        let passed = cases.filter(\.hasPassed).count
        lines.append(
          "  \(passed == cases.count ? "pass" : "FAIL")  \(group.rawValue): \(passed) of \(cases.count)"
            + group.note)
        for entry in cases {
          if let failure = entry.failure { lines.append("        \(entry.name): \(failure)") }
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The reports as JUnit XML, which CI systems read: a suite for each backend and group.
  public var junit: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites\(totals(of: flatMap(\.cases)))>",
    ]
    for report in self {
      for group in EvidenceReport.Group.allCases {
        let cases = report.cases.filter { $0.group == group }
        lines.append(
          "  <testsuite name=\(quoted("\(report.backend.name): \(group.rawValue)"))"
            + totals(of: cases)
            // JUnit's schema has no room for a zone here.
            + " timestamp=\"\(report.time.calendarText)\">")
        lines.append("    <properties>")
        for (name, value) in [
          ("version", report.version), ("operatingSystem", report.operatingSystem),
          ("architecture", report.architecture), ("library", report.backend.library),
          ("ledger", report.ledger), ("time", report.timeText),
          ("unixTime", "\(report.time.seconds)"),
        ] + report.kernels.map({ ("kernel", $0) }) {
          lines.append("      <property name=\(quoted(name)) value=\(quoted(value))/>")
        }
        lines.append("    </properties>")
        for entry in cases {
          let start =
            "    <testcase classname=\(quoted("\(report.backend.name).\(group.rawValue)"))"
            + " name=\(quoted(entry.name)) time=\"\(entry.duration.secondsText)\""
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

extension EvidenceReport.Group {
  /// What the name does not say, for a person.
  fileprivate var note: String { self == .refusedReplays ? ", with wrong codes and locks" : "" }
}

/// The attributes that sum cases up.
private func totals(of cases: [EvidenceReport.Case]) -> String {
  let failures = cases.filter { !$0.hasPassed }.count
  let duration = cases.map(\.duration).reduce(.zero, +)
  return " tests=\"\(cases.count)\" failures=\"\(failures)\" time=\"\(duration.secondsText)\""
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
