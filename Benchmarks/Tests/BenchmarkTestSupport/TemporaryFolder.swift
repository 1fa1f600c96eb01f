import Foundation

/// A new folder, which whoever asked for it removes.
package func makeFolder() throws -> String {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("otp-bench-tests-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}

/// Hands over a new folder, which is removed afterwards.
package func withFolder(_ work: (String) throws -> Void) throws {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try work(folder)
}
