import OTP
import OTPVerification
import Testing

/// One attempt: the state before it, what the rule must answer, and the state after it. Written by hand from
/// the rule's words, so that the implementations have something else than each other to agree with.
struct RuleRow: Sendable, CustomTestStringConvertible {
  let name: String
  let before: CredentialState
  let time: Int64
  let claim: Settlement.Claim
  let consumes: Bool
  let throttle: Throttle
  let outcome: Outcome
  let after: CredentialState

  var testDescription: String { name }

  /// - Parameter after: nil when the attempt changes nothing.
  init(
    _ name: String, _ before: CredentialState, at time: Int64, _ claim: Settlement.Claim,
    consumes: Bool = true, by throttle: Throttle = .standard, _ outcome: Outcome,
    _ after: CredentialState? = nil
  ) {
    self.name = name
    self.before = before
    self.time = time
    self.claim = claim
    self.consumes = consumes
    self.throttle = throttle
    self.outcome = outcome
    self.after = after ?? before
  }

  func settlement(of id: CredentialID) -> Settlement {
    Settlement(
      id: id, time: UnixTime(seconds: time), claim: claim, consumes: consumes, throttle: throttle,
      retention: 1_000_000)
  }
}

private func state(
  _ lastStep: UInt64? = nil, failures: UInt32 = 0, lockedUntil: Int64 = 0, drift: Int32 = 0
) -> CredentialState {
  var state = CredentialState()
  state.lastStep = lastStep
  state.failures = failures
  state.lockedUntil = lockedUntil
  state.drift = drift
  return state
}

private func step(_ step: UInt64, drift: Int32? = nil) -> Settlement.Claim {
  .match(step: step, drift: drift)
}

private func throttled(_ seconds: Int64) -> Outcome {
  .throttled(retryAt: UnixTime(seconds: seconds))
}

/// The latest time that ledgers take.
private let latest: Int64 = 1 << 53

private let middle: UInt64 = 1 << 63

func ruleRows() throws -> [RuleRow] {
  try lockRows() + stepRows() + failureRows() + basisRows()
}

/// Locked or not comes first, and a lock hides and keeps everything.
private func lockRows() throws -> [RuleRow] {
  let locked = state(7, failures: 3, lockedUntil: 1000, drift: 2)
  let forGood = state(7, failures: 3, lockedUntil: .max)
  let four = try Throttle.lockout(after: 4, seconds: 60)
  return [
    RuleRow("locked, right code", locked, at: 999, step(8), throttled(1000)),
    RuleRow("locked, right code with drift", locked, at: 999, step(8, drift: 5), throttled(1000)),
    RuleRow("locked, right code long before", locked, at: 0, step(8), throttled(1000)),
    RuleRow("locked, wrong code", locked, at: 999, .noMatch, by: four, throttled(1000)),
    RuleRow("locked, used code", locked, at: 999, step(7), throttled(1000)),
    RuleRow("locked, check", locked, at: 999, step(8), consumes: false, throttled(1000)),
    RuleRow(
      "locked, stale", locked, at: 999, .noMatchAfter(lastStep: 6), by: four, throttled(1000)),
    RuleRow(
      "locked, wrong code after the last step", locked, at: 999, .noMatchAfter(lastStep: 7),
      by: four,
      throttled(1000)),
    RuleRow(
      "lock over, right code", locked, at: 1000, step(8), .accepted, state(8, drift: 2)),
    RuleRow(
      "lock long over, right code", locked, at: latest, step(8), .accepted, state(8, drift: 2)),
    RuleRow(
      "lock over, wrong code that locks again", locked, at: 1000, .noMatch, by: four, .mismatch,
      state(7, failures: 4, lockedUntil: 1060, drift: 2)),
    RuleRow(
      "lock over, wrong code that does not lock", locked, at: 1000, .noMatch, by: .standard,
      .mismatch,
      state(7, failures: 4, drift: 2)),
    RuleRow("lock over, used code", locked, at: 1000, step(7), .replayed),
    RuleRow("lock over, check", locked, at: 1000, step(8), consumes: false, .accepted),
    RuleRow("lock over, stale", locked, at: 1000, .noMatchAfter(lastStep: 6), by: four, .stale),
    RuleRow(
      "lock of a second", state(failures: 1, lockedUntil: 1), at: 0, step(1), throttled(1)),
    RuleRow(
      "lock of a second, over", state(failures: 1, lockedUntil: 1), at: 1, step(1), .accepted,
      state(1)),
    RuleRow("locked for good, right code", forGood, at: latest, step(8), throttled(.max)),
    RuleRow("locked for good, wrong code", forGood, at: latest, .noMatch, throttled(.max)),
    RuleRow(
      "locked for good, check", forGood, at: latest, step(8), consumes: false, throttled(.max)),
    RuleRow(
      "locked almost for good", state(failures: 1, lockedUntil: .max - 1), at: latest, step(8),
      throttled(.max - 1)),
    RuleRow(
      "locked beyond the latest time", state(failures: 1, lockedUntil: latest + 1), at: latest,
      step(8), throttled(latest + 1)),
    RuleRow(
      "locked until the latest time", state(failures: 1, lockedUntil: latest), at: latest, step(8),
      .accepted, state(8)),
  ]
}

