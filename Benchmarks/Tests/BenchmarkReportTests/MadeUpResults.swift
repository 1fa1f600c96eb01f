import BenchmarkResults

/// Results as a run would have written them.
func results(
  _ benchmarks: [BenchmarkResult], source: String = "made-up.json",
  date: String = "2026-01-01T10:00:00+00:00",
  commit: String? = nil, host: String = "alpha"
) -> Results {
  var context = [
    "date": date, "host_name": host, "cpu_model": "Test Processor", "num_cpus": "2",
    "compiler": "Swift 6.3, Clang 21.0.0 (https://example.org 123)",
    "backend_openssl": "OpenSSL 3.0",
    "kernel_sha1": "avx2", "kernel_sha1_for_few": "sha",
  ]
  context["commit"] = commit
  return Results(source: source, context: context, benchmarks: benchmarks)
}

/// Repetitions with these rates, in items per second.
func benchmark(
  _ name: String, rates: [Double], counters: [String: Double] = [:]
) -> BenchmarkResult {
  BenchmarkResult(
    name: name,
    repetitions: rates.map { rate in
      // No file has an impossible time, whatever its rates are.
      let time = (1e-200...1e200).contains(1e12 / rate) ? 1e12 / rate : 1000
      return Repetition(
        realTime: time, cpuTime: time, iterations: 10, itemsPerSecond: rate, counters: counters)
    })
}

/// Nine repetitions around a rate, no two alike.
func benchmark(
  _ name: String, rate: Double, counters: [String: Double] = [:]
) -> BenchmarkResult {
  benchmark(
    name, rates: (0..<9).map { rate * (0.996 + 0.001 * Double($0)) }, counters: counters)
}
