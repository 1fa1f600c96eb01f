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
}

/// Finds the codes of many attempts in their windows, with no state and no memory of earlier
/// attempts: whoever accepts a code must still refuse it the next time.
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

  /// For each attempt, in order, the highest moving factor in its window that has the code: two steps
  /// of one window can share a code, and the lower of them would leave the higher one open to a replay.
  ///
  /// The whole window is always computed. A code with another number of digits never matches.
  ///
  /// - Throws: `invalidArgument` for a key index outside the keyring, and what the backend throws;
  ///   then there is no match for any attempt.
  public func matches(for attempts: [Attempt]) throws(OTPError) -> [StepMatch?] {
    var matches = [StepMatch?](repeating: nil, count: attempts.count)
    var keys: [Int] = []
    var counters: [UInt64] = []
    var owners: [Int] = []
    let chunk = min(attempts.count, Self.chunkLength)
    keys.reserveCapacity(chunk * window.count)
    counters.reserveCapacity(chunk * window.count)
    owners.reserveCapacity(chunk * window.count)

    for start in stride(from: 0, to: attempts.count, by: Self.chunkLength) {
      let chunk = start..<min(start + Self.chunkLength, attempts.count)
      keys.removeAll(keepingCapacity: true)
      counters.removeAll(keepingCapacity: true)
      owners.removeAll(keepingCapacity: true)
      // Offset by offset, from the lowest: attempts of one time step then share their counter with
      // their neighbours, which a keyring can use, and the highest match is found last.
      for offset in -window.back...window.forward {
        for index in chunk {
          let attempt = attempts[index]
          guard let counter = attempt.step.advanced(bySteps: offset) else { continue }
          keys.append(attempt.key)
          counters.append(counter)
          owners.append(index)
        }
      }
      let values = try keyring.truncatedValues(keys: keys, counters: counters)
      for index in owners.indices {
        let attempt = attempts[owners[index]]
        guard hotp.code(truncatedValue: values[index]) == attempt.code else { continue }
        let counter = counters[index]
        matches[owners[index]] = StepMatch(
          step: counter, offset: Int(Int64(bitPattern: counter &- attempt.step)))
      }
    }
    return matches
  }

  /// Attempts per call of the keyring: their keys' states stay in the processor's cache for the whole
  /// window.
  private static var chunkLength: Int { 256 }
}

extension UInt64 {
  /// The moving factor some steps away, if there is one.
  fileprivate func advanced(bySteps steps: Int) -> UInt64? {
    let (result, overflow) =
      steps < 0
      ? subtractingReportingOverflow(UInt64(steps.magnitude))
      : addingReportingOverflow(UInt64(steps))
    return overflow ? nil : result
  }
}
