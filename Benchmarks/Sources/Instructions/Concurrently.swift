import Dispatch
import Synchronization

/// Does something for each element, some at a time, each in a thread of its own that may wait.
/// - Returns: what it returned, in the order of the elements.
func concurrently<Element: Sendable, Result: Sendable>(
  _ elements: [Element], atOnce: Int, _ body: @escaping @Sendable (Element) -> Result
) -> [Result] {
  let results = Mutex<[Int: Result]>([:])
  let next = Atomic(0)
  DispatchQueue.concurrentPerform(iterations: min(atOnce, elements.count)) { _ in
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      if index >= elements.count { return }
      let result = body(elements[index])
      results.withLock { $0[index] = result }
    }
  }
  return results.withLock { results in elements.indices.compactMap { results[$0] } }
}
