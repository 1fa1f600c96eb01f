public import OTP

/// One code to look for in the window of one credential.
public struct Attempt: Sendable {
  /// The credential's key: an index into the keyring.
  public let key: Int

  /// The moving factor that the window lies around: the time step, or the HOTP counter.
  public let step: UInt64

  public let code: OneTimeCode

  public init(key: Int, step: UInt64, code: OneTimeCode) {
    self.key = key
    self.step = step
    self.code = code
  }
}

/// Where in its window a code was found.
public struct StepMatch: Hashable, Sendable {
  public let step: UInt64

  /// Steps from the expected one: negative when the code is an older one.
  public let offset: Int

  public init(step: UInt64, offset: Int) {
    self.step = step
    self.offset = offset
  }
}

/// Finds the codes of many attempts in their windows, with no state and no memory of earlier
/// attempts: whoever accepts a code must still refuse it the next time, as ``Verifier`` does.
public struct WindowMatcher<Keyring: HMACKeyring>: Sendable {
  public let keyring: Keyring
  public let hotp: HOTP
  public let window: Window

  /// - Parameter hotp: the parameters of every credential in the keyring.
  /// - Throws: `invalidConfiguration` when the keyring was made for another algorithm.
  public init(keyring: Keyring, hotp: HOTP, window: Window) throws(OTPError) {
    guard keyring.algorithm == hotp.algorithm else {
      throw OTPError(
        .invalidConfiguration,
        "a keyring for \(keyring.algorithm.name) cannot match \(hotp.algorithm.name) codes")
    }
    self.keyring = keyring
    self.hotp = hotp
    self.window = window
  }

  /// For each attempt, in order, the highest moving factor in its window that has the code.
  ///
  /// The whole window is always computed. A code with another number of digits never matches.
  ///
  /// - Throws: `invalidArgument` for a key index outside the keyring, and what the backend throws;
  ///   then there is no match for any attempt.
  public func matches(for attempts: [Attempt]) throws(OTPError) -> [StepMatch?] {
    let steps = try keyring.highestMatches(
      attempts.map { attempt in
        SearchRequest(
          key: attempt.key, steps: window.steps(around: attempt.step), code: attempt.code)
      })
    return zip(attempts, steps).map { attempt, step in
      guard let step, attempt.code.digits == hotp.digits else { return nil }
      return StepMatch(step: step, offset: Window.offset(of: step, from: attempt.step))
    }
  }
}
