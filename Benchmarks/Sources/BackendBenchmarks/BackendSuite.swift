package import BenchmarkRegistry
import OTP
import OTPVerification

/// All benchmarks of backends and of the library's own work, with what is compared in tables.
package struct BackendSuite {
  package let benchmarks: [Benchmark]

  /// What is compared without any option.
  package let quick: [BackendComparison]

  package let peers = PeerComparison()

  /// What takes minutes and gigabytes, and is no part of ``benchmarks``: up to ten million credentials.
  package let large: [Benchmark]

  /// - Parameters:
  ///   - cores: that there are.
  ///   - leastAttempts: what a call of a verification's body handles at least.
  package init(
    _ backends: Backends, cores: Int, leastAttempts: Int = VerificationWorkloads.usualLeastAttempts
  ) throws {
    let comparisons = HashAlgorithm.allCases.flatMap { algorithm in
      backends.supporting(algorithm).map { BackendComparison($0, algorithm, of: backends) }
    }
    quick = comparisons.filter { BackendName(rawValue: $0.backend)?.isQuick ?? true }
    let workloads = VerificationWorkloads(leastAttempts: leastAttempts)
    var benchmarks = comparisons.flatMap(\.benchmarks)
    benchmarks += CodeBenchmarks(backends).benchmarks
    for work in try BulkVerification.all(cores: cores) {
      for backend in backends.supporting(work.algorithm) {
        benchmarks.append(work.benchmark(backend, backends, workloads))
      }
    }
    benchmarks.append(
      BulkVerification.manyCredentials.benchmark(backends.multiBuffer, backends, workloads))
    for algorithm in HashAlgorithm.allCases {
      for backend in backends.supporting(algorithm) {
        let singles = SingleVerification(algorithm: algorithm)
        benchmarks.append(singles.latency(backend, backends, workloads))
        benchmarks.append(singles.concurrent(backend, backends, workloads))
        let table = TableBenchmark(algorithm)
        benchmarks.append(table.benchmark(backend, backends, workloads))
      }
    }
    self.benchmarks = benchmarks + TextBenchmarks.all
    let tenMillion = 10_000_000
    let largeWorkloads = VerificationWorkloads(
      leastAttempts: VerificationWorkloads.largeLeastAttempts)
    large =
      [1000, 100_000, tenMillion].map { credentials in
        BulkVerification.warm.with { $0.credentials = credentials }
          .readingBenchmark(backends.multiBuffer, backends, largeWorkloads)
      } + [
        TableBenchmark(.sha1, credentials: tenMillion, tellsResidentMemory: true)
          .benchmark(backends.multiBuffer, backends, largeWorkloads)
      ]
  }
}

extension BulkVerification {
  /// What everything else differs from in one point. The keys are in a table.
  package static let warm = BulkVerification()

  /// The same with keys that come with the attempts.
  static let cold = warm.with {
    $0.isCold = true
    $0.batch = 1000
  }

  /// A table that the processor's nearer caches do not hold.
  package static let someCredentials = warm.with { $0.credentials = 100_000 }

  /// A table that no cache holds.
  static let manyCredentials = warm.with { $0.credentials = 1_000_000 }

  /// Sizes of batches that are measured.
  package static let batches = [1, 16, 256, 4096, 65_536]

  /// A batch that is worth several tasks even where a processor takes long to wake up.
  static let largeBatch = warm.with { $0.batch = 65_536 }

  /// What is measured with every backend: from ``warm`` and ``cold`` one dimension at a time.
  static func all(cores: Int) throws -> [BulkVerification] {
    var all = [someCredentials]
    for start in [warm, cold] {
      all += HashAlgorithm.allCases.map { algorithm in start.with { $0.algorithm = algorithm } }
      for window in [Window.none, try Window(back: 5, forward: 5)] {
        all.append(start.with { $0.window = window })
      }
      for batch in batches where batch != start.batch {
        all.append(start.with { $0.batch = batch })
      }
      for threads in threadCounts(cores: cores) {
        all.append(start.with { $0.threads = threads })
      }
    }
    all += threadCounts(cores: cores).map { threads in largeBatch.with { $0.threads = threads } }
    all += threadCounts(cores: cores).map { callers in warm.with { $0.callers = callers } }
    return all
  }

  /// Powers of two, and all cores; one thread is measured anyway, and two on one core show what sharing costs.
  static func threadCounts(cores: Int) -> [Int] {
    var counts = [2]
    while let last = counts.last, last * 2 <= cores { counts.append(last * 2) }
    return counts.contains(cores) || cores == 1 ? counts : counts + [cores]
  }
}
