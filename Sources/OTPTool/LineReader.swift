import Foundation
import OTP

/// Reads lines in pieces: as many as have arrived, so that a slow writer is answered at once and a fast one
/// in large batches. What it read, which may be keys, is wiped.
final class LineReader {
  private let descriptor: Int32
  private let option: String?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 2 * LineReader.lineLimit, alignment: 1)
  /// What is read and not taken yet.
  private var unread = 0..<0
  private var isAtEnd = false
  /// Whether the line being read is too long and is dropped up to its end.
  private var isSkipping = false
  private(set) var lineNumber = 0
  private(set) var bytesRead = 0

  /// The size of the file, if it is a regular one.
  let size: Int?

  /// A line must be shorter than this.
  static let lineLimit = 1 << 16

  /// Opens a file, or standard input for `-`.
  /// - Parameter option: the option that names the file, for errors; nil for standard input alone.
  init(_ path: String, of option: String? = nil) throws {
    self.option = option
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    let openError = errno
    var status = stat()
    size =
      fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      ? Int(status.st_size) : nil
    guard descriptor >= 0 else { throw unreadable(option, openError) }
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
    wipe(buffer)
    buffer.deallocate()
  }

  /// Lends all lines to `body`, as ``forNextLines(_:_:)`` does.
  func forEachLine(_ body: (Int, UnsafeRawBufferPointer?) throws -> Void) throws {
    while try forNextLines(.max, body) {}
  }

  /// Lends the next lines to `body`, one after the other, with their numbers and without their line ends (LF
  /// or CR LF): at least one and at most `limit`. The bytes are nil for a line that is too long.
  /// - Returns: false at the end of the file, or when the interrupt signal came before a line.
  func forNextLines(
    _ limit: Int, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) throws -> Bool {
    var count = 0
    while count < limit {
      if let end = lineEnd() {
        let line = unread.lowerBound..<end
        unread = end + 1..<unread.upperBound
        try take(line, body)
        count += 1
      } else if count > 0 {
        break
      } else if isAtEnd {
        guard !unread.isEmpty || isSkipping else { return false }
        let line = unread
        unread = 0..<0
        try take(line, body)
        count += 1
      } else if try !fill() {
        return false
      }
    }
    return true
  }

  /// The place of the next LF in what is read.
  private func lineEnd() -> Int? {
    guard let start = buffer.baseAddress,
      let found = memchr(start + unread.lowerBound, Int32(UInt8(ascii: "\n")), unread.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  private func take(
    _ line: Range<Int>, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    lineNumber += 1
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[line]).trimmingLineEnd()
    let isTooLong = isSkipping || bytes.count >= Self.lineLimit
    isSkipping = false
    try body(lineNumber, isTooLong ? nil : bytes)
  }

  /// Reads what has arrived, behind what is left of it. False when the interrupt signal came first.
  private func fill() throws -> Bool {
    let used = unread.upperBound
    if unread.count >= Self.lineLimit {
      isSkipping = true
      unread = 0..<0
    }
    let rest = UnsafeRawBufferPointer(rebasing: buffer[unread])
    UnsafeMutableRawBufferPointer(rebasing: buffer[..<unread.count]).copyMemory(from: rest)
    wipe(UnsafeMutableRawBufferPointer(rebasing: buffer[unread.count..<used]))
    unread = 0..<unread.count
    guard Interrupt.waitForInput(from: descriptor) else { return false }
    let free = UnsafeMutableRawBufferPointer(rebasing: buffer[unread.count...])
    let got = read(descriptor, free.baseAddress, free.count)
    guard got >= 0 else {
      if errno == EINTR { return true }
      throw unreadable(option)
    }
    bytesRead += got
    isAtEnd = got == 0
    unread = 0..<unread.count + got
    return true
  }
}
