/// A benchmark that keeps its own time, so that the making of attempts and the check of outcomes are not in it.
package struct LedgerBenchmark {
  /// A path: what, with which ledger, and how.
  package let name: String
  package let items: Int

  /// Handles the items once.
  /// - Returns: the seconds that it took.
  package let run: () throws -> Double

  package init(_ name: String, items: Int, run: @escaping () throws -> Double) {
    self.name = name
    self.items = items
    self.run = run
  }
}
