import Foundation

/// A file for a command's result, which is opened before the command begins: afterwards codes are used up.
final class OutputFile {
  private let descriptor: Int32
  private let option: String

  /// - Parameters:
  ///   - option: the option that names the file, for errors.
  ///   - inputs: files that it must not be, be they there or not yet.
  ///   - streams: descriptors whose files it must not be.
  init(_ path: String, of option: String, not inputs: [String], streams: [Int32] = []) throws {
    self.option = option
    var own = stat()
    let isNew = lstat(path, &own) != 0
    // What is in it stays until there is a result.
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.unwritable(option) }
    // Others are compared with it when it is there: one that is not, and would be made later, is then this one.
    guard fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG else { return }
    var other = stat()
    func isOwn() -> Bool { own.st_dev == other.st_dev && own.st_ino == other.st_ino }
    let isUsed =
      streams.contains { fstat($0, &other) == 0 && isOwn() }
      || inputs.contains { stat($0, &other) == 0 && isOwn() }
    guard !isUsed else {
      if isNew { unlink(path) }
      throw ToolError("--\(option) names a file that is used for something else")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Puts these bytes in the place of what is in the file.
  func write(_ bytes: [UInt8]) throws {
    // A pipe or a device has no length.
    _ = ftruncate(descriptor, 0)
    guard writeAll(bytes, to: descriptor) else { throw Self.unwritable(option) }
  }

  private static func unwritable(_ option: String) -> ToolError {
    ToolError(
      "cannot write what --\(option) names: \(String(cString: strerror(errno)))",
      status: .unavailable)
  }
}
