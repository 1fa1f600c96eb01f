import BenchmarkRegistry
import OTP
import OTPVerification

/// Attempts that come singly, as requests do, each with a call of its own.
struct SingleVerification {
  let algorithm: HashAlgorithm

  /// One after the other, with the time of each.
  func latencyName(_ backend: String) -> String {
    "latency/\(algorithm)/\(Window.one.path)/\(backend)"
  }

  /// Many that are under way at the same time.
  func concurrentName(_ backend: String) -> String {
    "verify/concurrent/\(algorithm)/\(Window.one.path)/\(backend)/c\(Self.tasks)"
  }

  /// Tasks at the same time.
  static let tasks = 256

  /// Attempts one after the other in a call of the body.
  private static let attempts = 4096

  func latency(
    _ backend: some HMACBackend, _ backends: Backends, _ workloads: VerificationWorkloads
  ) -> Benchmark {
    let name = latencyName(backend.information.name)
    return Benchmark(name) {
      let calls = try Calls(name, algorithm, Self.attempts, backend, backends, workloads)
      let recorder = LatencyRecorder()
      return PreparedBenchmark(
        items: calls.count, counters: recorder.takePercentiles,
        .timed {
          let nanoseconds = try waiting { try await calls.timeEach() }
          recorder.add(nanoseconds)
          return Double(nanoseconds.reduce(0) { $0 + UInt64($1) }) / 1e9
        })
    }
  }

  func concurrent(
    _ backend: some HMACBackend, _ backends: Backends, _ workloads: VerificationWorkloads
  ) -> Benchmark {
    let name = concurrentName(backend.information.name)
    return Benchmark(name) {
      let calls = try Calls(name, algorithm, Self.tasks, backend, backends, workloads)
      return PreparedBenchmark(
        items: calls.count, .clocked { try waiting { try await calls.makeAllAtOnce() } })
    }
  }
}

/// Single calls of a verifier, each of a code that was used.
private struct Calls<Backend: HMACBackend>: Sendable {
  private let verifier: Verifier<Backend>
  private let table: CredentialTable<Backend>
  private let attempts: [Submission]
  private let name: String

  var count: Int { attempts.count }

  /// - Throws: ``BenchmarkFault`` when the first verdicts are not those of a second backend.
  init(
    _ name: String, _ algorithm: HashAlgorithm, _ count: Int, _ backend: Backend,
    _ backends: Backends, _ workloads: VerificationWorkloads
  ) throws {
    let work = BulkVerification().with { $0.algorithm = algorithm }
    let workload = try workloads.workload(for: work)
    verifier = Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy(window: work.window))
    table = try workload.table(backend)
    let first = workload.right.first(count)
    attempts = first.all
    self.name = name
    let verdicts = try waiting { [verifier, table, attempts] in
      var verdicts: [BatchVerdicts.Element] = []
      for attempt in attempts {
        verdicts.append(
          .success(
            try await verifier.verify(
              attempt.code, for: attempt.credential.id, in: table, at: attempt.time)))
      }
      return verdicts
    }
    try first.check(name, verdicts, by: backends.second(to: backend, algorithm))
  }

  private func verify(_ attempt: Submission) async throws {
    let verdict = try await verifier.verify(
      attempt.code, for: attempt.credential.id, in: table, at: attempt.time)
    guard verdict == .replayed else {
      throw BenchmarkFault("\(name): a code that was used is no replay")
    }
  }

  /// One after the other.
  /// - Returns: the nanoseconds of each.
  func timeEach() async throws -> [UInt32] {
    var nanoseconds: [UInt32] = []
    nanoseconds.reserveCapacity(attempts.count)
    for attempt in attempts {
      let start = ContinuousClock.now
      try await verify(attempt)
      nanoseconds.append(UInt32(clamping: Int((ContinuousClock.now - start) / .nanoseconds(1))))
    }
    return nanoseconds
  }

  func makeAllAtOnce() async throws {
    try await withThrowingTaskGroup { group in
      for attempt in attempts { group.addTask { try await verify(attempt) } }
      try await group.waitForAll()
    }
  }
}
