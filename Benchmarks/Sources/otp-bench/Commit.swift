import Foundation

/// The commit that the package's sources are at.
enum Commit {
  /// Its hash, with `-dirty` when files were changed since; `unknown` without git or a repository.
  static var current: String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let git = Process()
    let output = Pipe()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = [
      "git", "-C", folder.path, "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty",
    ]
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    do { try git.run() } catch { return "unknown" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    git.waitUntilExit()
    let commit = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return git.terminationStatus == 0 && !commit.isEmpty ? commit : "unknown"
  }
}
