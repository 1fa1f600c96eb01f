import Foundation

/// A program that must end by itself in a given time.
struct BoundedProcess {
  struct Output {
    let standardOutput: String
    let standardError: String
    let status: Int32
  }

  /// Runs a program that the search path has, in an environment of these variables alone and in this order, since
  /// what they take on the stack moves what lies there.
  /// - Parameter folder: where it may write, and what it writes is kept meanwhile.
  /// - Returns: what it wrote and its exit status.
  /// - Throws: ``InstructionsFault`` when it cannot be started, does not end in time, or dies of a signal.
  static func run(
    _ command: [String], environment: [(name: String, value: String)], seconds: Double,
    in folder: URL
  ) throws -> Output {
    let name = command[0]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["-i"] + environment.map { "\($0.name)=\($0.value)" } + command
    // Files instead of pipes: nobody has to read while it runs.
    let output = folder.appendingPathComponent("stdout")
    let errors = folder.appendingPathComponent("stderr")
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    if hasEnded.wait(timeout: .now() + seconds) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
      throw InstructionsFault("\(name) did not end within \(Int(seconds)) s")
    }
    let result = Output(
      standardOutput: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      standardError: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
      status: process.terminationStatus)
    guard process.terminationReason == .exit else {
      throw InstructionsFault("\(name) died of signal \(result.status)\(result.lastErrors)")
    }
    return result
  }
}

extension BoundedProcess.Output {
  /// The end of what it wrote to standard error, to be added to a message.
  var lastErrors: String {
    let lines = standardError.split(separator: "\n").suffix(5)
    return lines.isEmpty ? "" : ": " + lines.joined(separator: " | ")
  }
}
