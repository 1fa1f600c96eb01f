import BenchmarkResults
import Foundation

/// A file that a command writes at its end. That it can be written is checked at the beginning: nobody wants to hear
/// after ten minutes that a folder is missing.
struct OutputFile {
  let path: String

  /// - Throws: ``BenchError`` with the path and the reason where it cannot be written.
  init(_ path: String) throws {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else {
      try checkNew()
      return
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw unwritable("it is a folder") }
    // What is in it stays until there is something to write.
    guard access(path, W_OK) == 0 else { throw unwritable(Self.systemReason) }
  }

  /// Makes the file for a moment, since only that says for sure that it can be made.
  private func checkNew() throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      guard errno == ENOENT, !path.isEmpty else { throw unwritable(Self.systemReason) }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      throw unwritable("there is no folder \(folder)")
    }
    close(descriptor)
    unlink(path)
  }

  /// Puts these bytes in the place of what is in the file: a regular one as a whole or not at all.
  func write(_ data: Data) throws {
    var status = stat()
    // A pipe or a device is written to and not replaced.
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    do {
      try data.write(to: URL(fileURLWithPath: path), options: isSpecial ? [] : .atomic)
    } catch {
      throw unwritable(fileSystemReason(error))
    }
  }

  private func unwritable(_ reason: String) -> BenchError {
    BenchError("\(path) cannot be written: \(reason)")
  }

  private static var systemReason: String { String(cString: strerror(errno)) }
}
