import Foundation
import RunComparison

/// Writes the comparison where the options say.
func report(_ comparison: RunComparison, _ options: ComparisonOptions) throws -> ExitStatus {
  print(comparison.text)
  try options.markdown?.write(Data(comparison.markdown.utf8))
  try options.json?.write(comparison.json())
  if comparison.count(.missing) > 0 { return .failed }
  if comparison.comparedCount == 0 { return .nothingToCompare }
  if comparison.count(.regression) > 0 { return .regression }
  return options.failsForImprovement && comparison.count(.improvement) > 0 ? .improvement : .fine
}
