/// A line that a child writes for ``Callgrind``: first how many items and allocations a call of a body has, and then
/// which process counted it, whose profile is complete by then.
package enum CountedLine: Equatable {
  case body(items: Int, allocations: Int)
  case counted(process: Int32)

  package var text: String {
    switch self {
    case .body(let items, let allocations): "body \(items) \(allocations)"
    case .counted(let process): "counted \(process)"
    }
  }

  /// - Returns: nil for what else is written.
  package init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("body", 3):
      guard let items = Int(words[1]), items > 0, let allocations = Int(words[2]) else {
        return nil
      }
      self = .body(items: items, allocations: allocations)
    case ("counted", 2):
      guard let process = Int32(words[1]) else { return nil }
      self = .counted(process: process)
    default: return nil
    }
  }
}
