import OTP
import OTPVerification

/// Checks that a code is accepted once, and that guesses are limited, on a real ledger.
func checkRefusedReplays(
  _ backend: some HMACBackend, _ ledger: any Ledger, _ report: inout EvidenceReport
) async {
  let scene = Scene(backend: backend, ledger: ledger)

  await report.check(.refusedReplays, "the same code in the same step") {
    try await scene.expect([
      (.code(ofStep: 0), at: 0, .accepted), (.code(ofStep: 0), at: 1, .replayed),
    ])
  }
  await report.check(.refusedReplays, "the same code in the next step") {
    try await scene.expect([
      (.code(ofStep: 0), at: 0, .accepted), (.code(ofStep: 0), at: 30, .replayed),
    ])
  }
  await report.check(.refusedReplays, "an older code after a newer one") {
    try await scene.expect([
      (.code(ofStep: 0), at: 0, .accepted), (.code(ofStep: -1), at: 1, .replayed),
      (.code(ofStep: 1), at: 30, .accepted), (.code(ofStep: 0), at: 31, .replayed),
    ])
  }
  await report.check(.refusedReplays, "the same code twice in one batch") {
    let credential = try scene.credential()
    let code = try scene.text(.code(ofStep: 0), credential)
    let verdicts = try await scene.verifier().verify(
      [code, code].map { Submission($0, for: credential, at: scene.time(0)) })
    return try verdicts.map { try Kind($0.get()) } == [.accepted, .replayed] ? nil : "another order"
  }
  await report.check(.refusedReplays, "a used HOTP counter") {
    let credential = try scene.credential(isTOTP: false)
    let code = try HOTP().code(for: credential.secret, counter: 3, using: backend).text
    let older = try HOTP().code(for: credential.secret, counter: 2, using: backend).text
    let verifier = try scene.verifier()
    let first = try await verifier.verify(code, for: credential, at: scene.time(0))
    let second = try await verifier.verify(code, for: credential, at: scene.time(0))
    let third = try await verifier.verify(older, for: credential, at: scene.time(0))
    guard Kind(first) == .accepted else { return "the first use was refused" }
    return Kind(second) == .accepted || Kind(third) == .accepted ? "accepted again" : nil
  }
  await report.check(.refusedReplays, "a burst of the same code") {
    let credential = try scene.credential()
    let code = try scene.text(.code(ofStep: 0), credential)
    let kinds = try await scene.burst([String](repeating: code, count: 32), credential)
    let accepted = kinds.filter { $0 == .accepted }.count
    return accepted == 1 ? nil : "accepted \(accepted) times"
  }
  await report.check(.refusedReplays, "a burst of guesses beyond the limit") {
    let credential = try scene.credential()
    let guesses = try scene.wrongCodes(20, credential)
    let kinds = try await scene.burst(guesses, credential)
    let judged = kinds.filter { $0 != .throttled }.count
    guard judged == scene.limit else { return "\(judged) of 20 guesses were judged" }
    let right = try await scene.verifier().verify(
      scene.text(.code(ofStep: 0), credential), for: credential, at: scene.time(1))
    return Kind(right) == .throttled ? nil : "the right code was judged during the lock"
  }
  await report.check(.refusedReplays, "a lock that ends when it is said to end") {
    try await scene.expect([
      (.wrong, at: 0, .mismatch), (.wrong, at: 0, .mismatch), (.wrong, at: 0, .mismatch),
      (.code(ofStep: 0), at: 19, .throttled), (.code(ofStep: 0), at: 20, .accepted),
    ])
  }
  await report.check(.refusedReplays, "a wrong code") {
    try await scene.expect([(.wrong, at: 0, .mismatch)])
  }
  await report.check(.refusedReplays, "codes outside the window") {
    try await scene.expect([
      (.code(ofStep: -2), at: 0, .mismatch), (.code(ofStep: 2), at: 0, .mismatch),
      (.code(ofStep: 0), at: 0, .accepted),
    ])
  }
  await report.check(.refusedReplays, "a checked code that was not redeemed stays usable, once") {
    let credential = try scene.credential()
    let code = try scene.text(.code(ofStep: 0), credential)
    let verifier = try scene.verifier()
    guard let ticket = try await verifier.check(code, for: credential, at: scene.time(0)).ticket
    else { return "the check refused it" }
    let first = try await verifier.redeem(ticket, at: scene.time(1))
    let second = try await verifier.redeem(ticket, at: scene.time(1))
    return Kind(first) == .accepted && Kind(second) == .replayed ? nil : "another order"
  }
  // The last one: nothing of these credentials stays behind.
  await report.check(.refusedReplays, "credentials that are reset") {
    let ids = scene.used.withLock { $0 }
    for id in ids { try await ledger.reset(id, .everything) }
    let states = try await ledger.states(of: ids)
    return states.allSatisfy { $0 == CredentialState() } ? nil : "a state is left"
  }
}

