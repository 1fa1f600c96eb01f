import Foundation

/// Reads lines in pieces: as many as have arrived, so that a slow writer is answered at once and a fast one
/// in large batches.
struct LineReader {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private(set) var isAtEnd = false
  /// Whether the line being read is too long and is dropped up to its end.
  private var isSkipping = false
  private(set) var lineNumber = 0
  private(set) var bytesRead = 0

  /// The size of the file, if it is a regular one.
  let size: Int?

  /// A line must be shorter than this.
  static let lineLimit = 1 << 16

  private static let readLength = 1 << 18

  /// A line with its number; the content is nil when it is too long.
  typealias Line = (number: Int, bytes: ArraySlice<UInt8>?)

  /// Opens a file, or standard input for `-`.
  init(_ path: String, of option: String) throws {
    name = option
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(option) }
    var status = stat()
    size =
      fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      ? Int(status.st_size) : nil
  }

  func close() {
    if descriptor != STDIN_FILENO { Foundation.close(descriptor) }
  }

  /// The next lines, at least one and at most `limit`; none at the end of the file, or when a signal came
  /// before any.
  mutating func next(_ limit: Int) throws -> [Line] {
    var lines: [Line] = []
    while true {
      var start = buffer.startIndex
      while lines.count < limit, let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        take(buffer[start..<end], into: &lines)
        start = end + 1
      }
      buffer.removeSubrange(..<start)
      if lines.count == limit { return lines }
      if buffer.count >= Self.lineLimit {
        isSkipping = true
        buffer.removeAll(keepingCapacity: true)
      }
      if !lines.isEmpty { return lines }
      if isAtEnd {
        if !buffer.isEmpty || isSkipping { take(buffer[...], into: &lines) }
        buffer = []
        return lines
      }
      if try !fill() { return lines }
    }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, into lines: inout [Line]) {
    lineNumber += 1
    let content = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    lines.append((lineNumber, isSkipping || content.count >= Self.lineLimit ? nil : content))
    isSkipping = false
  }

  /// Reads what has arrived. False when a signal came first.
  private mutating func fill() throws -> Bool {
    guard Interrupt.waitForInput(from: descriptor) else { return false }
    let count = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.readLength))
    let got = buffer.withUnsafeMutableBytes { bytes in
      read(descriptor, bytes.baseAddress.map { $0 + count }, Self.readLength)
    }
    let error = errno
    buffer.removeLast(Self.readLength - max(got, 0))
    if got < 0 {
      if error == EINTR { return false }
      throw Self.unreadable(name)
    }
    bytesRead += got
    isAtEnd = got == 0
    return true
  }

  private static func unreadable(_ option: String) -> ToolError {
    ToolError("cannot read what --\(option) names: \(String(cString: strerror(errno)))")
  }
}
