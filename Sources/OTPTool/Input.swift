import Foundation
import OTP

/// Reads all of a file, or of standard input for `-`, into memory that is wiped on release.
///
/// - Parameter option: the option that named the file. Errors name the option and not the path: somebody
///   may have put a key there.
func readSecretFile(_ path: String, of option: String, limit: Int = 1 << 16) throws -> SecretMemory
{
  let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw unreadable(option) }
  defer { if descriptor != STDIN_FILENO { close(descriptor) } }
  let terminal = SilentTerminal(descriptor, asksFor: option)
  defer { terminal?.restore() }
  return try withWipedScratch(of: UInt8.self, count: limit + 1) { buffer in
    var count = 0
    while count <= limit {
      let got = read(descriptor, buffer + count, limit + 1 - count)
      if got == 0 { break }
      if got > 0 {
        count += got
      } else if errno != EINTR {
        throw unreadable(option)
      }
    }
    guard count <= limit else {
      throw ToolError("what --\(option) names is longer than \(limit) bytes")
    }
    return SecretMemory(count: count) { memory in
      memory.copyMemory(from: UnsafeRawBufferPointer(start: buffer, count: count))
    }
  }
}

/// A terminal that does not show what is typed, for a key that a person enters.
private struct SilentTerminal {
  private let descriptor: Int32
  private let before: termios

  /// Nil when `descriptor` is no terminal.
  init?(_ descriptor: Int32, asksFor option: String) {
    var settings = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(descriptor, TCSAFLUSH, &settings)
    printToStandardError("Enter what --\(option) is to read, then a line end and Ctrl-D:")
  }

  func restore() {
    var settings = before
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }
}

/// The system's error at what an option names, or at standard input.
func unreadable(_ option: String?, _ error: Int32 = errno) -> ToolError {
  let what = option.map { "what --\($0) names" } ?? "standard input"
  return ToolError("cannot read \(what): \(String(cString: strerror(error)))")
}

extension UnsafeRawBufferPointer {
  /// Without one line end, LF or CR LF, at the end.
  func trimmingLineEnd() -> UnsafeRawBufferPointer {
    var end = count
    if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[..<end])
  }
}
