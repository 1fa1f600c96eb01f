import CGoogleBenchmark
import LedgerBenchmarks
import OTP
import OTPVerification

/// A body that handles a number of items each time it is called.
final class Benchmark {
  /// A path: what, how, and with which backend.
  let name: String
  let items: Int
  private let keepsTime: Bool
  private let body: () throws -> Double
  private(set) var error: (any Error)?

  init(_ name: String, items: Int, body: @escaping () throws -> Void) {
    self.name = name
    self.items = items
    keepsTime = false
    self.body = {
      try body()
      return 0
    }
  }

  init(_ benchmark: LedgerBenchmark) {
    name = benchmark.name
    items = benchmark.items
    keepsTime = true
    body = benchmark.run
  }

  /// Hands the benchmark to the library. It must live until the run ends.
  func register() {
    cbench_register(
      name, Int64(items), keepsTime ? 1 : 0,
      { context, seconds in
        guard let context, let seconds else { return 1 }
        let benchmark = Unmanaged<Benchmark>.fromOpaque(context).takeUnretainedValue()
        do {
          seconds.pointee = try benchmark.body()
          return 0
        } catch {
          benchmark.error = error
          return 1
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// A backend with one algorithm: a row of the table.
struct Subject {
  let algorithm: HashAlgorithm
  let backend: String
  let bytesPerKey: Int
  let benchmarks: [Benchmark]

  var prepareName: String { "prepare/\(algorithm)/\(backend)" }
  var codeName: String { "code/\(algorithm)/\(backend)" }
  var verifyName: String { Self.verifyName(algorithm, backend) }

  static func verifyName(_ algorithm: HashAlgorithm, _ backend: String) -> String {
    "verify/warm/\(algorithm)/w1+1/\(backend)/t1"
  }

  /// Attempts that come one at a time, as in a handler of single requests.
  var aloneName: String { Self.aloneName(algorithm, backend) }

  /// Attempts of many time steps in one batch: no two share a counter.
  var scatteredName: String { Self.scatteredName(algorithm, backend) }

  static func scatteredName(_ algorithm: HashAlgorithm, _ backend: String) -> String {
    verifyName(algorithm, backend) + "/scattered"
  }

  static func aloneName(_ algorithm: HashAlgorithm, _ backend: String) -> String {
    verifyName(algorithm, backend) + "/alone"
  }

  init(_ backend: some HMACBackend, _ workload: Workload) throws {
    let algorithm = workload.hotp.algorithm
    let secrets = workload.secrets
    let before = cbench_heap_bytes()
    let keyring = try backend.makeKeyring(secrets, algorithm: algorithm)
    bytesPerKey = (Int(cbench_heap_bytes()) - Int(before)) / secrets.count
    let name = backend.information.name
    self.algorithm = algorithm
    self.backend = name

    let matcher = try WindowMatcher(keyring: keyring, hotp: workload.hotp, window: .one)
    func attempt(_ key: Int, _ text: String) throws -> Attempt {
      Attempt(
        key: key, step: Workload.step, code: try OneTimeCode(text, digits: workload.hotp.digits))
    }
    func verify() throws -> [StepMatch?] {
      try matcher.matches(for: workload.codeTexts.enumerated().map(attempt))
    }
    // The workload's codes come from the pure Swift backend, so this is a check against a second one.
    for (index, match) in try verify().enumerated()
    where match?.step != Workload.matchingStep(index) {
      throw OTPError(.backendFailure, "\(name) disagrees on \(algorithm), attempt \(index)")
    }

    let keys = Array(secrets.indices)
    benchmarks = [
      Benchmark("prepare/\(algorithm)/\(name)", items: secrets.count) {
        blackHole(try backend.makeKeyring(secrets, algorithm: algorithm))
      },
      Benchmark("code/\(algorithm)/\(name)", items: keys.count) {
        var output: [UInt32] = [0]
        let counter = [Workload.step]
        for key in keys {
          var span = output.mutableSpan
          try keyring.truncatedValues(keys: [key].span, counters: counter.span, into: &span)
        }
        blackHole(output)
      },
      Benchmark(Self.verifyName(algorithm, name), items: keys.count) {
        blackHole(try verify())
      },
      Benchmark(Self.scatteredName(algorithm, name), items: keys.count) {
        let attempts = try workload.codeTexts.enumerated().map { key, text in
          Attempt(
            key: key, step: Workload.scatteredStep(key),
            code: try OneTimeCode(text, digits: workload.hotp.digits))
        }
        blackHole(try matcher.matches(for: attempts))
      },
      Benchmark(Self.aloneName(algorithm, name), items: keys.count) {
        for (key, text) in workload.codeTexts.enumerated() {
          blackHole(try matcher.matches(for: [attempt(key, text)]))
        }
      },
    ]
  }
}

/// Keeps the optimizer from dropping the work that made `value`.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}
