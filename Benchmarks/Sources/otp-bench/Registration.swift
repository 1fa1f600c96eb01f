import BenchmarkRegistry
import CGoogleBenchmark

/// A prepared benchmark in the hands of Google Benchmark. It must live until the run ends.
final class Registration {
  let name: String

  /// The further figures of the last repetition.
  private(set) var counters: [String: Double] = [:]

  private let benchmark: PreparedBenchmark
  private(set) var error: (any Error)?

  init(_ name: String, _ benchmark: PreparedBenchmark) {
    self.name = name
    self.benchmark = benchmark
    let keepsTime = if case .plain = benchmark.body { false } else { true }
    cbench_register(
      name, Int64(benchmark.items), keepsTime ? 1 : 0,
      { context, seconds in
        guard let seconds, let registration = Registration.from(context) else { return 1 }
        return registration.run(&seconds.pointee) ? 0 : 1
      },
      { context, state in Registration.from(context)?.report(to: state) },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Registration? {
    context.map { Unmanaged<Registration>.fromOpaque($0).takeUnretainedValue() }
  }

  private func run(_ seconds: inout Double) -> Bool {
    do {
      switch benchmark.body {
      case .plain(let body): try body()
      case .clocked, .timed: seconds = try benchmark.run()
      }
      return true
    } catch {
      self.error = error
      return false
    }
  }

  private func report(to state: OpaquePointer?) {
    counters = benchmark.counters()
    for (name, value) in counters { cbench_set_counter(state, name, value) }
  }
}
