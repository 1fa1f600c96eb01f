/// The parameters of a statement, in PostgreSQL's binary formats, one after the other.
struct Parameters: Sendable {
  private(set) var bytes: [UInt8] = []

  /// The lengths of the parameters.
  private(set) var lengths: [Int32] = []

  /// - Parameter capacity: the bytes to make room for at once.
  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  mutating func append(_ value: some BinaryValue) {
    let start = bytes.count
    value.append(to: &bytes)
    lengths.append(Int32(bytes.count - start))
  }

  /// Appends an array of one dimension; nil stands for NULL.
  mutating func append<Value: BinaryValue>(array: some Collection<Value?>) {
    let start = bytes.count
    // Dimensions, whether there may be NULLs, the elements' type, their number, the first index.
    for word in [1, 1, Value.type, Int32(array.count), 1] { word.append(to: &bytes) }
    for value in array {
      guard let value else {
        Int32(-1).append(to: &bytes)
        continue
      }
      Int32(value.binaryLength).append(to: &bytes)
      value.append(to: &bytes)
    }
    lengths.append(Int32(bytes.count - start))
  }
}

/// A value that has a binary format.
protocol BinaryValue {
  /// The object id of its type; those of the built-in types are the same in every database.
  static var type: Int32 { get }

  /// The number of bytes that ``append(to:)`` appends.
  var binaryLength: Int { get }

  func append(to bytes: inout [UInt8])
}

extension FixedWidthInteger {
  var binaryLength: Int { MemoryLayout<Self>.size }

  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
  }
}

extension Int16: BinaryValue {
  static var type: Int32 { 21 }
}

extension Int32: BinaryValue {
  static var type: Int32 { 23 }
}

extension Int64: BinaryValue {
  static var type: Int32 { 20 }
}

extension ArraySlice<UInt8>: BinaryValue {
  static var type: Int32 { 17 }

  var binaryLength: Int { count }

  func append(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: self)
  }
}
