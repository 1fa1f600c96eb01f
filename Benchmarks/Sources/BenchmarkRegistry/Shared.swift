/// A value that several benchmarks share, made when the first of them needs it.
package final class Shared<Value> {
  private var value: Value?
  private let make: () throws -> Value

  package init(_ make: @escaping () throws -> Value) {
    self.make = make
  }

  package func get() throws -> Value {
    if let value { return value }
    let made = try make()
    value = made
    return made
  }
}
