import Foundation

/// Round numbers along an axis.
struct NiceTicks {
  /// Ascending. The last is not below the largest value.
  let values: [Double]

  /// From zero to above a value, in about so many steps.
  /// - Parameter maximum: finite and above zero.
  init(upTo maximum: Double, steps: Int) {
    let rough = maximum / Double(steps)
    let magnitude = pow(10, floor(log10(rough)))
    let step = magnitude * ([1, 2, 2.5, 5].first { $0 * magnitude >= rough } ?? 10)
    let count = Int((maximum / step).rounded(.up))
    values = (0...max(count, 1)).map { Double($0) * step }
  }

  /// From a power of ten not above a value to one not below another.
  /// - Parameter minimum: finite and above zero, as is the maximum.
  init(logarithmicFrom minimum: Double, upTo maximum: Double) {
    let low = Int(floor(log10(minimum)))
    let high = max(Int(ceil(log10(maximum))), low + 1)
    values = (low...high).map { pow(10, Double($0)) }
  }
}
