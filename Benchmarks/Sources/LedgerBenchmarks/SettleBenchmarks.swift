package import BenchmarkRegistry
import OTP
import OTPOpenSSL
package import OTPVerification

/// The benchmarks that every ledger has.
package struct SettleBenchmarks: Sendable {
  /// Of the ledger.
  private let name: String
  private let ledger: any Ledger

  package init(_ name: String, _ ledger: any Ledger) {
    self.name = name
    self.ledger = ledger
  }

  private func path(_ way: String) -> String { "settle/\(name)/\(way)" }

  /// Uses every credential once.
  package func fill(_ workload: SettleWorkload) throws {
    let groups = workload.firstUses()
    try waiting { [ledger] in
      for group in groups {
        let outcomes = try await ledger.settle(group)
        try Self.check(outcomes, are: .accepted, path("fill"))
      }
    }
  }

  /// Attempts one after the other, each waiting for the one before it.
  package func one(_ workload: SettleWorkload, items: Int) -> PreparedBenchmark {
    prepared(items: items) {
      let attempts = workload.acceptances(items)
      return try waiting { [ledger] in
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(items)
        let start = ContinuousClock.now
        for attempt in attempts { outcomes += try await ledger.settle([attempt]) }
        let duration = start.duration(to: .now)
        try Self.check(outcomes, are: .accepted, path("one"))
        return duration.seconds
      }
    }
  }

  /// Attempts in groups, each settled when the one before it is.
  /// - Parameter attempts: a group, of which all have the same outcome, `expected`.
  package func groups(
    expecting expected: Outcome = .accepted, _ attempts: @escaping () -> [Settlement]
  ) -> PreparedBenchmark {
    prepared(items: Self.groupCount * SettleWorkload.groupSize) {
      let groups = (0..<Self.groupCount).map { _ in attempts() }
      return try waiting { [ledger] in
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(Self.groupCount * SettleWorkload.groupSize)
        let start = ContinuousClock.now
        for group in groups { outcomes += try await ledger.settle(group) }
        let duration = start.duration(to: .now)
        try Self.check(outcomes, are: expected, path("group"))
        return duration.seconds
      }
    }
  }

  /// Groups in a row.
  package static let groupCount = 5

  /// Single verifications that are under way at the same time, HMAC work and all.
  package func concurrent(_ workload: SettleWorkload, items: Int = 256) throws -> PreparedBenchmark
  {
    let totp = try TOTP(digits: 6, period: SettleWorkload.period)
    let verifier = Verifier(
      backend: try OpenSSLBackend(), ledger: ledger, policy: try VerificationPolicy())
    let secret = try Secret(bytes: Array(0..<20))
    return prepared(items: items) {
      let step = workload.advance()
      let time = SettleWorkload.time(of: step)
      let code = try totp.code(for: secret, at: time).text
      let credentials = workload.draw(items).map { id in
        Credential(id: id, factor: .totp(totp), secret: secret)
      }
      return try waiting {
        let start = ContinuousClock.now
        let verdicts = try await withThrowingTaskGroup { group in
          for credential in credentials {
            group.addTask { try await verifier.verify(code, for: credential, at: time) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let duration = start.duration(to: .now)
        // The next step may have the same code, and is then the one that is used up.
        guard verdicts.count == items,
          verdicts.allSatisfy({ if case .accepted = $0 { true } else { false } })
        else { throw BenchmarkFault("\(path("verify\(items)")): a right code was refused") }
        return duration.seconds
      }
    }
  }

  private func prepared(
    items: Int, _ body: @escaping () throws -> Double
  ) -> PreparedBenchmark {
    PreparedBenchmark(items: items, .timed(body))
  }

  private static func check(
    _ outcomes: [Outcome], are expected: Outcome, _ name: String
  ) throws {
    if let other = outcomes.first(where: { $0 != expected }) {
      throw BenchmarkFault("\(name): \(other) instead of \(expected)")
    }
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
