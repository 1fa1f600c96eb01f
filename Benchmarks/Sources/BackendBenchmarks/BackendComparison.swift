package import BenchmarkRegistry
import CGoogleBenchmark
package import OTP
import OTPVerification

/// What the quick comparison measures of one backend with one algorithm: on one thread, without a ledger.
package struct BackendComparison {
  /// Keys that are used in turn, and attempts in a batch.
  package static let keyCount = Workload.keyCount

  package let algorithm: HashAlgorithm
  package let backend: String
  package private(set) var benchmarks: [Benchmark] = []

  package var prepareName: String { "prepare/\(algorithm)/\(backend)" }
  package var codeName: String { "code/\(algorithm)/\(backend)" }

  /// Attempts of one time step in one batch.
  package var verifyName: String { "verify/warm/\(algorithm)/w1+1/\(backend)/t1" }

  /// Attempts of many time steps in one batch: no two share a counter.
  package var scatteredName: String { verifyName + "/scattered" }

  /// Attempts that come one at a time, as in a handler of single requests.
  package var aloneName: String { verifyName + "/alone" }

  package init(_ backend: some HMACBackend, _ algorithm: HashAlgorithm, of backends: Backends) {
    self.algorithm = algorithm
    self.backend = backend.information.name
    let subject = Shared {
      let second = try backends.second(to: backend, algorithm)
      let workload = try Workload(algorithm, by: second)
      return try Subject(backend.information.name, workload) {
        try backend.makeKeyring(workload.secrets, algorithm: algorithm)
      }
    }
    benchmarks = [
      Benchmark(prepareName) { try subject.get().preparing() },
      Benchmark(codeName) { [codeName] in try subject.get().oneCode(codeName) },
      Benchmark(verifyName) { [verifyName] in try subject.get().together(verifyName) },
      Benchmark(scatteredName) { [scatteredName] in try subject.get().scattered(scatteredName) },
      Benchmark(aloneName) { [aloneName] in try subject.get().alone(aloneName) },
    ]
  }
}

/// Prepared keys of a backend.
private struct Subject<Keyring: HMACKeyring> {
  private let makeKeyring: () throws -> Keyring
  private let workload: Workload
  private let keyring: Keyring
  private let bytesPerKey: Int
  private let matcher: WindowMatcher<Keyring>

  private var keys: Range<Int> { workload.secrets.indices }

  /// - Throws: ``BenchmarkFault`` when its values are not those of the second backend.
  init(_ name: String, _ workload: Workload, _ makeKeyring: @escaping () throws -> Keyring) throws {
    self.workload = workload
    self.makeKeyring = makeKeyring
    // What is made once, when a type or a library is used first, is no part of a key.
    _ = try makeKeyring()
    let before = cbench_heap_bytes()
    keyring = try makeKeyring()
    bytesPerKey = (Int(cbench_heap_bytes()) - Int(before)) / workload.secrets.count
    matcher = try WindowMatcher(keyring: keyring, hotp: workload.hotp, window: .one)
    let steps = keys.map { _ in Workload.step }
    guard
      try keyring.truncatedValues(keys: Array(keys), counters: steps) == workload.truncatedValues
    else { throw BenchmarkFault("\(name) has other codes than a second backend") }
  }

  func preparing() -> PreparedBenchmark {
    PreparedBenchmark(
      items: keys.count, counters: { ["bytes_per_key": Double(bytesPerKey)] },
      .plain { blackHole(try makeKeyring()) })
  }

  /// Codes one by one.
  func oneCode(_ name: String) throws -> PreparedBenchmark {
    guard try codes(of: keyring, keys) == workload.truncatedValues else {
      throw BenchmarkFault("\(name): a second backend has other codes")
    }
    return PreparedBenchmark(
      items: keys.count, .plain { [keyring, keys] in blackHole(try codes(of: keyring, keys)) })
  }

  /// Attempts of one time step in one batch.
  func together(_ name: String) throws -> PreparedBenchmark {
    try bulk(name, workload.together)
  }

  /// Attempts of many time steps in one batch.
  func scattered(_ name: String) throws -> PreparedBenchmark {
    try bulk(name, workload.scattered)
  }

  private func bulk(_ name: String, _ submitted: Workload.Submitted) throws -> PreparedBenchmark {
    try check(name, submitted, try matcher.matches(for: submitted.attempts()))
    return PreparedBenchmark(
      items: keys.count,
      .plain { [matcher] in blackHole(try matcher.matches(for: submitted.attempts())) })
  }

  /// Attempts one by one.
  func alone(_ name: String) throws -> PreparedBenchmark {
    let submitted = workload.together
    try check(name, submitted, try keys.map { try match(submitted.attempt($0), by: matcher) })
    return PreparedBenchmark(
      items: keys.count,
      .plain { [matcher, keys] in
        for key in keys { blackHole(try match(submitted.attempt(key), by: matcher)) }
      })
  }

  /// Every attempt must match where the second backend's code is from.
  private func check(
    _ name: String, _ submitted: Workload.Submitted, _ matches: [StepMatch?]
  ) throws {
    guard matches.map({ $0?.step }) == submitted.matchingSteps else {
      throw BenchmarkFault("\(name): codes of a second backend match elsewhere")
    }
  }
}

// Functions of their own, so that what is generic in them is looked up once.

private func codes(of keyring: some HMACKeyring, _ keys: Range<Int>) throws -> [UInt32] {
  var values: [UInt32] = []
  values.reserveCapacity(keys.count)
  let counter = [Workload.step]
  var output: [UInt32] = [0]
  for key in keys {
    var span = output.mutableSpan
    try keyring.truncatedValues(keys: [key].span, counters: counter.span, into: &span)
    values.append(output[0])
  }
  return values
}

private func match(
  _ attempt: Attempt, by matcher: WindowMatcher<some HMACKeyring>
) throws -> StepMatch? {
  try matcher.matches(for: [attempt])[0]
}
