import Foundation

/// A folder for a test's files, removed with the last reference to it.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("otp-\(UUID())")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("no temporary folder: \(error)")
    }
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// One for all tests of this process, removed when it exits.
  public static let shared: TemporaryFolder = {
    let folder = TemporaryFolder()
    atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.shared.path) }
    return folder
  }()
}
