/// A word of a compression function: a single integer, or a vector whose lanes each belong to a
/// message of their own. The compression functions are written once over both.
protocol HashWord: BitwiseCopyable {
  associatedtype Lane: FixedWidthInteger & UnsignedInteger & BitwiseCopyable

  static var laneCount: Int { get }

  init(repeating value: Lane)

  static func &+ (left: Self, right: Self) -> Self
  static func & (left: Self, right: Self) -> Self
  static func ^ (left: Self, right: Self) -> Self
  static func | (left: Self, right: Self) -> Self
  func shiftedRight(by count: Lane) -> Self
  func rotatedLeft(by count: Lane) -> Self
}

extension HashWord {
  @inline(__always)
  func rotatedRight(by count: Lane) -> Self {
    rotatedLeft(by: Lane(truncatingIfNeeded: Lane.bitWidth) &- count)
  }
}

extension HashWord where Self: FixedWidthInteger, Lane == Self {
  @inline(__always) init(repeating value: Self) { self = value }
  @inline(__always) static var laneCount: Int { 1 }
  @inline(__always) func shiftedRight(by count: Self) -> Self { self &>> count }
  @inline(__always) func rotatedLeft(by count: Self) -> Self {
    self &<< count | self &>> (Self(truncatingIfNeeded: Self.bitWidth) &- count)
  }
}

extension UInt32: HashWord {
  typealias Lane = UInt32
}

extension UInt64: HashWord {
  typealias Lane = UInt64
}

// A vector is rotated to the left by a multiplication, which the optimizer turns into a shift of the
// whole vector. Written as two shifts it is recognized lane by lane as a scalar rotation, and the
// vector is taken apart for it: four times slower. The two vector types need the same text twice:
// in a generic extension `&*` would be the lane-by-lane one.

/// Eight lanes of SHA-1 or SHA-256.
extension SIMD8: HashWord where Scalar == UInt32 {
  typealias Lane = UInt32

  @inline(__always) static var laneCount: Int { 8 }
  @inline(__always) func shiftedRight(by count: UInt32) -> Self { self &>> Self(repeating: count) }
  @inline(__always) func rotatedLeft(by count: UInt32) -> Self {
    self &* Self(repeating: 1 &<< count) | self &>> Self(repeating: 32 &- count)
  }
}

/// Four lanes of SHA-512.
extension SIMD4: HashWord where Scalar == UInt64 {
  typealias Lane = UInt64

  @inline(__always) static var laneCount: Int { 4 }
  @inline(__always) func shiftedRight(by count: UInt64) -> Self { self &>> Self(repeating: count) }
  @inline(__always) func rotatedLeft(by count: UInt64) -> Self {
    self &* Self(repeating: 1 &<< count) | self &>> Self(repeating: 64 &- count)
  }
}
