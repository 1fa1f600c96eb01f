package import BenchmarkRegistry
import OTP

/// The kernels against other libraries that compute HMAC in bulk, and verification in bulk against the kernels: what
/// is compared, and the ratios that this project holds itself to.
package struct PeerComparison {
  package private(set) var rows: [Comparison] = []

  init() {
    for algorithm in HashAlgorithm.allCases {
      for counters in CodeBenchmarks.Counters.allCases { addCodes(algorithm, counters) }
    }
    addVerification()
  }

  /// The benchmarks that the rows speak of.
  package var names: Set<String> {
    Set(rows.map(\.name) + rows.compactMap(\.reference))
  }

  private mutating func add(_ name: String, against reference: String?, target: Double? = nil) {
    rows.append(Comparison(name: name, reference: reference, target: target))
  }

  private mutating func addCodes(_ algorithm: HashAlgorithm, _ counters: CodeBenchmarks.Counters) {
    func name(_ who: String) -> String { CodeBenchmarks.name(algorithm, counters, who) }
    let own = name("multibuffer")
    add(own, against: name("openssl"), target: algorithm == .sha1 ? 7 : nil)
    add(own, against: name("gcrypt"))
    add(name("swift"), against: name("openssl"), target: 1)
    let target =
      switch (algorithm, counters) {
      case (.sha1, .shared): 2.2
      case (.sha1, .different): 1.7
      case (.sha256, _): 2.0
      case (.sha512, _): 1.3
      }
    // In each of its ways; the fastest one is the one that counts.
    for way in IPSecMB.Way.allCases where IPSecMB.isAvailable(way) {
      add(own, against: name("ipsec-mb/\(way)"), target: target)
    }
    if counters == .different {
      add(own, against: name("openssl-hmac"))
      if algorithm == .sha1 { add(own, against: name("liboath"), target: 20) }
    }
  }

  private mutating func addVerification() {
    let few = BulkVerification.warm.name("multibuffer")
    // Three codes are three steps of a window.
    add(few, against: CodeBenchmarks.threeCodesName, target: 0.5)
    add(BulkVerification.manyCredentials.name("multibuffer"), against: few, target: 0.4)
    // Two threads: requests with batches of their own, and one batch that is shared, large or small.
    let callers = BulkVerification.warm.with { $0.callers = 2 }
    add(callers.name("multibuffer"), against: few, target: 1.8)
    for one in [BulkVerification.largeBatch, .warm] {
      let two = one.with { $0.threads = 2 }
      add(two.name("multibuffer"), against: one.name("multibuffer"), target: 1.8)
    }
    let cold = BulkVerification.cold
    add(cold.name("multibuffer"), against: cold.name("openssl"), target: 4)
    add(cold.name("swift"), against: cold.name("openssl"))
  }
}
