package import BenchmarkRegistry
import CGoogleBenchmark
package import OTP
import OTPVerification

/// Filling a table with credentials, and what it and a ledger in memory then keep of the heap.
package struct TableBenchmark {
  package let algorithm: HashAlgorithm
  package let credentials: Int

  package init(_ algorithm: HashAlgorithm, credentials: Int = 100_000) {
    self.algorithm = algorithm
    self.credentials = credentials
  }

  package func name(_ backend: String) -> String {
    "table/\(algorithm)/\(backend)/n\(credentials)"
  }

  /// Its counter `bytes_per_credential` is of a table and a ledger that knows every credential's last step: ids of
  /// 16 bytes in both, parameters, prepared keys, states.
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
      let before = cbench_heap_bytes()
      let table = try workload.table(backend)
      let ledger = MemoryLedger()
      try workload.useAll(ledger)
      let bytes = Double(Int(cbench_heap_bytes()) - Int(before)) / Double(credentials)
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
        items: credentials, counters: { ["bytes_per_credential": bytes] },
        .plain { blackHole(try workload.table(backend)) })
    }
  }
}
