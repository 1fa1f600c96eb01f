/// A value that several benchmarks share, made when the first of them needs it.
package final class Shared<Value> {
  /// The value, if it was needed yet.
  private var made: Value?

  private let make: () throws -> Value

  package init(_ make: @escaping () throws -> Value) {
    self.make = make
  }

  package func get() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