/// Only a step above the last one is accepted, in the order of unsigned numbers.
private func stepRows() throws -> [RuleRow] {
  var rows: [RuleRow] = []
  for fresh in [0, 1, 1 << 53 + 1, middle - 1, middle, .max] as [UInt64] {
    rows.append(
      RuleRow("first step \(fresh)", state(), at: 0, step(fresh), .accepted, state(fresh)))
  }
  let ordered: [(lower: UInt64, higher: UInt64)] = [
    (0, 1), (7, 8), (9, 10), (99, 100), (255, 256), (1 << 31 - 1, 1 << 31), (1 << 32 - 1, 1 << 32),
    (1 << 53, 1 << 53 + 1), (0, middle), (middle - 1, middle), (middle, middle + 1), (1, .max),
    (middle, .max), (.max - 1, .max), (0, .max),
  ]
  for (lower, higher) in ordered {
    rows += [
      RuleRow(
        "\(higher) after \(lower)", state(lower), at: 5, step(higher), .accepted, state(higher)),
      RuleRow("\(lower) after \(higher)", state(higher), at: 5, step(lower), .replayed),
      RuleRow("\(higher) again", state(higher), at: 5, step(higher), .replayed),
    ]
  }
  let counted = state(7, failures: 4, drift: 2)
  rows += [
    RuleRow("success clears failures", counted, at: 5, step(8), .accepted, state(8, drift: 2)),
    RuleRow("replay is no failure", counted, at: 5, step(7), .replayed),
    RuleRow("older step is no failure", counted, at: 5, step(1), .replayed),
    RuleRow("replay stores no drift", counted, at: 5, step(7, drift: 1), .replayed),
    RuleRow(
      "drift is stored", counted, at: 5, step(8, drift: -100), .accepted, state(8, drift: -100)),
    RuleRow(
      "drift of 100 steps", counted, at: 5, step(8, drift: 100), .accepted, state(8, drift: 100)),
    RuleRow("drift goes back to 0", counted, at: 5, step(8, drift: 0), .accepted, state(8)),
    RuleRow("check changes nothing", counted, at: 5, step(8), consumes: false, .accepted),
    RuleRow(
      "check stores no drift", counted, at: 5, step(8, drift: 1), consumes: false, .accepted),
    RuleRow("check of a used step", counted, at: 5, step(7), consumes: false, .replayed),
    RuleRow("check of an older step", counted, at: 5, step(6), consumes: false, .replayed),
    RuleRow("check of a new credential", state(), at: 5, step(8), consumes: false, .accepted),
  ]
  return rows
}

