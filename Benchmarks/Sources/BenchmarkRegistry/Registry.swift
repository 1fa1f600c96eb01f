/// All benchmarks that there are, by their names.
package struct Registry {
  package let benchmarks: [Benchmark]

  /// - Precondition: no two have one name.
  package init(_ benchmarks: [Benchmark]) {
    precondition(
      Set(benchmarks.map(\.name)).count == benchmarks.count, "two benchmarks have one name")
    self.benchmarks = benchmarks
  }

  package subscript(name: String) -> Benchmark? {
    benchmarks.first { $0.name == name }
  }

  /// Those that a filter lets through, in their order.
  package func matching(_ filter: NameFilter) -> [Benchmark] {
    benchmarks.filter { filter.matches($0.name) }
  }
}

/// Which names are meant: those in which a regular expression matches somewhere, or that contain its text as it
/// stands. So `verify/warm/sha1/w1+1` means what it says, though a plus is special in regular expressions.
package struct NameFilter {
  private let text: String
  private let expression: Regex<AnyRegexOutput>

  /// - Throws: ``BenchmarkFault`` for a text that is no regular expression.
  package init(_ text: String) throws {
    self.text = text
    do {
      expression = try Regex(text)
    } catch {
      throw BenchmarkFault("'\(text)' is no regular expression")
    }
  }

  package func matches(_ name: String) -> Bool {
    name.contains(text) || name.contains(expression)
  }
}
