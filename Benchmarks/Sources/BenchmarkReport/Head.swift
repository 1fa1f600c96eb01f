/// What a run was: on which machine, of which commit, with which libraries, when.
struct Head {
  private let run: Run

  init(_ run: Run) { self.run = run }

  var html: HTML {
    let facts: [(String, [String])] = [
      ("Machine", machine), ("Commit", listed(["commit", "commit_subject"])),
      ("Date", dates), ("Compiler", listed(["compiler"])),
      ("Kernels", pairs { $0.hasPrefix("kernel") }),
      ("Libraries", pairs { $0.hasPrefix("backend_") || $0.hasPrefix("library_") && $0 != Self.debug }),
    ]
    let shown = facts.filter { !$0.1.isEmpty }.map { name, values -> HTML in
      let items = values.map { "<li>\($0)</li>" as HTML }
      return "<div><dt>\(name)</dt><dd><ul>\(items)</ul></dd></div>\n"
    }
    return """
      <div class="card">
      <dl class="facts">
      \(shown)</dl>
      <details class="numbers"><summary>All that the results say of the run</summary>
      \(everything)
      </details>
      </div>
      """
  }

  /// Google Benchmark says of itself how it was built. Its loop is fine either way, and nobody should worry.
  private static let debug = "library_build_type"

  private var machine: [String] {
    let machine = run.machine
    return [
      machine.processor, machine.cores.isEmpty ? "" : machine.cores == "1" ? "1 core" : "\(machine.cores) cores",
      machine.host, run.context("cpu_features") ?? "",
    ].filter { !$0.isEmpty }
  }

  private var dates: [String] {
    let dates = run.contexts.compactMap { $0["date"] }
    guard let first = dates.first, let last = dates.last else { return [] }
    return first == last ? [readable(first)] : ["\(readable(first)) to \(readable(last))"]
  }

  private func listed(_ keys: [String]) -> [String] { keys.compactMap { run.context($0) } }

  private func pairs(_ isWanted: (String) -> Bool) -> [String] {
    keys.filter(isWanted).compactMap { key in
      let name = key.split(separator: "_", maxSplits: 1).last.map(String.init) ?? key
      return run.context(key).map { "\(name): \($0)" }
    }
  }

  private var keys: [String] { Set(run.contexts.flatMap(\.keys)).sorted() }

  private var everything: HTML {
    Table(
      columns: [.init(title: "Key", isNumber: false), .init(title: "Value", isNumber: false)],
      rows: keys.map { key in
        ["<code>\(key)</code>", "<span class=\"long\">\(run.context(key) ?? "")</span>"]
      }
    ).html
  }
}

/// `2026-11-30T10:44:09+00:00` as people write it. Other forms stay as they are.
func readable(_ date: String) -> String {
  let parts = date.split(separator: "T", maxSplits: 1)
  guard parts.count == 2, parts[0].count == 10, parts[1].count >= 5 else { return date }
  let zone = parts[1].dropFirst(8)
  return "\(parts[0]) \(parts[1].prefix(5))\(zone == "+00:00" || zone == "Z" ? " UTC" : " \(zone)")"
}
