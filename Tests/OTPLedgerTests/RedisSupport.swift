import OTP
import OTPRedis
import OTPTestSupport
import OTPVerification
import Testing

extension RedisServer {
  /// A ledger with time to spare.
  func ledger(commandTimeout: Int = 60_000) throws -> RedisLedger {
    try RedisLedger(
      .unix(path: socket), connectTimeout: commandTimeout, commandTimeout: commandTimeout)
  }

  /// Seconds that a credential's key still has; -1 for ever, -2 when there is none.
  func timeToLive(_ id: CredentialID, prefix: String = "otp:") throws -> Int {
    try #require(Int(command("TTL", prefix + String(decoding: id.bytes, as: UTF8.self))))
  }

  /// Whether a credential's key has so many seconds, given or taken those since `start`, which a busy machine makes
  /// many; when these are over it may be gone.
  func lives(
    _ id: CredentialID, seconds: Int, since start: ContinuousClock.Instant
  ) throws -> Bool {
    let left = try timeToLive(id)
    // Redis rounds to the nearest second.
    let elapsed = Int((start.duration(to: .now) / .seconds(1)).rounded(.up)) + 1
    return (seconds - elapsed...seconds).contains(left) || left == -2 && elapsed > seconds
  }
}

/// An id of letters, for commands of the tests' own.
func plainID() throws -> CredentialID {
  try CredentialID("id-\(UInt64.random(in: .min ... .max))")
}

extension Settlement {
  /// The right code of a step, used up.
  static func use(
    _ id: CredentialID, _ step: UInt64, at time: Int64 = 1, drift: Int32? = nil,
    retention: Int64? = 1_000_000
  ) -> Settlement {
    Settlement(
      id: id, time: UnixTime(seconds: time), claim: .match(step: step, drift: drift),
      throttle: .standard, retention: retention)
  }

  /// A wrong code.
  static func guess(
    _ id: CredentialID, at time: Int64 = 1, throttle: Throttle = .standard,
    retention: Int64? = 1_000_000
  ) -> Settlement {
    Settlement(
      id: id, time: UnixTime(seconds: time), claim: .noMatch, throttle: throttle,
      retention: retention)
  }
}

extension Ledger {
  /// The code of the error that settling these ends in, and how long that takes.
  func fault(
    settling group: Settlement..., sourceLocation: SourceLocation = #_sourceLocation
  ) async -> (code: OTPError.Code?, duration: Duration) {
    let start = ContinuousClock.now
    let error = await #expect(throws: OTPError.self, sourceLocation: sourceLocation) {
      try await settle(group)
    }
    return (error?.code, start.duration(to: .now))
  }

  func state(_ id: CredentialID) async throws -> CredentialState {
    try await states(of: [id])[0]
  }
}