/// A verdict without its numbers.
private enum Kind {
  case accepted, replayed, mismatch, malformed, throttled

  init(_ verdict: Verdict) {
    switch verdict {
    case .accepted: self = .accepted
    case .replayed: self = .replayed
    case .mismatch: self = .mismatch
    case .malformed: self = .malformed
    case .throttled: self = .throttled
    }
  }
}

/// Credentials that nobody else has, and a moment at which they log in.
private struct Scene<Backend: HMACBackend> {
  let backend: Backend
  let ledger: any Ledger
  let used = UsedIDs()
  let step: UInt64 = 50_000_000

  /// Wrong codes in a row that lock, for 20 seconds.
  let limit = 3

  enum Submitted {
    /// The code of a step, counted from the current one.
    case code(ofStep: Int)
    case wrong
  }

  func time(_ seconds: Int64) -> UnixTime {
    UnixTime(seconds: Int64(step) * 30 + seconds)
  }

  /// A verifier of its own, as on a machine of its own.
  func verifier() throws -> Verifier<Backend> {
    Verifier(
      backend: backend, ledger: ledger,
      policy: try VerificationPolicy(throttle: .lockout(after: limit, seconds: 20)))
  }

  func credential(isTOTP: Bool = true) throws -> Credential {
    var generator = SystemRandomNumberGenerator()
    let id = try CredentialID(
      bytes: Array("evidence ".utf8)
        + (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    used.withLock { $0.append(id) }
    // A key whose neighbouring steps have different codes; a random one could have two that are equal.
    return Credential(
      id: id, factor: isTOTP ? .totp(try TOTP()) : .hotp(try HOTP(), counter: 0),
      secret: try Secret(bytes: rfc6238Key(.sha1)))
  }

  func text(_ submitted: Submitted, _ credential: Credential) throws -> String {
    switch submitted {
    case .code(let offset):
      try HOTP().code(
        for: credential.secret, counter: step &+ UInt64(bitPattern: Int64(offset)), using: backend
      ).text
    case .wrong: try wrongCodes(1, credential)[0]
    }
  }

  /// Codes of none of the steps around.
  func wrongCodes(_ count: Int, _ credential: Credential) throws -> [String] {
    let right = try Set((-3...3).map { try text(.code(ofStep: $0), credential) })
    let hotp = try HOTP()
    let candidates = (0..<UInt32(count + right.count)).map {
      hotp.code(truncatedValue: $0 * 1234 + 7).text
    }
    return Array(candidates.filter { !right.contains($0) }.prefix(count))
  }

  /// Submits codes of one new credential one after the other.
  /// - Returns: nil when each verdict is the expected one.
  func expect(_ events: [(Submitted, at: Int64, Kind)]) async throws -> String? {
    let credential = try credential()
    let verifier = try verifier()
    for (number, (submitted, seconds, expected)) in events.enumerated() {
      let verdict = try await verifier.verify(
        text(submitted, credential), for: credential, at: time(seconds))
      let kind = Kind(verdict)
      if kind != expected { return "attempt \(number + 1) was \(kind), not \(expected)" }
    }
    return nil
  }

  /// Submits codes of one credential at the same time, each as from a machine of its own.
  func burst(_ codes: [String], _ credential: Credential) async throws -> [Kind] {
    try await withThrowingTaskGroup { group in
      for code in codes {
        group.addTask {
          Kind(try await verifier().verify(code, for: credential, at: time(0)))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}

/// The ids that the checks took.
private final class UsedIDs: Sendable {
  private let ids = Locked<[CredentialID]>([])

  func withLock<R: Sendable>(_ body: @Sendable (inout [CredentialID]) -> R) -> R {
    ids.withLock { body(&$0) }
  }
}
