import OTP
import OTPVerification

/// A group as the function `settle` takes it: an array for each part of an attempt.
func settleParameters(_ group: [Settlement]) -> Parameters {
  // Attempts of one verifier have one throttle, which is not looked for each time.
  var throttles: [Throttle: Int32] = [:]
  var delays: [Int64] = []
  var latest: (throttle: Throttle, number: Int32)?
  let throttleNumbers = group.map { settlement in
    if let latest, latest.throttle == settlement.throttle { return latest.number }
    let number = throttles[settlement.throttle] ?? Int32(throttles.count)
    if throttles.updateValue(number, forKey: settlement.throttle) == nil {
      delays += settlement.throttle.delays
    }
    latest = (settlement.throttle, number)
    return number
  }
  // An attempt takes 62 bytes and its id.
  var parameters = Parameters(capacity: 1024 + group.count * 96)
  parameters.append(array: group.lazy.map(\.id.bytes))
  parameters.append(array: group.lazy.map(\.time.seconds))
  parameters.append(array: group.lazy.map(\.claimNumber))
  parameters.append(array: group.lazy.map(\.step))
  parameters.append(array: group.lazy.map(\.drift))
  parameters.append(array: throttleNumbers.lazy.map { $0 })
  parameters.append(array: delays.lazy.map { $0 })
  parameters.append(array: group.lazy.map(\.end))
  return parameters
}

extension Settlement {
  fileprivate var claimNumber: Int16 {
    switch claim {
    case .match: (consumes ? Schema.Claim.match : .check).rawValue
    case .noMatch: Schema.Claim.noMatch.rawValue
    case .noMatchAfter: Schema.Claim.noMatchAfter.rawValue
    }
  }

  /// The step that is claimed, or the last one that the window was computed from.
  fileprivate var step: Int64? {
    switch claim {
    case .match(let step, _): step.signedOrder
    case .noMatch: nil
    case .noMatchAfter(let step): step?.signedOrder
    }
  }

  fileprivate var drift: Int32? {
    if case .match(_, let drift) = claim { drift } else { nil }
  }

  /// Unix seconds after which the state need not be kept.
  fileprivate var end: Int64 {
    guard let retention else { return .max }
    let (end, overflow) = time.seconds.addingReportingOverflow(retention)
    return overflow ? .max : end
  }
}

extension Throttle {
  /// Seconds of the lock after each number of failures from 1 on: a lock that begins at 0 ends then.
  fileprivate var delays: [Int64] {
    (1...UInt32(Schema.delaysPerThrottle)).map { failures in
      lockEnd(afterFailures: failures, at: UnixTime(seconds: 0))
    }
  }
}

extension Outcome {
  /// The outcome that the function `settle` means, or nil for none that it knows.
  init?(stored value: Int64) {
    switch Schema.Outcome(rawValue: value) {
    case .accepted: self = .accepted
    case .replayed: self = .replayed
    case .mismatch: self = .mismatch
    case .stale: self = .stale
    case nil where value >= 0: self = .throttled(retryAt: UnixTime(seconds: value))
    case nil: return nil
    }
  }
}
