/// What a run was: on which machine, of which commit, with which libraries, when.
struct Head {
  private let run: Run

  init(_ run: Run) { self.run = run }

  var html: HTML {
    let facts: [(String, [String])] = [
      ("Machine", machine), ("Commit", run.commit.map { [shortCommit($0)] } ?? []),
      ("Date", dates), ("Compiler", compiler), ("Kernels", kernels),
      ("Libraries", pairs("backend_", except: []) + pairs("library_", except: [Self.debug])),
    ]
    let features: HTML =
      run.context("cpu_features").map {
        "<div><dt>Features</dt><dd class=\"small\">\($0)</dd></div>\n"
      } ?? ""
    let shown = facts.filter { !$0.1.isEmpty }.map { name, values -> HTML in
      let items = values.map { "<li>\($0)</li>" as HTML }
      return "<div><dt>\(name)</dt><dd><ul>\(items)</ul></dd></div>\n"
    }
    return """
      <div class="card">
      <dl class="facts">
      \(shown)\(features)</dl>
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
      machine.processor,
      machine.cores.isEmpty ? "" : machine.cores == "1" ? "1 core" : "\(machine.cores) cores",
      machine.host,
    ].filter { !$0.isEmpty }
  }

  private var dates: [String] {
    let dates = run.contexts.compactMap { $0["date"] }
    guard let first = dates.first, let last = dates.last else { return [] }
    return first == last ? [readable(first)] : ["\(readable(first)) to \(readable(last))"]
  }

  /// Without the place that its sources came from.
  private var compiler: [String] {
    guard let compiler = run.context("compiler") else { return [] }
    return [
      String(
        compiler.prefix(upTo: compiler.firstRange(of: " (http")?.lowerBound ?? compiler.endIndex))
    ]
  }

  /// Those for many lanes, and those for few where they are others.
  private var kernels: [String] {
    ["sha1", "sha256", "sha512"].compactMap { algorithm in
      guard let kernel = run.context("kernel_\(algorithm)") else { return nil }
      let few = run.context("kernel_\(algorithm)_for_few").flatMap {
        $0 == kernel ? nil : ", \($0) for few"
      }
      return "\(algorithmTitle(algorithm)): \(kernel)\(few ?? "")"
    }
  }

  private func pairs(_ prefix: String, except others: Set<String>) -> [String] {
    keys.filter { $0.hasPrefix(prefix) && !others.contains($0) }.compactMap { key in
      run.context(key).map { "\(key.dropFirst(prefix.count)): \($0)" }
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
package func readable(_ date: String) -> String {
  let parts = date.split(separator: "T", maxSplits: 1)
  guard parts.count == 2, parts[0].count == 10, parts[1].count >= 5 else { return date }
  let zone = parts[1].dropFirst(8)
  return "\(parts[0]) \(parts[1].prefix(5))\(zone == "+00:00" || zone == "Z" ? " UTC" : " \(zone)")"
}
