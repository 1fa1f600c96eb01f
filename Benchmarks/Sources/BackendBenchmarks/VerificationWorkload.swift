import BenchmarkRegistry
import OTP
import OTPVerification

/// Credentials with ids of 16 bytes and keys as long as a digest, and attempts for them in random order.
final class VerificationWorkload {
  let credentials: [Credential]

  /// Attempts with right codes.
  let right: Attempts

  /// One attempt for each of some credentials, with a digit that is wrong.
  let wrong: Attempts

  private static let time = UnixTime(seconds: Int64(Workload.step) * 30)

  private static let wrongAttempts = 256

  /// - Parameter leastAttempts: in all batches, where a batch has fewer.
  init(_ work: BulkVerification, leastAttempts: Int) throws {
    let totp = try TOTP(algorithm: work.algorithm)
    var generator = SeededGenerator(seed: 1)
    let credentials = try (0..<work.credentials).map { number in
      let digits = "\(1_000_000_000_000 + number)".dropFirst()
      return Credential(
        id: try CredentialID("user\(digits)"), factor: .totp(totp),
        secret: Secret(generatedFor: work.algorithm, using: &generator))
    }
    // Few credentials have several attempts each, of which the first is accepted and the others are replays.
    let count = max(leastAttempts / work.batch, 1) * work.batch
    let order = credentials.indices.shuffled(using: &generator).prefix(count)
    // Of each step of the window in turn. Whoever computes them, a second backend says what the verdicts must be.
    let first = Workload.step - UInt64(work.window.back)
    let codes = try SwiftBackend().values(
      of: order.map { credentials[$0].secret }, work.algorithm,
      order.map { first + UInt64($0 % work.window.count) }
    ).map { totp.hotp.code(truncatedValue: $0).text }
    func attempt(_ place: Int, _ code: (String) -> String) -> Submission {
      Submission(code(codes[place]), for: credentials[order[place]], at: Self.time)
    }
    self.credentials = credentials
    right = Attempts(
      (0..<count).map { attempt($0 % order.count) { $0 } }, batch: work.batch, window: work.window)
    wrong = Attempts(
      (0..<min(Self.wrongAttempts, order.count)).map { attempt($0, Self.misread) },
      batch: work.batch, window: work.window)
  }

  /// Another code than `code`.
  private static func misread(_ code: String) -> String {
    (code.first == "0" ? "1" : "0") + code.dropFirst()
  }

  /// All credentials in a table.
  func table<Backend: HMACBackend>(_ backend: Backend) throws -> CredentialTable<Backend> {
    let table = CredentialTable(backend: backend)
    try table.insert(contentsOf: credentials)
    return table
  }

  /// Has a ledger remember a step of every credential.
  func useAll(_ ledger: some Ledger) throws {
    // In parts, since what is allocated for them may be freed a little later.
    for start in stride(from: 0, to: credentials.count, by: 1024) {
      let part = credentials[start..<min(start + 1024, credentials.count)].map {
        Settlement(
          id: $0.id, time: Self.time, claim: .match(step: Workload.step, drift: nil),
          throttle: .standard, retention: nil)
      }
      let outcomes = try waiting { try await ledger.settle(part) }
      guard outcomes.allSatisfy({ $0 == .accepted }) else {
        throw BenchmarkFault("a new ledger refuses a step")
      }
    }
  }

  /// Attempts in batches, with what becomes of them.
  final class Attempts {
    let all: [Submission]
    private let batch: Int
    private let window: Window

    /// The verdicts of each backend that was asked.
    private var verdicts: [String: [BatchVerdicts.Element]] = [:]

    var count: Int { all.count }

    init(_ all: [Submission], batch: Int, window: Window) {
      self.all = all
      self.batch = batch
      self.window = window
    }

    /// The first of them.
    func first(_ count: Int) -> Attempts {
      Attempts(Array(all.prefix(count)), batch: batch, window: window)
    }

    /// With a share of them once more at the end, in as many batches if these are large enough.
    func lengthened(byPercent percent: Double) -> Attempts {
      func longer(_ count: Int) -> Int { Int((Double(count) * (1 + percent / 100)).rounded()) }
      return percent == 0
        ? self
        : Attempts(
          all + all.prefix(longer(count) - count), batch: longer(batch), window: window)
    }

    /// For credentials of a table.
    func batches() -> [AttemptBatch] {
      submissions().map { attempts in
        var batch = AttemptBatch()
        for submission in attempts {
          batch.append(submission.code, for: submission.credential.id, at: submission.time)
        }
        return batch
      }
    }

    /// With their credentials.
    func submissions() -> [[Submission]] {
      stride(from: 0, to: count, by: batch).map { start in
        Array(all[start..<min(start + batch, count)])
      }
    }

    /// Compares verdicts with those of a second backend, which has the keys from the attempts.
    /// - Throws: ``BenchmarkFault`` when one is different.
    func check(
      _ name: String, _ verdicts: [BatchVerdicts.Element], by backend: some HMACBackend
    ) throws {
      guard try verdicts == expected(by: backend) else {
        throw BenchmarkFault("\(name): a second backend has other verdicts")
      }
    }

    private func expected(by backend: some HMACBackend) throws -> [BatchVerdicts.Element] {
      let key = backend.information.name
      if let known = verdicts[key] { return known }
      let verifier = Verifier(
        backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy(window: window))
      let new = Array(try waiting { [all] in try await verifier.verify(all) })
      verdicts[key] = new
      return new
    }
  }
}

/// The workloads of a run, each made when it is needed first and shared by all that do the same work.
package final class VerificationWorkloads {
  private var made: [BulkVerification: VerificationWorkload] = [:]

  private let leastAttempts: Int

  /// So many attempts that a large table does not fit into a cache.
  package static let usualLeastAttempts = 65_536

  /// So many that no cache holds what a large table has of their credentials alone.
  static let largeLeastAttempts = 1 << 20

  /// - Parameter leastAttempts: in all batches of a workload, where a batch has fewer.
  package init(leastAttempts: Int = usualLeastAttempts) {
    self.leastAttempts = leastAttempts
  }

  func workload(for work: BulkVerification) throws -> VerificationWorkload {
    let key = work.with {
      $0.threads = 1
      $0.callers = 1
      $0.isCold = false
    }
    if let known = made[key] { return known }
    let new = try VerificationWorkload(work, leastAttempts: leastAttempts)
    made[key] = new
    return new
  }
}
