import BackendBenchmarks
import BenchmarkRegistry
import CGoogleBenchmark
import Foundation
import LedgerBenchmarks
import OTP

extension Command {
  static let run = Command(
    name: "run", summary: "Measures, and writes a table or Google Benchmark's JSON.",
    help: RunOptions.help
  ) { words in
    try run(RunOptions(words))
    return .fine
  }

  private static func run(_ options: RunOptions) throws {
    #if DEBUG
      throw BenchError("this is a debug build; build it with -c release")
    #endif
    cbench_keep_freed_memory()
    let output =
      switch options.subject {
      case .backends: try compareBackends(options)
      case .peers: try comparePeers(options)
      case .ledgers: try compareLedgers(options)
      }
    print(output)
  }

  private static func compareBackends(_ options: RunOptions) throws -> String {
    let backends = try Backends()
    for backend in backends.all {
      let information = backend.information
      cbench_add_context("backend_\(information.name)", information.library)
    }
    let comparisons = HashAlgorithm.allCases.flatMap { algorithm in
      backends.all.map { BackendComparison($0, algorithm, of: backends) }
    }
    let measurement = try measure(comparisons.flatMap(\.benchmarks), options)
    return """
      Verification, window 1 back and 1 forward, one thread, \(BackendComparison.keyCount) keys in turn. Rates and "each"
      are of batches of \(BackendComparison.keyCount) in one time step, "scattered" has a step for each attempt, and "alone" is
      one attempt by itself;
      medians of \(options.repetitions) interleaved repetitions, spread between the quartiles.

      \(table(comparisons, measurement))
      """
  }

  private static func comparePeers(_ options: RunOptions) throws -> String {
    let suite = try PeerSuite(manyCredentials: 1_000_000)
    let measurement = try measure(suite.benchmarks, options)
    return """
      Codes, or verifications with a window of one step back and one forward, per second;
      medians of \(options.repetitions) interleaved repetitions, spread between the quartiles.
      \(suite.notes.joined(separator: "\n"))

      \(table(suite.comparisons, measurement))
      """
  }

  private static func compareLedgers(_ options: RunOptions) throws -> String {
    let suite = try LedgerSuite(
      folder: options.folder, credentialCount: 102_400,
      environment: ProcessInfo.processInfo.environment)
    let measurement = try measure(
      suite.benchmarks.map { benchmark in
        Benchmark(benchmark.name) {
          PreparedBenchmark(items: benchmark.items, .timed(benchmark.run))
        }
      }, options)
    return """
      Attempts settled per second; medians of \(options.repetitions) interleaved repetitions, spread between the quartiles.
      \(suite.notes.joined(separator: "\n"))

      \(table(suite.comparisons, measurement))
      """
  }

  private static func measure(
    _ benchmarks: [Benchmark], _ options: RunOptions
  ) throws -> Measurement {
    let filter = try options.filter.map { try NameFilter($0) }
    let chosen = benchmarks.filter { filter?.matches($0.name) ?? true }
    let measurement = Measurement()
    try measurement.run(chosen, options)
    return measurement
  }
}
