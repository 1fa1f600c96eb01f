import Foundation
import OTP

/// The comparison as text: a row for each algorithm and backend.
func table(_ subjects: [Subject], _ measurement: Measurement) -> String {
  var rows = [
    [
      "", "backend", "verifications/s", "spread", "vs openssl", "ns each", "ns scattered",
      "ns alone", "ns/code",
      "ns/key prepared", "bytes/key",
    ]
  ]
  for subject in subjects
  where subject.benchmarks.contains(where: { measurement.rates[$0.name] != nil }) {
    let rate = measurement.median(subject.verifyName)
    let reference = measurement.median(Subject.verifyName(subject.algorithm, "openssl"))
    let ratio = rate.flatMap { rate in reference.map { rate / $0 } }
    rows.append([
      subject.algorithm.name, subject.backend, rate.map(grouped) ?? "-",
      measurement.spread(subject.verifyName).map { String(format: "± %.1f %%", $0 * 100) } ?? "-",
      ratio.map { String(format: "%.2f x", $0) } ?? "-", nanoseconds(rate),
      nanoseconds(measurement.median(subject.scatteredName)),
      nanoseconds(measurement.median(subject.aloneName)),
      nanoseconds(measurement.median(subject.codeName)),
      nanoseconds(measurement.median(subject.prepareName)), grouped(Double(subject.bytesPerKey)),
    ])
  }
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    zip(row, widths).enumerated().map { column, cell in
      let space = String(repeating: " ", count: cell.1 - cell.0.count)
      return column < 2 ? cell.0 + space : space + cell.0
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}

private func nanoseconds(_ rate: Double?) -> String {
  rate.map { grouped(1e9 / $0) } ?? "-"
}

/// A whole number with its thousands set apart.
private func grouped(_ value: Double) -> String {
  var digits = Array(String(Int(value.rounded())))
  for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
  return String(digits)
}
