import BackendBenchmarks
import BenchmarkRegistry
import BenchmarkTestSupport
import OTP
import OTPMultiBuffer
import Testing

@Suite struct CheckTests {
  /// A backend that errs must fail whatever measures it, however fast it is, before any time is taken.
  @Test func aBackendThatErrsFailsEveryBenchmark() async throws {
    try await onOwnThread {
      let benchmarks = try suite(with: WrongBackend(errs: true))
      #expect(benchmarks.count > 50)
      for benchmark in benchmarks {
        #expect(throws: BenchmarkFault.self, "\(benchmark.name)") { try benchmark.prepare() }
      }
    }
  }

  /// So it is the error that they fail of.
  @Test func theSameBackendWithoutTheErrorPasses() async throws {
    try await onOwnThread {
      for benchmark in try suite(with: WrongBackend(errs: false)) {
        let prepared = try benchmark.prepare()
        #expect(try prepared.run() > 0, "\(benchmark.name)")
      }
    }
  }

  /// The benchmarks of this backend.
  private func suite(with backend: WrongBackend) throws -> [Benchmark] {
    let backends = Backends([SwiftBackend(), backend], multiBuffer: try MultiBufferBackend())
    return try BackendSuite(backends, cores: 2).benchmarks
      .filter { $0.name.split(separator: "/").contains("wrong") }
  }
}

/// The pure Swift backend, but for the last value of each call.
private struct WrongBackend: HMACBackend {
  let errs: Bool

  var information: BackendInformation {
    BackendInformation(
      name: "wrong", library: "none", license: "none", algorithms: HashAlgorithm.allCases,
      instructionSet: "none")
  }

  func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    SwiftBackend().authenticationCode(for: message, key: key, algorithm: algorithm)
  }

  func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> WrongKeyring {
    WrongKeyring(
      right: SwiftBackend().makeKeyring(secrets, algorithm: algorithm), errs: errs)
  }
}

private struct WrongKeyring: HMACKeyring {
  var right: SwiftBackend.Keyring
  let errs: Bool

  var algorithm: HashAlgorithm { right.algorithm }
  var count: Int { right.count }

  mutating func append(_ secrets: [Secret]) throws(OTPError) { right.append(secrets) }

  mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try right.replace(key, with: secret)
  }

  func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try right.truncatedValues(keys: keys, counters: counters, into: &output)
    if errs, !keys.isEmpty { output[keys.count - 1] ^= 1 }
  }
}
