import BenchmarkRegistry
import OTP

/// Codes in bulk, without verification: of the backends, and of other libraries that do the same job.
struct CodeBenchmarks {
  private(set) var benchmarks: [Benchmark] = []

  /// Pairs of a key and a counter, every key in turn: all of one counter, or each with its own.
  enum Counters: String, CaseIterable {
    case shared, different

    var values: [UInt64] {
      (0..<Workload.keyCount).map { self == .shared ? Workload.step : Workload.step + UInt64($0) }
    }
  }

  /// What a number of codes take: a place for each, which it fills.
  private typealias Compute = (_ output: inout [UInt32]) throws -> Void

  init(_ backends: Backends) {
    for algorithm in HashAlgorithm.allCases {
      for counters in Counters.allCases {
        for backend in backends.supporting(algorithm) {
          add(backend, algorithm, counters, backends)
        }
        for way in IPSecMB.Way.allCases where IPSecMB.isAvailable(way) {
          add(way, algorithm, counters, backends)
        }
      }
      addOneShotHMAC(algorithm, backends)
    }
    addLiboath()
    addThreeCodes(backends)
  }

  /// The path of a benchmark.
  static func name(_ algorithm: HashAlgorithm, _ counters: Counters, _ who: String) -> String {
    "codes/\(algorithm)/\(counters)/\(who)"
  }

  private mutating func add(
    _ backend: some HMACBackend, _ algorithm: HashAlgorithm, _ counters: Counters,
    _ backends: Backends
  ) {
    let values = counters.values
    add(
      algorithm, counters, backend.information.name,
      expected: { try backends.second(to: backend, algorithm) }
    ) { secrets in
      let keyring = try backend.makeKeyring(secrets, algorithm: algorithm)
      let keys = Array(secrets.indices)
      return { output in
        var span = output.mutableSpan
        try keyring.truncatedValues(keys: keys.span, counters: values.span, into: &span)
      }
    }
  }

  private mutating func add(
    _ way: IPSecMB.Way, _ algorithm: HashAlgorithm, _ counters: Counters, _ backends: Backends
  ) {
    let values = counters.values
    add(
      algorithm, counters, "ipsec-mb/\(way)", expected: { SwiftBackend() }
    ) { secrets in
      let peer = try IPSecMB(algorithm, way, secrets)
      let keys = Array(secrets.indices)
      return { output in try peer.compute(keys, values, &output) }
    }
  }

  /// The function that most programs call, with the key each time.
  private mutating func addOneShotHMAC(_ algorithm: HashAlgorithm, _ backends: Backends) {
    let values = Counters.different.values
    guard openSSLHMACIsAvailable(algorithm) else { return }
    add(
      algorithm, .different, "openssl-hmac", expected: { SwiftBackend() }
    ) { secrets in
      let keys = secrets.map(\.copiedBytes)
      return { output in
        for (index, key) in keys.enumerated() {
          output[index] = openSSLHMAC(algorithm, key, values[index])
        }
      }
    }
  }

  /// liboath gives codes as texts, and has SHA-1 alone in its HOTP.
  private mutating func addLiboath() {
    let values = Counters.different.values
    let name = Self.name(.sha1, .different, "liboath")
    benchmarks.append(
      Benchmark(name) {
        let workload = try Workload(.sha1, by: SwiftBackend())
        let keys = workload.secrets.map(\.copiedBytes)
        let expected = try SwiftBackend().values(of: workload.secrets, .sha1, values)
          .map { workload.hotp.code(truncatedValue: $0).text }
        let codes = try zip(keys, values).map { key, value in
          try withLiboathCode(key, value, digits: workload.hotp.digits) { String(cString: $0) }
        }
        guard codes == expected else {
          throw BenchmarkFault("\(name): a second backend has other codes")
        }
        return PreparedBenchmark(
          items: keys.count,
          .plain {
            for (key, value) in zip(keys, values) {
              try withLiboathCode(key, value, digits: workload.hotp.digits) { blackHole($0) }
            }
          })
      })
  }

  /// Three codes of each of 1,000 keys, by the clock as a verification: the HMAC work of a window.
  static let threeCodesName = "codes/sha1/three/multibuffer"

  private mutating func addThreeCodes(_ backends: Backends) {
    benchmarks.append(
      Benchmark(Self.threeCodesName) {
        let secrets = Array(try Workload(.sha1, by: SwiftBackend()).secrets.prefix(1000))
        let keyring = backends.multiBuffer.makeKeyring(secrets, algorithm: .sha1)
        let keys = Array(secrets.indices)
        let steps = (0..<3).map { [UInt64](repeating: Workload.step + $0, count: keys.count) }
        for step in steps {
          guard
            try keyring.truncatedValues(keys: keys, counters: step)
              == SwiftBackend().values(of: secrets, .sha1, step)
          else { throw BenchmarkFault("\(Self.threeCodesName): a second backend has other values") }
        }
        var output = [UInt32](repeating: 0, count: keys.count)
        return PreparedBenchmark(
          items: keys.count,
          .clocked {
            for step in steps {
              var span = output.mutableSpan
              try keyring.truncatedValues(keys: keys.span, counters: step.span, into: &span)
            }
            blackHole(output)
          })
      })
  }

  /// - Parameters:
  ///   - expected: the backend whose values are the right ones.
  ///   - prepare: prepares keys.
  private mutating func add(
    _ algorithm: HashAlgorithm, _ counters: Counters, _ who: String,
    expected second: @escaping () throws -> any HMACBackend,
    _ prepare: @escaping ([Secret]) throws -> Compute
  ) {
    let name = Self.name(algorithm, counters, who)
    benchmarks.append(
      Benchmark(name) {
        let second = try second()
        let secrets = try Workload(algorithm, by: second).secrets
        let compute = try prepare(secrets)
        var output = [UInt32](repeating: 0, count: secrets.count)
        try compute(&output)
        guard try output == second.values(of: secrets, algorithm, counters.values) else {
          throw BenchmarkFault("\(name): a second backend has other values")
        }
        return PreparedBenchmark(
          items: secrets.count,
          .plain {
            try compute(&output)
            blackHole(output)
          })
      })
  }
}
