import Foundation

/// A line on standard error that says what is going on. Only a terminal shows it.
struct ProgressLine {
  private let started = Date()
  private let isShown = isatty(STDERR_FILENO) == 1

  var seconds: Double { Date().timeIntervalSince(started) }

  func show(_ text: String) {
    guard isShown else { return }
    writeToStandardError("\r\u{1B}[K\(Int(seconds)) s  \(text)")
  }

  func clear() {
    guard isShown else { return }
    writeToStandardError("\r\u{1B}[K")
  }
}
