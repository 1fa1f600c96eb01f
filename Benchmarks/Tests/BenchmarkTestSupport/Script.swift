import Foundation
import Testing

/// Writes a script that can be executed.
///
/// Another program writes the file: where this process had it open, a program that a test starts at the same time would
/// have it open for a moment too, and what is open for writing cannot be executed.
package func writeScript(_ text: String, to path: String) throws {
  let source = path + ".text"
  try text.write(toFile: source, atomically: false, encoding: .utf8)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["install", "-m", "755", source, path]
  try process.run()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0)
  try FileManager.default.removeItem(atPath: source)
}
