import BenchmarkRegistry
import CGoogleBenchmark
import Foundation

/// The rates of each benchmark, in items per second, one for each repetition.
final class Measurement {
  private(set) var rates: [String: [Double]] = [:]

  /// The further figures of each benchmark, as of its last repetition.
  private(set) var counters: [String: [String: Double]] = [:]

  private(set) var failed: [String] = []
  private let started = Date()
  private let showsProgress = isatty(STDERR_FILENO) == 1

  /// Prepares benchmarks and runs them, their repetitions in random order. To be called once in a process.
  /// - Throws: ``BenchError`` when something failed.
  func run(_ benchmarks: [Benchmark], _ options: RunOptions) throws {
    let registrations = try benchmarks.map { benchmark in
      showProgress("preparing \(benchmark.name)")
      return Registration(benchmark.name, try benchmark.prepare())
    }
    defer { withExtendedLifetime(registrations) {} }
    var arguments = [
      "otp-bench", "--benchmark_enable_random_interleaving=true",
      "--benchmark_repetitions=\(options.repetitions)",
      "--benchmark_min_time=\(options.secondsPerRepetition)",
    ]
    if let path = options.jsonPath {
      arguments += ["--benchmark_out=\(path)", "--benchmark_out_format=json"]
    }
    let allocations = arguments.map { strdup($0) }
    defer { for allocation in allocations { free(allocation) } }
    // The library takes its own flags out of this list.
    var pointers = allocations + [nil]
    let count = cbench_run(
      Int32(arguments.count), &pointers, options.jsonPath == nil ? 0 : 1,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, name in
        Measurement.from(context)?.showProgress(name.map { String(cString: $0) } ?? "")
      },
      { context, repetition in Measurement.from(context)?.add(repetition) })
    clearProgress()
    for registration in registrations { counters[registration.name] = registration.counters }
    guard failed.isEmpty, count == benchmarks.count else {
      let reasons = registrations.compactMap { $0.error.map { "\($0)" } }
      throw BenchError(
        (["failed: \(failed.joined(separator: ", "))"] + reasons).joined(separator: "; "))
    }
  }

  /// The middle rate of a benchmark.
  func median(_ name: String) -> Double? {
    rates[name].flatMap { $0.median }
  }

  /// Half the distance between the quartiles, as a share of the median.
  func spread(_ name: String) -> Double? {
    guard let sorted = rates[name]?.sorted(), let median = sorted.median else { return nil }
    let quarter = sorted.count / 4
    return (sorted[sorted.count - 1 - quarter] - sorted[quarter]) / 2 / median
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Measurement? {
    context.map { Unmanaged<Measurement>.fromOpaque($0).takeUnretainedValue() }
  }

  private func add(_ repetition: cbench_repetition) {
    let name = String(cString: repetition.name)
    if repetition.failed != 0 {
      failed.append(name)
    } else {
      rates[name, default: []].append(repetition.items_per_second)
    }
  }

  private func showProgress(_ name: String) {
    guard showsProgress else { return }
    let seconds = Int(Date().timeIntervalSince(started))
    writeToStandardError("\r\u{1B}[K\(seconds) s  \(name)")
  }

  private func clearProgress() {
    guard showsProgress else { return }
    writeToStandardError("\r\u{1B}[K")
  }
}

extension [Double] {
  fileprivate var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

/// Writes to standard error; if that is closed or full, nobody is there to be told.
func writeToStandardError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
