import COTPLibpq

/// The rows that answer a statement, in binary formats unless it had no parameters.
struct Answer: ~Copyable {
  private let result: OpaquePointer

  /// Takes over a result of libpq.
  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  var rowCount: Int { Int(PQntuples(result)) }

  /// Lends the bytes of one value; none for NULL, and for a place outside the rows.
  func withValue<R>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> R?) -> R? {
    let (row, column) = (Int32(row), Int32(column))
    guard row < PQntuples(result), column < PQnfields(result),
      PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column)
    else { return nil }
    return body(
      UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    withValue(row, column) { _ in false } ?? true
  }

  /// A value in text, as statements without parameters answer.
  func text(_ row: Int, _ column: Int) -> String? {
    withValue(row, column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A `smallint`, `integer` or `bigint`, or nil for NULL.
  func integer<Value: FixedWidthInteger>(_ row: Int, _ column: Int, _: Value.Type) -> Value? {
    withValue(row, column) { bytes in
      guard bytes.count == MemoryLayout<Value>.size else { return nil }
      return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }
  }

  /// The elements of a `bigint[]` of one dimension without NULLs.
  func integers(_ row: Int, _ column: Int) -> [Int64]? {
    withValue(row, column) { bytes in
      // The header is that of `Parameters.append(array:)`; each element has its length before it.
      let (headerLength, elementLength) = (20, 12)
      let (count, rest) = (bytes.count - headerLength).quotientAndRemainder(
        dividingBy: elementLength)
      guard count >= 0, rest == 0 else { return nil }
      return (0..<count).map { index in
        Int64(
          bigEndian: bytes.loadUnaligned(
            fromByteOffset: headerLength + elementLength * index + 4, as: Int64.self))
      }
    }
  }
}
