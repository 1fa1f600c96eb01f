import CGoogleBenchmark
import Foundation
import LedgerBenchmarks
import OTP
import OTPGcrypt
import OTPMultiBuffer
import OTPOpenSSL

/// Every backend that is compared. A new one joins by one line.
func makeBackends() throws -> [any HMACBackend] {
  [
    SwiftBackend(),
    try OpenSSLBackend(),
    try GcryptBackend(),
    try MultiBufferBackend(),
  ]
}

func run(_ options: RunOptions) throws {
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

func compareBackends(_ options: RunOptions) throws -> String {
  let backends = try makeBackends()
  for backend in backends {
    let information = backend.information
    cbench_add_context("backend_\(information.name)", information.library)
  }
  var subjects: [Subject] = []
  for algorithm in HashAlgorithm.allCases {
    let workload = try Workload(algorithm)
    for backend in backends { subjects.append(try Subject(backend, workload)) }
  }
  let measurement = try measure(subjects.flatMap(\.benchmarks), options)
  return """
    Verification, window 1 back and 1 forward, one thread, \(Workload.keyCount) keys in turn. Rates and "each"
    are of batches of \(Workload.keyCount) in one time step, "scattered" has a step for each attempt, and "alone" is
    one attempt by itself;
    medians of \(options.repetitions) interleaved repetitions, spread between the quartiles.

    \(table(subjects, measurement))
    """
}

func comparePeers(_ options: RunOptions) throws -> String {
  let suite = try PeerSuite(manyCredentials: 1_000_000)
  let measurement = try measure(suite.benchmarks, options)
  return """
    Codes, or verifications with a window of one step back and one forward, per second;
    medians of \(options.repetitions) interleaved repetitions, spread between the quartiles.
    \(suite.notes.joined(separator: "\n"))

    \(table(suite.comparisons, measurement))
    """
}

func compareLedgers(_ options: RunOptions) throws -> String {
  let suite = try LedgerSuite(
    folder: options.folder, credentialCount: 102_400,
    environment: ProcessInfo.processInfo.environment)
  let measurement = try measure(suite.benchmarks.map { Benchmark($0) }, options)
  return """
    Attempts settled per second; medians of \(options.repetitions) interleaved repetitions, spread between the quartiles.
    \(suite.notes.joined(separator: "\n"))

    \(table(suite.comparisons, measurement))
    """
}

/// Runs benchmarks, which live as long.
func measure(_ benchmarks: [Benchmark], _ options: RunOptions) throws -> Measurement {
  for benchmark in benchmarks { benchmark.register() }
  let measurement = Measurement()
  do {
    try measurement.run(options)
  } catch let error as BenchError {
    let reasons = benchmarks.compactMap { $0.error.map { "\($0)" } }
    throw BenchError(([error.message] + reasons).joined(separator: "; "))
  }
  return measurement
}

let words = CommandLine.arguments.dropFirst()
do {
  guard words.first == "run" || words.first == "--help" else {
    throw BenchError("the command is 'run'; see 'otp-bench run --help'")
  }
  if words.contains("--help") {
    print(RunOptions.help, terminator: "")
  } else {
    try run(RunOptions(words.dropFirst()))
  }
} catch {
  let message = (error as? BenchError)?.message ?? "\(error)"
  writeToStandardError("otp-bench: \(message)\n")
  exit(error is OTPError ? 3 : 2)
}
