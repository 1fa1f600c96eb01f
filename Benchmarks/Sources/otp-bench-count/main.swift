// What `otp-bench instructions` starts under valgrind. Its arguments are the seconds that a benchmark may take, and
// what standard input names: `benchmarks`, or numbers of credentials for the `stages` of verification in bulk.
import BackendBenchmarks
import BenchmarkRegistry
import CountedRun
import Foundation

func benchmarks(_ kind: String) throws -> (_ name: String) throws -> Benchmark {
  // Under valgrind a call of a body takes fifty times longer.
  let leastAttempts = BulkVerification.warm.batch
  let backends = try Backends()
  switch kind {
  case "benchmarks":
    let registry = Registry(
      try BackendSuite(backends, cores: 1, leastAttempts: leastAttempts).benchmarks)
    return { name in
      guard let benchmark = registry[name] else {
        throw BenchmarkFault("there is no benchmark of this name")
      }
      return benchmark
    }
  case "stages":
    let workloads = VerificationWorkloads(leastAttempts: leastAttempts)
    return { name in
      guard let credentials = Int(name) else { throw BenchmarkFault("'\(name)' is no number") }
      return BulkVerification.warm.with { $0.credentials = credentials }
        .readingBenchmark(backends.multiBuffer, backends, workloads)
    }
  default: throw BenchmarkFault("there is nothing of the kind '\(kind)' to count")
  }
}

do {
  let arguments = CommandLine.arguments
  guard arguments.count == 3, let seconds = Int(arguments[1]) else {
    throw BenchmarkFault("'otp-bench instructions' starts this program")
  }
  exit(try CountedRun.run(seconds: seconds, benchmarks(arguments[2])) ? 0 : 1)
} catch {
  try? FileHandle.standardError.write(contentsOf: Data("otp-bench-count: \(error)\n".utf8))
  exit(1)
}
