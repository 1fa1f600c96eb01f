import Foundation
import Synchronization

/// A program that must end by itself in a given time.
package enum BoundedProcess {
  private static let running = Mutex(Set<pid_t>())

  /// Kills all that runs, and ends this process before anything is made of that or starts.
  package static func endAll(_ end: () -> Never) -> Never {
    running.withLock { running in
      for id in running { killWithChildren(id) }
      end()
    }
  }

  /// Runs a program that the search path has, in an environment of these variables alone and in this order, since
  /// what they take on the stack moves what lies there.
  /// - Parameters:
  ///   - folder: where it runs.
  ///   - input: what it reads from standard input.
  ///   - line: told each line that it writes to standard output, when it does. If this throws, the program is killed.
  /// - Throws: ``InstructionsFault``, with the end of what it wrote to standard error, when it cannot be started, does
  ///   not end in time, or ends with a failure.
  static func run(
    _ command: [String], in folder: URL, environment: [(name: String, value: String)], seconds: Int,
    input: String = "", line: (String) throws -> Void = { _ in }
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = folder
    process.arguments = ["-i"] + environment.map { "\($0.name)=\($0.value)" } + command
    let (inputPipe, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = inputPipe
    process.standardOutput = output
    process.standardError = errors
    let errorText = Mutex("")
    let hasReadErrors = DispatchSemaphore(value: 0)
    let id = try running.withLock { running in
      try process.run()
      running.insert(process.processIdentifier)
      return process.processIdentifier
    }
    defer { _ = running.withLock { $0.remove(id) } }
    // It fits into the pipe's buffer, so that nobody waits.
    try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try inputPipe.fileHandleForWriting.close()
    DispatchQueue.global().async {
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      errorText.withLock { $0 = String(decoding: data, as: UTF8.self) }
      hasReadErrors.signal()
    }
    let isLate = Mutex(false)
    let killer = DispatchWorkItem {
      isLate.withLock { $0 = true }
      killWithChildren(id)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: killer)
    do {
      try readLines(output.fileHandleForReading, line)
    } catch {
      killWithChildren(id)
      process.waitUntilExit()
      killer.cancel()
      throw error
    }
    process.waitUntilExit()
    killer.cancel()
    hasReadErrors.wait()
    let messages = errorText.withLock { lastLines($0) }
    if isLate.withLock({ $0 }) {
      throw InstructionsFault("\(command[0]) did not end within \(seconds) s\(messages)")
    }
    let status = process.terminationStatus
    guard process.terminationReason == .exit else {
      throw InstructionsFault("\(command[0]) died of signal \(status)\(messages)")
    }
    guard status == 0 else { throw InstructionsFault("it failed with status \(status)\(messages)") }
  }

  private static func killWithChildren(_ id: pid_t) {
    // Foundation gives it a group of its own; where it did not, there is no such group.
    if kill(-id, SIGKILL) != 0 { kill(id, SIGKILL) }
  }

  private static func readLines(
    _ file: FileHandle, _ line: (String) throws -> Void
  ) throws {
    var rest = Data()
    while true {
      let more = file.availableData
      if more.isEmpty { return }
      rest += more
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        try line(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[(end + 1)...]
      }
    }
  }

  /// The end of what was written to standard error, to be added to a message.
  private static func lastLines(_ text: String) -> String {
    let lines = text.split(separator: "\n").suffix(3)
    return lines.isEmpty ? "" : ": " + lines.joined(separator: " | ")
  }
}
