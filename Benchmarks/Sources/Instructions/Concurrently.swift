import Dispatch
import Synchronization

/// Does something for each element, some at a time, each in a thread of its own that may wait.
/// - Returns: what it returned, in the order of the elements.
/// - Throws: the first error; what was begun then is ended, and nothing else begun.
func concurrently<Element: Sendable, Result: Sendable>(
  _ elements: [Element], atOnce: Int, _ body: @escaping @Sendable (Element) throws -> Result
) throws -> [Result] {
  let state = Mutex(
    (next: 0, results: [Int: Result](), error: nil as (any Error)?))
  DispatchQueue.concurrentPerform(iterations: min(atOnce, elements.count)) { _ in
    while true {
      let index = state.withLock { state in
        defer { state.next += 1 }
        return state.error == nil ? state.next : elements.count
      }
      if index >= elements.count { return }
      do {
        let result = try body(elements[index])
        state.withLock { $0.results[index] = result }
      } catch {
        state.withLock { if $0.error == nil { $0.error = error } }
      }
    }
  }
  return try state.withLock { state in
    if let error = state.error { throw error }
    return elements.indices.compactMap { state.results[$0] }
  }
}
