import BenchmarkRegistry
import Foundation

/// A program that is spoken to in lines. What it writes to standard error goes where the benchmark's does.
package final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var read = Data()
  private let name: String

  /// Starts a program that the search path has.
  init(_ command: [String]) throws {
    name = command[0]
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Tells it that nothing more comes, and ends it where that does not.
  deinit {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  func readLine() throws -> String {
    while true {
      if let end = read.firstIndex(of: UInt8(ascii: "\n")) {
        defer { read = Data(read[(end + 1)...]) }
        return String(decoding: read[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkFault("\(name) ended before it answered") }
      read += more
    }
  }

  /// Runs a program to its end.
  /// - Returns: what it wrote to standard output.
  package static func output(of command: [String]) throws -> String {
    let child = try ChildProcess(command)
    try child.input.fileHandleForWriting.close()
    let text = child.output.fileHandleForReading.readDataToEndOfFile()
    child.process.waitUntilExit()
    guard child.process.terminationStatus == 0 else {
      throw BenchmarkFault("\(child.name) failed (\(child.process.terminationStatus))")
    }
    return String(decoding: text, as: UTF8.self)
  }
}