/// A wrong code is counted, and the throttle says whether it locks.
private func failureRows() throws -> [RuleRow] {
  let three = try Throttle.lockout(after: 3, seconds: 60)
  let doubling = try Throttle.exponential(factor: 2, cap: 100)
  let fourAtMost = try Throttle(.lockout(after: 3, seconds: 60), maximumFailures: 4)
  func row(
    _ name: String, _ failures: UInt32, at time: Int64 = 10, _ throttle: Throttle,
    locksUntil lockedUntil: Int64
  ) -> RuleRow {
    RuleRow(
      name, state(7, failures: failures, drift: -2), at: time, .noMatch, by: throttle, .mismatch,
      state(7, failures: failures + 1, lockedUntil: lockedUntil, drift: -2))
  }
  return [
    RuleRow(
      "first failure of a new credential", state(), at: 10, .noMatch, by: three, .mismatch,
      state(failures: 1)),
    RuleRow(
      "a wrong code is counted by a check too", state(), at: 10, .noMatch, consumes: false,
      by: three,
      .mismatch, state(failures: 1)),
    row("1 of 3", 0, three, locksUntil: 0),
    row("2 of 3", 1, three, locksUntil: 0),
    row("3 of 3", 2, three, locksUntil: 70),
    row("4 of 3", 3, three, locksUntil: 0),
    row("6 of 3", 5, three, locksUntil: 70),
    row("9 of 3", 8, three, locksUntil: 70),
    row("99 of 3", 98, three, locksUntil: 70),
    row("3 of 3 at 0", 2, at: 0, three, locksUntil: 60),
    row("3 of 3 at the latest time", 2, at: latest, three, locksUntil: latest + 60),
    row("1 of 1", 0, try .lockout(after: 1, seconds: 1), locksUntil: 11),
    row("2 of 1", 1, try .lockout(after: 1, seconds: 1), locksUntil: 11),
    row("doubling, first", 0, doubling, locksUntil: 12),
    row("doubling, second", 1, doubling, locksUntil: 14),
    row("doubling, third", 2, doubling, locksUntil: 18),
    row("doubling, sixth", 5, doubling, locksUntil: 74),
    row("doubling, capped", 6, doubling, locksUntil: 110),
    row("doubling, long capped", 98, doubling, locksUntil: 110),
    row("3 with 4 at most", 2, fourAtMost, locksUntil: 70),
    row("4 with 4 at most", 3, fourAtMost, locksUntil: .max),
    row("5 with 4 at most", 4, fourAtMost, locksUntil: .max),
    row(
      "1 with 1 at most", 0, try Throttle(.lockout(after: 1, seconds: 1), maximumFailures: 1),
      locksUntil: .max),
    row("99 with 100 at most", 98, .standard, locksUntil: 0),
    row("100 with 100 at most", 99, .standard, locksUntil: .max),
    row(
      "100 with 100 at most, doubling", 99, try .exponential(factor: 1, cap: 1), locksUntil: .max),
    row("beyond all times", 0, try .lockout(after: 1, seconds: .max), locksUntil: .max),
    row("just beyond all times", 0, try .lockout(after: 1, seconds: .max - 9), locksUntil: .max),
    row("at the end of times", 0, try .lockout(after: 1, seconds: .max - 10), locksUntil: .max),
    row(
      "before the end of times", 0, try .lockout(after: 1, seconds: .max - 11),
      locksUntil: .max - 1),
    row(
      "doubling beyond all times", 1, try .exponential(factor: .max, cap: .max), locksUntil: .max),
  ]
}

/// A window that was computed from a state is worth something with that state alone.
private func basisRows() throws -> [RuleRow] {
  let two = try Throttle.lockout(after: 2, seconds: 60)
  var rows = [
    RuleRow(
      "basis none, still none", state(), at: 10, .noMatchAfter(lastStep: nil), by: two, .mismatch,
      state(failures: 1)),
    RuleRow("basis 0, is none", state(), at: 10, .noMatchAfter(lastStep: 0), by: two, .stale),
    RuleRow("basis none, is 0", state(0), at: 10, .noMatchAfter(lastStep: nil), by: two, .stale),
    RuleRow(
      "stale counts nothing", state(8, failures: 1, drift: 1), at: 10, .noMatchAfter(lastStep: 7),
      by: two, .stale),
    RuleRow(
      "basis with failures", state(8, failures: 1, drift: 1), at: 10, .noMatchAfter(lastStep: 8),
      by: two, .mismatch, state(8, failures: 2, lockedUntil: 70, drift: 1)),
  ]
  for (basis, last) in [
    (7, 8), (8, 7), (0, 1), (middle - 1, middle), (middle, middle - 1), (0, middle), (middle, 0),
    (.max, 0), (0, .max), (.max - 1, .max), (1 << 53, 1 << 53 + 1),
  ] as [(UInt64, UInt64)] {
    rows += [
      RuleRow(
        "basis \(basis), is \(last)", state(last), at: 10, .noMatchAfter(lastStep: basis), by: two,
        .stale),
      RuleRow(
        "basis \(last), still so after \(basis)", state(last), at: 10,
        .noMatchAfter(lastStep: last), by: two,
        .mismatch, state(last, failures: 1)),
    ]
  }
  return rows
}
