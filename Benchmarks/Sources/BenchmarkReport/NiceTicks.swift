import Foundation

/// Round numbers along an axis.
package struct NiceTicks {
  /// Ascending. The last is not below the largest value.
  package let values: [Double]

  /// From zero to above a value, in about so many steps.
  /// - Parameter maximum: finite and above zero.
  package init(upTo maximum: Double, steps: Int) {
    self.init(from: 0, upTo: maximum, steps: steps)
  }

  /// From below a value to above another, in about so many steps.
  /// - Parameter minimum: finite, as is the maximum, which is above it.
  init(from minimum: Double, upTo maximum: Double, steps: Int) {
    let rough = (maximum - minimum) / Double(steps)
    let magnitude = pow(10, floor(log10(rough)))
    let step = magnitude * ([1, 2, 2.5, 5].first { $0 * magnitude >= rough } ?? 10)
    let low = Int(floor(minimum / step))
    let high = max(Int(ceil(maximum / step)), low + 1)
    values = (low...high).map { Double($0) * step }
  }

  /// Ones, twos and fives of each power of ten, from not above a value to not below another; of many only the powers.
  /// - Parameter minimum: finite and above zero, as is the maximum.
  package init(logarithmicFrom minimum: Double, upTo maximum: Double) {
    let powers = Int(floor(log10(minimum)))...Int(ceil(log10(maximum)))
    let candidates = powers.flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }
    let first = candidates.lastIndex { $0 <= minimum } ?? 0
    let last = candidates.firstIndex { $0 >= maximum } ?? candidates.count - 1
    let ticks = Array(candidates[first...max(last, first + 1)])
    values = ticks.count > 7 ? powers.map { pow(10, Double($0)) } : ticks
  }
}
