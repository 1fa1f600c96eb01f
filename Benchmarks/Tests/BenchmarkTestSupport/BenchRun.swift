package import Foundation
import Testing

/// One run of the built `otp-bench`.
package struct BenchRun {
  package let status: Int32
  package let output: String
  package let errors: String

  /// - Parameters:
  ///   - folder: where it runs, if not where the tests do.
  ///   - program: what is run instead.
  package init(_ arguments: [String], in folder: String? = nil, program: String? = nil) throws {
    let process = Process()
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.executableURL = try program.map { URL(fileURLWithPath: $0) } ?? Self.program
    process.arguments = arguments
    // What is written to standard error is short; standard output is read meanwhile.
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.output = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  package var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Whether the run ended as a refusal must: failed, nothing on standard output, and one line on standard error.
  package var isRefusal: Bool {
    status == 1 && output.isEmpty && errors.hasPrefix("otp-bench: ")
      && errors.filter(\.isNewline).count == 1
  }

  /// The program lies beside the test bundle, in the folder that the build made.
  package static var program: URL {
    get throws {
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
        folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
      }
      let program = folder.appendingPathComponent("otp-bench")
      try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path)")
      return program
    }
  }
}
