import BackendBenchmarks
import BackendChoice
import BenchmarkRegistry
import Foundation
import OTP

/// The comparison as text: a row for each algorithm and backend.
func table(_ comparisons: [BackendComparison], _ measurement: Measurement) -> String {
  var rows = [
    [
      "", "backend", "verifications/s", "spread", "vs openssl", "ns each", "ns scattered",
      "ns alone", "ns/code",
      "ns/key prepared", "bytes/key",
    ]
  ]
  for subject in comparisons
  where subject.benchmarks.contains(where: { measurement.rates[$0.name] != nil }) {
    let rate = measurement.median(subject.verifyName)
    let openSSL = comparisons.first {
      $0.algorithm == subject.algorithm && $0.backend == "openssl"
    }
    let reference = openSSL.flatMap { measurement.median($0.verifyName) }
    let ratio = rate.flatMap { rate in reference.map { rate / $0 } }
    rows.append([
      subject.algorithm.name, subject.backend, rate.map(grouped) ?? "-",
      spread(subject.verifyName, measurement),
      ratio.map { String(format: "%.2f x", $0) } ?? "-", nanoseconds(rate),
      nanoseconds(measurement.median(subject.scatteredName)),
      nanoseconds(measurement.median(subject.aloneName)),
      nanoseconds(measurement.median(subject.codeName)),
      nanoseconds(measurement.median(subject.prepareName)),
      measurement.counters[subject.prepareName]?["bytes_per_key"].map(grouped) ?? "-",
    ])
  }
  return aligned(rows, textColumns: [0, 1])
}

/// The ledgers' rates as text: a row for each benchmark, beside its reference's.
func table(_ comparisons: [Comparison], _ measurement: Measurement) -> String {
  var rows = [["", "against", "rate", "spread", "reference", "spread", "ratio", "target"]]
  for comparison in comparisons {
    guard let rate = measurement.median(comparison.name) else { continue }
    let reference = comparison.reference.flatMap { measurement.median($0) }
    let ratio = reference.map { rate / $0 }
    rows.append([
      comparison.name, comparison.reference ?? "", grouped(rate),
      spread(comparison.name, measurement), reference.map(grouped) ?? "-",
      comparison.reference.map { spread($0, measurement) } ?? "-",
      ratio.map { String(format: "%.2f x", $0) } ?? "-",
      comparison.target.map { String(format: "%.1f x", $0) } ?? "-",
    ])
  }
  return aligned(rows, textColumns: [0, 1])
}

/// Every benchmark as text, with its counters.
func table(_ benchmarks: [Benchmark], _ measurement: Measurement) -> String {
  var rows = [["", "rate", "spread", "ns each", "further figures"]]
  for benchmark in benchmarks {
    let rate = measurement.median(benchmark.name)
    let counters = (measurement.counters[benchmark.name] ?? [:]).sorted { inOrder($0.key, $1.key) }
    rows.append([
      benchmark.name, rate.map(grouped) ?? "-", spread(benchmark.name, measurement),
      nanoseconds(rate),
      counters.map { "\($0.key) \(grouped($0.value))" }.joined(separator: ", "),
    ])
  }
  return aligned(rows, textColumns: [0, 4])
}

/// Whether a counter comes before another: by the alphabet, and by the numbers in their names, so that p99 comes before
/// p999.
private func inOrder(_ first: String, _ second: String) -> Bool {
  first.compare(second, options: .numeric) == .orderedAscending
}

/// Columns side by side, those of numbers to the right.
func aligned(_ rows: [[String]], textColumns: Set<Int>) -> String {
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    zip(row, widths).enumerated().map { column, cell in
      let space = String(repeating: " ", count: cell.1 - cell.0.count)
      guard textColumns.contains(column) else { return space + cell.0 }
      return column == widths.count - 1 ? cell.0 : cell.0 + space
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}

private func spread(_ name: String, _ measurement: Measurement) -> String {
  measurement.spread(name).map { String(format: "± %.1f %%", $0 * 100) } ?? "-"
}

private func nanoseconds(_ rate: Double?) -> String {
  rate.map { grouped(1e9 / $0) } ?? "-"
}

/// A number with its thousands set apart, without a fraction.
func grouped(_ value: Double) -> String { grouped(Int(value.rounded())) }

/// A paragraph in lines of at most 100 characters; all but the first are indented.
func wrapped(_ text: String, indent: Int = 0) -> String {
  let space = String(repeating: " ", count: indent)
  var lines = [space]
  for word in text.split(separator: " ") {
    let isFirst = lines[lines.count - 1].count == indent || lines[lines.count - 1].last == " "
    if !isFirst, lines[lines.count - 1].count + 1 + word.count > 100 {
      lines.append(space + space + word)
    } else {
      lines[lines.count - 1] += (isFirst ? "" : " ") + word
    }
  }
  return lines.joined(separator: "\n")
}
