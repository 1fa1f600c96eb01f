package import BenchmarkRegistry
import CGoogleBenchmark
package import OTP
import OTPVerification

/// Filling a table with credentials, and what it and a ledger in memory then keep of the heap.
package struct TableBenchmark {
  package let algorithm: HashAlgorithm
  package let credentials: Int
  private let tellsResidentMemory: Bool

  /// - Parameter tellsResidentMemory: on Linux; then all memory that is free is returned to the system first, which
  ///   makes whatever runs next get it anew.
  package init(
    _ algorithm: HashAlgorithm, credentials: Int = 100_000, tellsResidentMemory: Bool = false
  ) {
    self.algorithm = algorithm
    self.credentials = credentials
    self.tellsResidentMemory = tellsResidentMemory
  }

  package func name(_ backend: String) -> String {
    "table/\(algorithm)/\(backend)/n\(credentials)"
  }

  /// Its counters are of a table and a ledger that knows every credential's last step: ids of 16 bytes in both,
  /// parameters, prepared keys, states. `bytes_per_credential` is what the allocator handed out. For the process,
  /// `resident_bytes_per_credential` is by how much its resident memory grew, and `peak_bytes_per_credential` what it
  /// grew by in between, when hash tables are copied to larger ones.
  package func benchmark(
    _ backend: some HMACBackend, _ backends: Backends, _ workloads: VerificationWorkloads
  ) -> Benchmark {
    let name = name(backend.information.name)
    return Benchmark(name) {
      let work = BulkVerification().with {
        $0.algorithm = algorithm
        $0.credentials = credentials
      }
      let workload = try workloads.workload(for: work)
      let resident = tellsResidentMemory ? try ResidentMemory() : nil
      let before = cbench_heap_bytes()
      let table = try workload.table(backend)
      let ledger = MemoryLedger()
      try workload.useAll(ledger)
      var counters = ["bytes_per_credential": Int(cbench_heap_bytes()) - Int(before)]
      if let growth = try resident?.growth() {
        counters["resident_bytes_per_credential"] = growth.bytes
        counters["peak_bytes_per_credential"] = growth.peak
      }
      let attempts = workload.right.first(work.batch)
      let verifier = Verifier(
        backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy(window: .one))
      let batches = attempts.batches()
      let verdicts = try waiting {
        var verdicts: [BatchVerdicts.Element] = []
        for batch in batches { verdicts += try await verifier.verify(batch, in: table) }
        return verdicts
      }
      try attempts.check(name, verdicts, by: backends.second(to: backend, algorithm))
      withExtendedLifetime(ledger) {}
      return PreparedBenchmark(
        items: credentials,
        counters: { [credentials] in counters.mapValues { Double($0) / Double(credentials) } },
        .plain { blackHole(try workload.table(backend)) })
    }
  }
}
