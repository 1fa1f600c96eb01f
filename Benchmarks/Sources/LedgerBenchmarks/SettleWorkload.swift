package import OTP
package import OTPVerification

/// Attempts of users whose states a ledger already holds, with new times for each group.
package final class SettleWorkload {
  package static let groupSize = 1024

  package let credentialCount: Int

  /// The ids in an order that changes with each draw.
  private var ids: [CredentialID]

  /// The step of the time now, and its first value, at which every credential was used once.
  package private(set) var step = SettleWorkload.firstStep
  package static let firstStep: UInt64 = 58_919_801

  /// Between two times lies a whole window of one step back and one forward.
  package static let stepStride: UInt64 = 3
  package static let period: Int64 = 30

  package init(credentialCount: Int) throws {
    self.credentialCount = credentialCount
    ids = try (0..<credentialCount).map { try CredentialID(Self.name($0)) }.shuffled()
  }

  /// The id of a credential, as `redis-benchmark` writes a random number: twelve digits.
  package static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }

  package static func time(of step: UInt64) -> UnixTime {
    UnixTime(seconds: Int64(step) * period)
  }

  /// Moves on to a new time, whose window has no step that was used.
  /// - Returns: its step.
  @discardableResult
  package func advance() -> UInt64 {
    step += Self.stepStride
    return step
  }

  /// The first use of every credential, group by group, in a random order.
  package func firstUses() -> [[Settlement]] {
    stride(from: 0, to: ids.count, by: Self.groupSize).map { start in
      ids[start..<min(start + Self.groupSize, ids.count)].map {
        settlement($0, step: Self.firstStep)
      }
    }
  }

  /// Other credentials, at random.
  package func draw(_ count: Int) -> ArraySlice<CredentialID> {
    for place in 0..<count { ids.swapAt(place, .random(in: place..<ids.count)) }
    return ids[..<count]
  }

  /// Attempts at a new time with its codes: all will be accepted.
  package func acceptances(_ count: Int = groupSize) -> [Settlement] {
    let step = advance()
    return draw(count).map { settlement($0, step: step) }
  }

  /// Attempts at a new time with codes that were used: all will be refused, and nothing changes.
  package func replays(_ count: Int = groupSize) -> [Settlement] {
    advance()
    return draw(count).map { settlement($0, step: Self.firstStep) }
  }

  private func settlement(_ id: CredentialID, step claimed: UInt64) -> Settlement {
    Settlement(
      id: id, time: Self.time(of: step), claim: .match(step: claimed, drift: nil),
      throttle: .standard, retention: Self.retention)
  }

  /// What a verifier asks for: a window of three steps, and a day.
  package static let retention = 3 * period + 86_400
}
