// The integers of SQL have a sign: flipping the top bit keeps the order of those that have none.
extension UInt64 {
  /// The signed number that has the same place in its order.
  package var signedOrder: Int64 { Int64(bitPattern: self ^ 1 << 63) }

  /// The unsigned number that has the same place in its order.
  package init(signedOrder value: Int64) { self = UInt64(bitPattern: value) ^ 1 << 63 }
}
