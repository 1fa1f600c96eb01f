import Foundation

extension Option {
  static let json = Option(name: "json", help: "print JSON, one object a line")
}

/// Writes a line to standard output. A line that could not be written is an error: a full disk or a
/// closed pipe must not look like success.
func printLine(_ line: String) throws {
  try write(Array((line + "\n").utf8))
}

/// Writes one JSON object on a line, keys in alphabetical order.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  try write(Array(try encoder.encode(value)) + [UInt8(ascii: "\n")])
}

/// Writes bytes to standard output.
func write(_ bytes: [UInt8]) throws {
  guard writeAll(bytes, to: STDOUT_FILENO) else {
    throw ToolError(
      "cannot write to standard output: \(String(cString: strerror(errno)))", status: .unavailable)
  }
}

/// - Throws: when standard output is closed or open for reading alone, as a run that uses codes up must know before.
func checkStandardOutput() throws {
  let flags = fcntl(STDOUT_FILENO, F_GETFL)
  guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
    throw ToolError("standard output is not open for writing", status: .unavailable)
  }
}

/// - Returns: false, with `errno`, when not all could be written.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EAGAIN {
      // Whoever made the pipe, or has a terminal as well, may have made it one that does not wait.
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      return false
    }
  }
  return true
}

/// Writes a line to standard error; if that is closed or full, nobody is there to be told.
func printToStandardError(_ line: String) {
  writeToStandardError(line + "\n")
}

func writeToStandardError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
