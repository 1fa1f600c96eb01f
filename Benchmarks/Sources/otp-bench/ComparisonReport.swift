import Foundation
import RunComparison

/// Writes the comparison where the options say.
func report(_ comparison: RunComparison, _ options: ComparisonOptions) throws -> ExitStatus {
  func write(_ data: Data, to path: String?) throws {
    guard let path else { return }
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw BenchError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
  print(comparison.text)
  try write(Data(comparison.markdown.utf8), to: options.markdownPath)
  try write(comparison.json(), to: options.jsonPath)
  if comparison.count(.missing) > 0 { return .failed }
  if comparison.comparedCount == 0 { return .nothingToCompare }
  if comparison.count(.regression) > 0 { return .regression }
  return options.failsForImprovement && comparison.count(.improvement) > 0 ? .improvement : .fine
}
