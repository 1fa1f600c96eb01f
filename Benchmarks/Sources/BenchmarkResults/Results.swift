/// What one run of benchmarks measured.
package struct Results: Equatable, Sendable {
  /// Where it comes from, for messages: mostly the path of a file.
  package let source: String

  /// About the machine, the libraries and the run. Lists and tables are their JSON text, keys sorted.
  package let context: [String: String]

  /// In the order in which the file names them first.
  package let benchmarks: [BenchmarkResult]

  package init(source: String, context: [String: String], benchmarks: [BenchmarkResult]) {
    self.source = source
    self.context = context
    self.benchmarks = benchmarks
  }

  package subscript(name: String) -> BenchmarkResult? {
    benchmarks.first { $0.name == name }
  }
}

/// The repetitions of one benchmark, at least one.
package struct BenchmarkResult: Equatable, Sendable {
  /// A path, with the suffix by which Google Benchmark marks another clock than that of the thread.
  package let name: String

  /// By their index.
  package let repetitions: [Repetition]

  package init(name: String, repetitions: [Repetition]) {
    self.name = name
    self.repetitions = repetitions
  }

  /// Whether the time that counts is that on the wall: the benchmark waits for other threads or devices, or
  /// keeps its own time. Otherwise it is the processor's time, which other processes disturb less.
  package var countsRealTime: Bool { Self.countsRealTime(name) }

  /// Google Benchmark, user guide, "CPU Timers" and "Manual Timing": the suffixes of names.
  static func countsRealTime(_ name: String) -> Bool {
    ["/manual_time", "/real_time"].contains { name.hasSuffix($0) || name.contains("\($0)/") }
  }

  /// Nanoseconds that a measurement can have: a billionth to 30 years. What lies outside is a fault of whoever wrote it,
  /// and a ratio of such times could be infinite.
  package static let possibleTimes = 1e-9...1e18

  /// What counts: nanoseconds an iteration, for each repetition. All are ``possibleTimes``.
  package var times: [Double] {
    repetitions.map { countsRealTime ? $0.realTime : $0.cpuTime }
  }
}

package struct Repetition: Equatable, Sendable {
  /// Nanoseconds an iteration: finite and above zero.
  package let realTime: Double

  /// Nanoseconds an iteration of the thread that measures: finite and not below zero.
  package let cpuTime: Double
  package let iterations: Int
  package let itemsPerSecond: Double?

  /// All that is measured beside the time.
  package let counters: [String: Double]

  package init(
    realTime: Double, cpuTime: Double, iterations: Int, itemsPerSecond: Double?,
    counters: [String: Double] = [:]
  ) {
    self.realTime = realTime
    self.cpuTime = cpuTime
    self.iterations = iterations
    self.itemsPerSecond = itemsPerSecond
    self.counters = counters
  }
}

/// Why results cannot be used.
package struct ResultsError: Error, Equatable, CustomStringConvertible {
  package enum Problem: Equatable, Sendable {
    case unreadable(String)
    case notJSON(String)

    /// Another shape than that of Google Benchmark's results.
    case malformed(place: String, String)
    case noRunType(benchmark: String)
    case unknownTimeUnit(benchmark: String, unit: String)
    case impossibleTime(benchmark: String, repetition: Int)
    case duplicate(benchmark: String, repetition: Int)

    /// The benchmark itself reports that it failed.
    case failed(benchmark: String, String)
  }

  package let source: String
  package let problem: Problem

  package init(source: String, _ problem: Problem) {
    self.source = source
    self.problem = problem
  }

  package var description: String {
    let text =
      switch problem {
      case .unreadable(let reason): "cannot be read: \(reason)"
      case .notJSON(let reason): "is not JSON, or only the beginning of it: \(reason)"
      case .malformed(let place, let reason):
        "is no result of Google Benchmark: \(place): \(reason)"
      case .noRunType(let name): "does not say whether '\(name)' is a repetition or an aggregate"
      case .unknownTimeUnit(let name, let unit): "has the unknown time unit '\(unit)' for '\(name)'"
      case .impossibleTime(let name, let repetition):
        "has no time that can be for '\(name)', repetition \(repetition)"
      case .duplicate(let name, let repetition): "has '\(name)', repetition \(repetition), twice"
      case .failed(let name, let reason): "says that '\(name)' failed: \(reason)"
      }
    return "\(source) \(text)"
  }
}
