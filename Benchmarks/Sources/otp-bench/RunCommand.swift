import BackendBenchmarks
import BenchmarkRegistry
import CGoogleBenchmark
import Foundation
import OTP

extension Command {
  static let run = Command(
    name: "run", summary: "Measures, and writes a table or Google Benchmark's JSON.",
    help: RunOptions.help
  ) { words in
    let options = try RunOptions(words)
    let suite = try Suite(folder: options.folder)
    let benchmarks = try suite.benchmarks(options)
    if options.lists {
      for benchmark in benchmarks { print(benchmark.name) }
      return .fine
    }
    try refuseDebugBuild()
    cbench_keep_freed_memory()
    Interrupt.calls { [files = suite.ledgers.files] in
      try? FileManager.default.removeItem(at: files)
      Interrupt.end()
    }
    RunContext(suite.backends).add()
    let measurement = Measurement()
    try measurement.run(benchmarks, options)
    print(suite.report(of: measurement, benchmarks, options))
    return .fine
  }
}

/// - Throws: ``BenchError`` in a build that is not optimized, whose figures would be wrong by a hundred times.
func refuseDebugBuild() throws {
  #if DEBUG
    throw BenchError("this is a debug build; build it with -c release")
  #endif
}

extension Suite {
  /// What is to be measured.
  fileprivate func benchmarks(_ options: RunOptions) throws -> [Benchmark] {
    let filter = try options.filter.map { try NameFilter($0) }
    let selected: [Benchmark] =
      switch options.selected {
      case .backends: measured.quick.flatMap(\.benchmarks)
      case .peers:
        registry.benchmarks.filter { [names = measured.peers.names] in names.contains($0.name) }
      case .ledgers: ledgers.benchmarks
      case .large: measured.large
      case .everything: registry.benchmarks
      }
    let chosen = selected.filter { filter?.matches($0.name) ?? true }
    guard !chosen.isEmpty else { throw BenchError("no benchmark matches the filter") }
    return chosen
  }

  fileprivate func report(
    of measurement: Measurement, _ benchmarks: [Benchmark], _ options: RunOptions
  ) -> String {
    let medians =
      "medians of \(options.repetitions) interleaved repetitions, spread between the quartiles."
    switch options.selected {
    case .backends:
      return """
        Verification, window 1 back and 1 forward, one thread, \(BackendComparison.keyCount) keys in turn. Rates and "each"
        are of batches of \(BackendComparison.keyCount) in one time step, "scattered" has a step for each attempt, and "alone" is
        one attempt by itself;
        \(medians)

        \(table(measured.quick, measurement))
        """
    case .peers:
      let kernels = backends.multiBuffer.choices.map {
        "\($0.algorithm.name): \($0.kernel), \($0.reason)"
      }
      return """
        Codes, or verifications with a window of one step back and one forward, per second;
        \(medians)
        \(kernels.joined(separator: "\n"))

        \(table(measured.peers.rows, measurement))
        """
    case .ledgers:
      return """
        Attempts settled per second; \(medians)
        \(ledgers.notes.joined(separator: "\n"))

        \(table(ledgers.comparisons, measurement))
        """
    case .large, .everything:
      return """
        Items per second, and nanoseconds for each; \(medians)

        \(table(benchmarks, measurement))
        """
    }
  }
}
