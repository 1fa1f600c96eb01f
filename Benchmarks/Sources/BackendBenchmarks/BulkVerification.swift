package import BenchmarkRegistry
import CGoogleBenchmark
package import OTP
package import OTPVerification

/// Verification in bulk against a ledger in memory: what work it is.
package struct BulkVerification: Hashable {
  package var algorithm = HashAlgorithm.sha1
  package var window = Window.one

  /// Attempts in a batch.
  package var batch = 4096

  /// Credentials, whose attempts come in random order.
  package var credentials = 1000

  /// Tasks that share a batch.
  package var threads = 1

  /// Tasks that verify batches of their own at the same time, as requests of a server do.
  package var callers = 1

  /// Whether the keys come with the attempts, and are prepared for them alone; else they lie in a table.
  package var isCold = false

  package init() {}

  package func name(_ backend: String) -> String {
    "verify/\(isCold ? "cold" : "warm")/\(algorithm)/\(window.path)/\(backend)"
      + "/b\(batch)/n\(credentials)/t\(threads)" + (callers > 1 ? "/c\(callers)" : "")
  }

  /// The same with something else.
  package func with(_ change: (inout BulkVerification) -> Void) -> BulkVerification {
    var other = self
    change(&other)
    return other
  }

  /// - Parameter workloads: shared by all that are prepared in a run.
  package func benchmark(
    _ backend: some HMACBackend, _ backends: Backends, _ workloads: VerificationWorkloads
  ) -> Benchmark {
    let name = name(backend.information.name)
    return Benchmark(name) {
      let second = try backends.second(to: backend, algorithm)
      let workload = try workloads.workload(for: self)
      return isCold
        ? try prepareCold(name, backend, workload, second)
        : try prepareWarm(name, backend, workload, second)
    }
  }

  /// The same with keys in a table, and with reading the attempts' texts in each call of the body.
  package func readingBenchmark(
    _ backend: some HMACBackend, _ backends: Backends, _ workloads: VerificationWorkloads
  ) -> Benchmark {
    let name = name(backend.information.name) + "/reading"
    return Benchmark(name) {
      let workload = try workloads.workload(for: self)
      let table = try workload.table(backend)
      let second = try backends.second(to: backend, algorithm)
      return try prepare(name, workload, second) { attempts in
        let verifier = try verifier(backend)
        return Pass(attempts.submissions().map(Texts.init)) {
          try await verifier.verify(try $0.batch(), in: table)
        }
      }
    }
  }

  private func verifier<Backend: HMACBackend>(_ backend: Backend) throws -> Verifier<Backend> {
    Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy(window: window),
      parallelism: threads)
  }

  private func prepareWarm(
    _ name: String, _ backend: some HMACBackend, _ workload: VerificationWorkload,
    _ second: any HMACBackend
  ) throws -> PreparedBenchmark {
    let table = try workload.table(backend)
    return try prepare(name, workload, second) { attempts in
      let verifier = try verifier(backend)
      return Pass(attempts.batches(), callers: callers) {
        try await verifier.verify($0, in: table)
      }
    }
  }

  private func prepareCold(
    _ name: String, _ backend: some HMACBackend, _ workload: VerificationWorkload,
    _ second: any HMACBackend
  ) throws -> PreparedBenchmark {
    try prepare(name, workload, second) { attempts in
      let verifier = try verifier(backend)
      return Pass(attempts.submissions()) { try await verifier.verify($0) }
    }
  }

  /// - Parameter makePass: of a verifier with a new ledger.
  private func prepare<Batch>(
    _ name: String, _ workload: VerificationWorkload, _ second: any HMACBackend,
    _ makePass: (VerificationWorkload.Attempts) throws -> Pass<Batch>
  ) throws -> PreparedBenchmark {
    try workload.wrong.check(name, try makePass(workload.wrong).verdicts(), by: second)
    // At first codes are accepted; from then on they are replays, which cost the same.
    let attempts = workload.right.lengthened(byPercent: cbench_slowdown_percent())
    let pass = try makePass(attempts)
    try attempts.check(name, try pass.verdicts(), by: second)
    return PreparedBenchmark(
      items: workload.right.count,
      .clocked {
        guard try pass.tally().replayed == attempts.count else {
          throw BenchmarkFault("\(name): codes that were used are no replays")
        }
      })
  }
}

/// Attempts as they come to a server: codes and ids as texts, one behind the other.
private struct Texts: Sendable {
  private var bytes: [UInt8] = []
  private var attempts: [(code: Range<Int>, id: Range<Int>, time: UnixTime)] = []

  init(_ submissions: [Submission]) {
    for submission in submissions {
      let start = bytes.count
      bytes += submission.code.utf8
      let middle = bytes.count
      bytes += submission.credential.id.bytes
      attempts.append((start..<middle, middle..<bytes.count, submission.time))
    }
  }

  func batch() throws -> AttemptBatch {
    var batch = AttemptBatch()
    batch.reserveCapacity(attempts.count)
    for (code, id, time) in attempts {
      try batch.append(bytes.span.extracting(code), for: bytes.span.extracting(id), at: time)
    }
    return batch
  }
}

/// Batches that are verified one after the other, or by several callers.
private struct Pass<Batch: Sendable>: Sendable {
  private let batches: [Batch]
  private let callers: Int
  private let verify: @Sendable (Batch) async throws -> BatchVerdicts

  init(
    _ batches: [Batch], callers: Int = 1,
    _ verify: @escaping @Sendable (Batch) async throws -> BatchVerdicts
  ) {
    self.batches = batches
    self.callers = callers
    self.verify = verify
  }

  func tally() throws -> VerdictTally {
    try waiting {
      if callers == 1 { return try await tally(from: 0) }
      return try await withThrowingTaskGroup { group in
        for caller in 0..<callers { group.addTask { try await tally(from: caller) } }
        return try await group.reduce(into: VerdictTally()) { $0 += $1 }
      }
    }
  }

  /// Of the batches of one caller.
  private func tally(from caller: Int) async throws -> VerdictTally {
    var tally = VerdictTally()
    for place in stride(from: caller, to: batches.count, by: callers) {
      tally += try await verify(batches[place]).tally
    }
    return tally
  }

  func verdicts() throws -> [BatchVerdicts.Element] {
    try waiting {
      var verdicts: [BatchVerdicts.Element] = []
      for batch in batches { verdicts += try await verify(batch) }
      return verdicts
    }
  }
}

extension Window {
  /// As a part of a benchmark's name: `w0`, or `w1+1` for steps back and forward.
  package var path: String { count == 1 ? "w0" : "w\(back)+\(forward)" }
}
