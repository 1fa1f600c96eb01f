import Foundation

/// One line on the terminal that says what is under way; nothing where standard error is none.
struct ProgressLine {
  private let started = ContinuousClock.now
  private let isTerminal = isatty(STDERR_FILENO) == 1

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

/// Writes to standard error; if that is closed or full, nobody is there to be told.
func writeToStandardError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
