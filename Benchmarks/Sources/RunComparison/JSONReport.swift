package import Foundation

extension RunComparison {
  /// For other programs. Bounds that samples are too small for are left out, as is all that a benchmark without a
  /// counterpart does not have.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var report = Report(
      base: base, head: head, tolerancePercent: tolerance.percent, confidence: Self.confidence,
      fewestValues: fewestValues,
      warnings: warnings, benchmarks: benchmarks.map(Report.Benchmark.init))
    if case .pairs(let count) = design { report.pairs = count }
    return try encoder.encode(report) + Data("\n".utf8)
  }
}

/// The shape of the file.
private struct Report: Encodable {
  let base: String
  let head: String
  var pairs: Int?
  let tolerancePercent: Double
  let confidence: Double
  /// Pairs, or repetitions on each side, with which a single benchmark can be significant.
  let fewestValues: Int
  let warnings: [String]
  let benchmarks: [Benchmark]

  struct Benchmark: Encodable {
    let name: String
    let verdict: String
    let baseNanoseconds: Double?
    let headNanoseconds: Double?
    let ratio: Double?
    let lowerBound: Double?
    let upperBound: Double?
    let pValue: Double?
    let adjustedPValue: Double?

    init(_ benchmark: ComparedBenchmark) {
      let interval = benchmark.interval.flatMap { $0.upperBound.isFinite ? $0 : nil }
      name = benchmark.name
      verdict = benchmark.verdict.rawValue
      baseNanoseconds = benchmark.times?.base
      headNanoseconds = benchmark.times?.head
      ratio = benchmark.ratio
      lowerBound = interval?.lowerBound
      upperBound = interval?.upperBound
      pValue = benchmark.pValue
      adjustedPValue = benchmark.adjustedPValue
    }
  }
}
