/// Keeps the optimizer from dropping the work that made `value`.
@inline(never)
@_optimize(none)
package func blackHole<Value>(_ value: Value) {}
