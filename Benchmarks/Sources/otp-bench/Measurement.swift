import BenchmarkRegistry
import CGoogleBenchmark
import Foundation
import Statistics

/// The rates of each benchmark, in items per second, one for each repetition.
final class Measurement {
  private(set) var rates: [String: [Double]] = [:]

  /// The further figures of each benchmark, as of its last repetition.
  private(set) var counters: [String: [String: Double]] = [:]

  private(set) var failed: [String] = []
  private let progress = ProgressLine()

  /// Prepares benchmarks and runs them, their repetitions in random order. To be called once in a process.
  /// - Throws: ``BenchError`` when something failed.
  func run(_ benchmarks: [Benchmark], _ options: RunOptions) throws {
    let registrations = try benchmarks.map { benchmark in
      progress.show("preparing \(benchmark.name)")
      return Registration(benchmark.name, try benchmark.prepare())
    }
    defer { withExtendedLifetime(registrations) {} }
    let arguments = [
      "otp-bench", "--benchmark_enable_random_interleaving=true",
      "--benchmark_repetitions=\(options.repetitions)",
      "--benchmark_min_time=\(options.secondsPerRepetition)",
      // The library takes the rest of its flags from the environment, where they may be meant for another program.
      "--benchmark_filter=.", "--benchmark_list_tests=false",
      "--benchmark_report_aggregates_only=false", "--benchmark_display_aggregates_only=false",
      "--benchmark_out=\(options.json?.path ?? "")", "--benchmark_out_format=json",
    ]
    let allocations = arguments.map { strdup($0) }
    defer { for allocation in allocations { free(allocation) } }
    // The library takes its own flags out of this list.
    var pointers = allocations + [nil]
    let count = cbench_run(
      Int32(arguments.count), &pointers, options.json == nil ? 0 : 1,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, name in
        Measurement.from(context)?.progress.show(name.map { String(cString: $0) } ?? "")
      },
      { context, repetition in Measurement.from(context)?.add(repetition) })
    progress.clear()
    if count == -2, let json = options.json {
      throw BenchError("\(json.path) cannot be written: the disk may be full")
    }
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
    guard let rates = rates[name], let median = rates.median, let low = rates.quantile(0.25),
      let high = rates.quantile(0.75)
    else { return nil }
    return (high - low) / 2 / median
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
}
