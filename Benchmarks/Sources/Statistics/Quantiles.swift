extension Collection<Double> {
  /// The value in the middle, or the mean of the two that are there. Nil for no values.
  package var median: Double? { quantile(0.5) }

  /// The value below which a share of the others lies, linear between neighbours: definition 7 of R. J. Hyndman
  /// and Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996). Nil for no values.
  /// - Parameter share: 0 ... 1.
  package func quantile(_ share: Double) -> Double? {
    precondition((0...1).contains(share), "a share is a number from 0 to 1")
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let place = share * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return sorted[index] }
    return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
  }
}
