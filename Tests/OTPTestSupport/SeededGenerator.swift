import Foundation

/// SplitMix64: the same seed gives the same numbers, on every machine.
public struct SeededGenerator: RandomNumberGenerator {
  public let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator with the seed in the environment variable OTP_TEST_SEED, or a new one. The seed is
  /// printed, so that a failing run can be repeated.
  public init(for test: String) {
    let given = ProcessInfo.processInfo.environment["OTP_TEST_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? .random(in: .min ... .max))
    print("\(test): OTP_TEST_SEED=\(seed)")
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z &>> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z &>> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z &>> 31
  }

  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// A counter of any width: each byte width, and the values next to its edges, are equally likely.
  public mutating func counter() -> UInt64 {
    let bits = UInt64.random(in: 0...64, using: &self)
    let top = bits == 0 ? 0 : UInt64.max >> (64 - bits)
    switch UInt64.random(in: 0..<4, using: &self) {
    case 0: return top
    case 1: return top &+ 1
    default: return next() & top
    }
  }
}
