/// p-values of several tests, each raised so far that keeping to a level means: the probability of even one false
/// alarm among all of them is at most that level. S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
/// Scandinavian Journal of Statistics 6 (1979).
///
/// Holm's way asks nothing of how the tests depend on each other, and benchmarks of one process do. Benjamini and
/// Hochberg's would find more, but lets a share of what it finds be false: fine for a list of hints, and wrong for a
/// gate that stops a change.
package func holmAdjusted(_ pValues: [Double]) -> [Double] {
  var adjusted = pValues
  var least = 0.0
  for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
    least = max(least, min(1, Double(pValues.count - rank) * pValues[index]))
    adjusted[index] = least
  }
  return adjusted
}
