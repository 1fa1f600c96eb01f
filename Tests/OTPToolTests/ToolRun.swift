import Foundation
import Testing

/// One run of the built tool.
struct ToolRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs the tool with these arguments.
  /// - Parameters:
  ///   - input: what it reads from standard input.
  ///   - environment: variables on top of the test's own.
  init(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws {
    let process = Process()
    process.executableURL = try Self.tool
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (inputPipe, outputPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
    process.standardInput = inputPipe
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    try process.run()
    // What the tests write and read fits into a pipe's buffer, so that nobody waits for another.
    precondition(input.count <= 60_000)
    try? inputPipe.fileHandleForWriting.write(contentsOf: input)
    try? inputPipe.fileHandleForWriting.close()
    output = String(decoding: outputPipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    errors = String(decoding: errorPipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  init(_ arguments: [String], input: String, environment: [String: String] = [:]) throws {
    try self.init(arguments, input: Array(input.utf8), environment: environment)
  }

  /// Whether the run ended as a refusal must: this status, nothing on standard output, and one line
  /// on standard error.
  func isRefusal(status: Int32 = 2) -> Bool {
    self.status == status && output.isEmpty && errors.hasPrefix("otp: ")
      && errors.hasSuffix("\n") && errors.filter(\.isNewline).count == 1
  }

  /// The tool lies beside the test bundle, in the folder that the build made.
  static var tool: URL {
    get throws {
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
        folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
      }
      let tool = folder.appendingPathComponent("otp")
      try #require(FileManager.default.isExecutableFile(atPath: tool.path), "\(tool.path)")
      return tool
    }
  }
}
