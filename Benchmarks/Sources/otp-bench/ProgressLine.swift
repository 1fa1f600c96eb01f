import Foundation

/// One line on the terminal that says what is under way; nothing where standard error is none.
struct ProgressLine {
  private let started = ContinuousClock.now
  fileprivate let isTerminal = isatty(STDERR_FILENO) == 1

  var seconds: Double { (ContinuousClock.now - started) / .seconds(1) }

  func show(_ text: String) {
    guard isTerminal else { return }
    writeToStandardError("\r\u{1B}[K\(Int(seconds)) s  \(text)")
  }

  func clear() {
    guard isTerminal else { return }
    writeToStandardError("\r\u{1B}[K")
  }
}

/// Says on standard error what is under way, and at its end how many seconds it took: a line, which a ``ProgressLine``
/// may take the place of meanwhile.
func phase<R>(_ text: String, _ work: () throws -> R) throws -> R {
  let line = ProgressLine()
  writeToStandardError("\(text) ...")
  let result = Result { try work() }
  line.clear()
  let start = line.isTerminal ? "\(text) ..." : ""
  switch result {
  case .success: writeToStandardError("\(start) \(Int(line.seconds.rounded())) s\n")
  case .failure: writeToStandardError("\(start)\n")
  }
  return try result.get()
}

/// Writes to standard error; if that is closed or full, nobody is there to be told.
func writeToStandardError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
