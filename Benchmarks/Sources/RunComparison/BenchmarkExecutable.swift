package import BenchmarkResults
import Foundation

/// A built `otp-bench`.
package struct BenchmarkExecutable: Sendable {
  /// Absolute.
  package let path: String
  private let programs: Programs

  /// - Parameter path: of a file that can be executed.
  package init(path: String, _ programs: Programs) {
    self.path = URL(fileURLWithPath: path).path
    self.programs = programs
  }

  /// The names of all benchmarks.
  /// - Throws: an error of an older state of the code too, which does not know what it is asked.
  package func names(within limit: Double) throws(ProgramError) -> [String] {
    try programs.run([path, "run", "--full", "--list"], seconds: limit)
      .split(separator: "\n").map(String.init)
  }

  /// The kernels are not chosen by a measurement: a choice that was disturbed would be a difference by itself.
  private static let environment = ["OTP_KERNEL": "fixed"]

  /// Measures in a process of its own.
  /// - Parameter folder: where the results are written to for a moment.
  package func measure(_ settings: ProcessSettings, in folder: String) throws -> Results {
    let file = "\(folder)/\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try programs.run(
      [
        path, "run", "--full", "--filter", settings.filter, "--json", file,
        "--repetitions", "\(settings.repetitions)", "--seconds", "\(settings.seconds)",
      ], environment: Self.environment, seconds: settings.limit)
    return try Results(contentsOf: file, source: "the result of \(path)")
  }
}

/// What one process measures.
package struct ProcessSettings: Equatable, Sendable {
  /// Which benchmarks, as `run --filter` takes it.
  package var filter: String
  package var repetitions: Int

  /// The least time of a repetition.
  package var seconds: Double

  /// How many seconds the process may take.
  package var limit: Double

  package init(filter: String, repetitions: Int, seconds: Double, limit: Double) {
    self.filter = filter
    self.repetitions = repetitions
    self.seconds = seconds
    self.limit = limit
  }
}
