package import BenchmarkRegistry
import CPeers
package import LedgerBenchmarks
import OTP
import OTPGcrypt
import OTPMultiBuffer
import OTPOpenSSL
import OTPVerification

/// The kernels against other libraries that compute HMAC in bulk, and verification in bulk against the kernels.
package final class PeerSuite {
  package private(set) var benchmarks: [Benchmark] = []
  package private(set) var comparisons: [Comparison] = []
  package private(set) var notes: [String] = []

  private let multiBuffer: MultiBufferBackend
  private let openSSL: OpenSSLBackend

  /// Credentials in the large table.
  private let manyCredentials: Int

  package init(manyCredentials: Int) throws {
    self.manyCredentials = manyCredentials
    multiBuffer = try MultiBufferBackend()
    openSSL = try OpenSSLBackend()
    for choice in multiBuffer.choices {
      notes.append("\(choice.algorithm.name): \(choice.kernel), \(choice.reason)")
    }
    for algorithm in HashAlgorithm.allCases {
      try addCodes(try Workload(algorithm, by: SwiftBackend()))
    }
    try addVerification()
  }

  private func add(
    _ benchmark: Benchmark, against reference: String? = nil, target: Double? = nil
  ) {
    benchmarks.append(benchmark)
    compare(benchmark.name, against: reference, target: target)
  }

  private func compare(_ name: String, against reference: String?, target: Double? = nil) {
    comparisons.append(Comparison(name: name, reference: reference, target: target))
  }

  // MARK: Codes

  /// Pairs of a key and a counter, every key in turn: all of one counter, or each with its own.
  private enum Counters: String, CaseIterable {
    case shared, different

    var values: [UInt64] {
      (0..<Workload.keyCount).map { self == .shared ? Workload.step : Workload.step + UInt64($0) }
    }
  }

  private func addCodes(_ workload: Workload) throws {
    let algorithm = workload.hotp.algorithm
    let keys = Array(workload.secrets.indices)
    for counters in Counters.allCases {
      let values = counters.values
      let path = "codes/\(algorithm)/\(counters)"
      let expected = try SwiftBackend().makeKeyring(workload.secrets, algorithm: algorithm)
        .truncatedValues(keys: keys, counters: values)

      func add(_ backend: some HMACBackend) throws -> String {
        let keyring = try backend.makeKeyring(workload.secrets, algorithm: algorithm)
        let name = "\(path)/\(backend.information.name)"
        try check(name, keyring.truncatedValues(keys: keys, counters: values), expected)
        var output = expected
        benchmarks.append(
          Benchmark(name, items: keys.count) {
            var span = output.mutableSpan
            try keyring.truncatedValues(keys: keys.span, counters: values.span, into: &span)
            blackHole(output)
          })
        return name
      }

      let own = try add(multiBuffer)
      let evp = try add(openSSL)
      let swift = try add(SwiftBackend())
      let gcrypt = try add(GcryptBackend())
      compare(own, against: evp, target: algorithm == .sha1 ? 7 : nil)
      compare(own, against: gcrypt)
      compare(swift, against: evp, target: 1)
      for name in try addIPSecMB(path, algorithm, workload.secrets, keys, values, expected) {
        let target =
          switch (algorithm, counters) {
          case (.sha1, .shared): 2.2
          case (.sha1, .different): 1.7
          case (.sha256, _): 2.0
          case (.sha512, _): 1.3
          }
        compare(own, against: name, target: target)
      }
      if algorithm == .sha1, counters == .different { addLiboath(path, workload.secrets, own) }
    }
  }

  /// intel-ipsec-mb in each of its ways; the fastest one is the one that counts.
  private func addIPSecMB(
    _ path: String, _ algorithm: HashAlgorithm, _ secrets: [Secret], _ keys: [Int],
    _ counters: [UInt64], _ expected: [UInt32]
  ) throws -> [String] {
    var names: [String] = []
    for (way, label) in [
      (CPEERS_IPSEC_MB_AUTOMATIC, "automatic"), (CPEERS_IPSEC_MB_SSE, "sse"),
      (CPEERS_IPSEC_MB_AVX2, "avx2"), (CPEERS_IPSEC_MB_AVX512, "avx512"),
    ] {
      guard
        let peer = IPSecMB(
          cpeers_ipsec_mb_create(algorithm.peerNumber, secrets.count, way, false))
      else { continue }
      for (key, secret) in secrets.enumerated() { peer.setKey(key, secret) }
      let name = "\(path)/ipsec-mb/\(label)"
      var output = [UInt32](repeating: 0, count: keys.count)
      try peer.compute(keys, counters, &output)
      try check(name, output, expected)
      benchmarks.append(
        Benchmark(name, items: keys.count) {
          try peer.compute(keys, counters, &output)
          blackHole(output)
        })
      names.append(name)
    }
    return names
  }

  private func addLiboath(_ path: String, _ secrets: [Secret], _ own: String) {
    let name = "\(path)/liboath"
    let keys = secrets.map { secret in secret.withBytes { key in key.indices.map { key[$0] } } }
    benchmarks.append(
      Benchmark(name, items: keys.count) {
        var code = (
          CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0)
        )
        try withUnsafeMutableBytes(of: &code) { code in
          let text = code.assumingMemoryBound(to: CChar.self).baseAddress
          for (index, key) in keys.enumerated() {
            guard cpeers_liboath_hotp(key, key.count, Workload.step + UInt64(index), 6, text) else {
              throw BenchmarkFault("liboath failed")
            }
          }
        }
        blackHole(code)
      })
    compare(own, against: name, target: 20)
  }

  private func check(_ name: String, _ values: [UInt32], _ expected: [UInt32]) throws {
    guard values == expected else { throw BenchmarkFault("\(name) computes something else") }
  }

  // MARK: Verification

  private func addVerification() throws {
    let workload = try VerificationWorkload(credentialCount: 1000)
    let many = try VerificationWorkload(credentialCount: manyCredentials)
    let few = try table(workload, threads: 1)
    let threads = try table(workload, threads: 2)
    let large = try table(many, threads: 1)
    // Three codes are three steps of a window.
    let codes = try threeCodes(workload)
    add(few, against: codes, target: 0.5)
    add(large, against: few.name, target: 0.4)
    add(threads, against: few.name, target: 1.8)
    let reference = try cold(workload, openSSL)
    benchmarks.append(reference)
    add(try cold(workload, multiBuffer), against: reference.name, target: 4)
    add(try cold(workload, SwiftBackend()), against: reference.name)
  }

  /// A benchmark by the clock: the work is done on other threads than the one that waits for it.
  private func timed(_ name: String, items: Int, _ body: @escaping () throws -> Void) -> Benchmark {
    Benchmark(name) {
      PreparedBenchmark(
        items: items,
        .timed {
          let start = ContinuousClock.now
          try body()
          return (ContinuousClock.now - start) / .seconds(1)
        })
    }
  }

  private func threeCodes(_ workload: VerificationWorkload) throws -> String {
    let keyring = multiBuffer.makeKeyring(workload.secrets, algorithm: .sha1)
    let keys = Array(workload.secrets.indices)
    var output = [UInt32](repeating: 0, count: keys.count)
    let name = "codes/sha1/three/multibuffer"
    benchmarks.append(
      timed(name, items: keys.count) {
        for step in 0..<3 as Range<UInt64> {
          let counters = [UInt64](repeating: Workload.step + step, count: keys.count)
          var span = output.mutableSpan
          try keyring.truncatedValues(keys: keys.span, counters: counters.span, into: &span)
        }
        blackHole(output)
      })
    return name
  }

  private func table(_ workload: VerificationWorkload, threads: Int) throws -> Benchmark {
    let table = CredentialTable(backend: multiBuffer)
    for part in workload.credentialParts() { try table.insert(contentsOf: part) }
    let verifier = Verifier(
      backend: multiBuffer, ledger: MemoryLedger(), policy: try VerificationPolicy(),
      parallelism: threads)
    let batches = workload.batches
    let name = "verify/warm/sha1/w1+1/multibuffer/n\(workload.secrets.count)/t\(threads)"
    func verify() throws -> VerdictTally {
      try waiting {
        var tally = VerdictTally()
        for batch in batches { tally += try await verifier.verify(batch, in: table).tally }
        return tally
      }
    }
    // The first time all are accepted; from then on the codes are replays, which cost the same.
    try workload.check(name, verify(), isFirst: true)
    try workload.check(name, verify(), isFirst: false)
    return timed(name, items: workload.attemptCount) { blackHole(try verify()) }
  }

  /// Keys come with the attempts.
  private func cold(_ workload: VerificationWorkload, _ backend: some HMACBackend) throws
    -> Benchmark
  {
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy())
    let submissions = try workload.submissions()
    let name =
      "verify/cold/sha1/w1+1/\(backend.information.name)/n\(workload.secrets.count)/t1"
    let rounds = 16
    func verify() throws -> VerdictTally {
      try waiting {
        var tally = VerdictTally()
        for _ in 0..<rounds { tally += try await verifier.verify(submissions).tally }
        return tally
      }
    }
    guard try verify().accepted == submissions.count else {
      throw BenchmarkFault("\(name) refuses right codes")
    }
    return timed(name, items: rounds * submissions.count) { blackHole(try verify()) }
  }
}

/// intel-ipsec-mb's manager, with an owner.
private final class IPSecMB {
  private let peer: OpaquePointer

  init?(_ peer: OpaquePointer?) {
    guard let peer else { return nil }
    self.peer = peer
  }

  deinit {
    cpeers_ipsec_mb_destroy(peer)
  }

  func setKey(_ key: Int, _ secret: Secret) {
    secret.withBytes { bytes in
      bytes.withUnsafeBufferPointer {
        cpeers_ipsec_mb_set_key(peer, key, $0.baseAddress, $0.count)
      }
    }
  }

  func compute(_ keys: [Int], _ counters: [UInt64], _ output: inout [UInt32]) throws {
    guard cpeers_ipsec_mb_truncated_values(peer, keys, counters, &output, keys.count) else {
      throw BenchmarkFault("intel-ipsec-mb failed")
    }
  }
}

extension HashAlgorithm {
  fileprivate var peerNumber: Int32 {
    switch self {
    case .sha1: 0
    case .sha256: 1
    case .sha512: 2
    }
  }
}

extension Benchmark {
  fileprivate init(_ name: String, items: Int, _ body: @escaping () throws -> Void) {
    self.init(name) { PreparedBenchmark(items: items, .plain(body)) }
  }
}
