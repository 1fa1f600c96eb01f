import BackendBenchmarks
import BackendChoice
import BenchmarkRegistry
import CGoogleBenchmark
import Foundation
import OTP
import Statistics

extension Command {
  static let choose = Command(
    name: "choose", summary: "Measures the backends for given work, and recommends one.",
    help: ChooseOptions.help
  ) { words in
    let options = try ChooseOptions(words)
    if let name = options.startUp {
      print(try StartUp(of: name, options.work.algorithm).line)
      return .fine
    }
    try refuseDebugBuild()
    cbench_keep_freed_memory()
    let report = try ChoiceReport(options)
    print(options.printsJSON ? try report.json : report.text)
    return .fine
  }
}

extension ChoiceReport {
  /// Measures all that is needed.
  fileprivate init(_ options: ChooseOptions) throws {
    let progress = ProgressLine()
    defer { progress.clear() }
    let backends = try Backends()
    let able = backends.supporting(options.work.algorithm)
    var work = options.work
    work.credentials = min(work.credentials, Self.mostCredentials)
    let workloads = VerificationWorkloads()
    let contenders = try able.map { backend in
      progress.show("preparing \(backend.information.name)")
      return try Contender(backend, work, backends, workloads)
    }
    let prepared = progress.seconds
    for round in 1...options.rounds {
      let each = (progress.seconds - prepared) / Double(max(round - 1, 1))
      let left = round == 1 ? "" : ", \(Int(each * Double(options.rounds - round + 1))) s left"
      progress.show("round \(round) of \(options.rounds)\(left)")
      for contender in contenders.shuffled() { try contender.measure() }
    }
    progress.show("starting processes")
    let startUps = try Self.startUps(contenders.map(\.name), work.algorithm)
    self.init(
      options: options, measuredCredentials: work.credentials,
      backends: zip(able, contenders).map { backend, contender in
        Figures(
          backend.information, contender, credentials: options.work.credentials,
          startUp: startUps[contender.name] ?? [])
      },
      unable: backends.all.map(\.information).filter {
        !$0.algorithms.contains(options.work.algorithm)
      }.map(\.name), context: RunContext(backends))
  }

  /// So many that the tables of all backends, and as much again, fit into half of the memory.
  private static var mostCredentials: Int {
    max(Int(ProcessInfo.processInfo.physicalMemory / 2 / 8192), 1)
  }

  /// The seconds to the first code, of several processes of each.
  private static func startUps(
    _ names: [String], _ algorithm: HashAlgorithm
  ) throws -> [String: [Double]] {
    var seconds: [String: [Double]] = [:]
    var values: Set<UInt32> = []
    for _ in 0..<7 {
      for name in names {
        let startUp = try StartUp(inNewProcess: name, algorithm)
        seconds[name, default: []].append(startUp.seconds)
        values.insert(startUp.value)
      }
    }
    guard values.count == 1 else { throw BenchError("backends have different first codes") }
    return seconds
  }
}

/// A backend on its way: what was measured of it so far.
final class Contender {
  let name: String
  private(set) var verification: Series
  private(set) var code: Series
  private(set) var preparation: Series

  /// Of the heap, for each credential, with all its state.
  let bytesPerCredential: Double
  let bytesPerKey: Double

  /// The bodies are those that `run` measures.
  init(
    _ backend: some HMACBackend, _ work: BulkVerification, _ backends: Backends,
    _ workloads: VerificationWorkloads
  ) throws {
    name = backend.information.name
    let table = TableBenchmark(work.algorithm, credentials: work.credentials)
    bytesPerCredential =
      try table.benchmark(backend, backends, workloads).prepare()
      .counters()["bytes_per_credential"] ?? 0
    let quick = BackendComparison(backend, work.algorithm, of: backends)
    let registry = Registry(quick.benchmarks)
    guard let code = registry[quick.codeName], let preparation = registry[quick.prepareName] else {
      throw BenchError("the quick comparison has other benchmarks")
    }
    let prepared = try preparation.prepare()
    bytesPerKey = prepared.counters()["bytes_per_key"] ?? 0
    self.preparation = try Series(prepared, seconds: 0.005)
    self.code = try Series(try code.prepare(), seconds: 0.005)
    verification = try Series(
      try work.benchmark(backend, backends, workloads).prepare(), seconds: 0.05)
  }

  /// A round.
  func measure() throws {
    try verification.measure()
    try code.measure()
    try preparation.measure()
  }
}

/// The rates of one benchmark, round by round.
struct Series {
  private let benchmark: PreparedBenchmark

  /// Calls of the body in a round.
  private let calls: Int

  /// Items per second.
  private(set) var rates: [Double] = []

  /// - Parameter seconds: that a round takes at least, about.
  init(_ benchmark: PreparedBenchmark, seconds: Double) throws {
    self.benchmark = benchmark
    try benchmark.run()
    calls = max(Int((seconds / (try benchmark.run())).rounded(.up)), 1)
  }

  mutating func measure() throws {
    // What another backend left in the caches is no part of this one's time.
    try benchmark.run()
    var seconds = 0.0
    for _ in 0..<calls { seconds += try benchmark.run() }
    rates.append(Double(calls * benchmark.items) / seconds)
  }

  /// The median of the rounds.
  var nanosecondsEach: Double { 1e9 / (rates.median ?? .nan) }
}
