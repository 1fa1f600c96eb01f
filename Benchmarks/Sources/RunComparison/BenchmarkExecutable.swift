package import BenchmarkResults
import Foundation

/// A built `otp-bench`.
package struct BenchmarkExecutable: Sendable {
  /// Absolute.
  package let path: String
  package let settings: Settings
  private let programs: Programs

  /// What one process measures.
  package struct Settings: Equatable, Sendable {
    package var filter: String
    package var repetitions: Int

    /// The least time of a repetition.
    package var secondsPerRepetition: Double

    /// How long a process may take.
    package var limit: Double

    package init(
      filter: String, repetitions: Int, secondsPerRepetition: Double, limit: Double
    ) {
      self.filter = filter
      self.repetitions = repetitions
      self.secondsPerRepetition = secondsPerRepetition
      self.limit = limit
    }
  }

  package init(path: String, _ settings: Settings, _ programs: Programs) {
    self.path = URL(fileURLWithPath: path).path
    self.settings = settings
    self.programs = programs
  }

  /// The names of the benchmarks that the filter lets through.
  package func names() throws(ProgramError) -> [String] {
    let output = try programs.run(
      [path, "run", "--list", "--filter", settings.filter], seconds: settings.limit)
    return output.split(separator: "\n").map(String.init)
  }

  /// Measures in a process of its own.
  /// - Parameters:
  ///   - names: what there must be in the results.
  ///   - folder: where the results are written to for a moment.
  package func measure(_ names: [String], in folder: String) throws -> Results {
    let file = "\(folder)/\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try programs.run(
      [
        path, "run", "--filter", settings.filter, "--json", file, "--repetitions",
        "\(settings.repetitions)", "--seconds", "\(settings.secondsPerRepetition)",
      ], seconds: settings.limit)
    let results: Results
    do {
      results = try Results(contentsOf: file)
    } catch {
      throw ResultsError(source: "the result of \(path)", error.problem)
    }
    return results
  }
}
