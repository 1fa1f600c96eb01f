import OTP

/// Where the credentials of a batch come from.
protocol AttemptSource: Sendable {
  /// Finds the credentials of a chunk's attempts and looks for their codes.
  func find(_ chunk: inout AttemptChunk)
}

/// Credentials while their attempts are looked at.
protocol CredentialSource: ~Copyable {
  func find(_ place: Int, id: CredentialID) -> Result<FoundCredential, OTPError>

  /// For each request, the highest step that matches, or why that is not known.
  func matches(
    _ requests: [SearchRequest], _ algorithm: HashAlgorithm, _ search: inout WindowSearch
  ) -> [Result<UInt64?, OTPError>]
}

struct FoundCredential {
  let factor: OTPAuthURI.Factor
  let key: Int
}

/// A number of attempts on their way to the ledger.
struct AttemptChunk {
  /// What is to be done with an attempt.
  enum Step {
    /// It is done without the ledger.
    case done(Result<Verdict, OTPError>)
    /// The ledger decides: what it is given, and the step and the offset of a match.
    case settle(Settlement, step: UInt64, offset: Int)
    /// The window depends on the credential's state, which is not known yet.
    case needsState
  }

  private let batch: AttemptBatch
  private let policy: VerificationPolicy
  private let consumes: Bool
  /// The states that are known.
  private let states: [CredentialID: CredentialState]

  /// Places in the batch.
  private(set) var places: ArraySlice<Int> = []
  private(set) var ids: [CredentialID] = []
  private(set) var steps: [Step] = []

  private var search = WindowSearch()
  private var candidates: [Candidate] = []
  private var requests: [SearchRequest] = []
  private var owners: [Int] = []

  /// An attempt whose text is a code, and the window that it is looked for in.
  private struct Candidate {
    let slot: Int
    let algorithm: HashAlgorithm
    /// Seconds of a TOTP step; 0 for HOTP.
    let period: Int64
    let expected: UInt64
    let request: SearchRequest
    /// The last step that the window was computed from, where it depends on it.
    let basis: UInt64??
  }

  init(
    _ batch: AttemptBatch, _ policy: VerificationPolicy, consumes: Bool,
    states: [CredentialID: CredentialState]
  ) {
    self.batch = batch
    self.policy = policy
    self.consumes = consumes
    self.states = states
  }

  /// Begins with other attempts.
  mutating func begin(_ places: ArraySlice<Int>) {
    self.places = places
    ids.removeAll(keepingCapacity: true)
    for place in places { ids.append(batch.id(of: place)) }
    steps.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
  }

  /// Finds out what is to be done with each attempt.
  mutating func find(in source: borrowing some CredentialSource & ~Copyable) {
    for (slot, place) in places.enumerated() {
      switch candidate(slot, place, source) {
      case .success(let candidate?):
        candidates.append(candidate)
        // Until its match is known.
        steps.append(.needsState)
      case .success(nil): steps.append(.needsState)
      case .failure(let reason): steps.append(reason.step)
      }
    }
    for algorithm in HashAlgorithm.allCases { match(algorithm, in: source) }
  }

  /// Why an attempt is done before its code is looked for.
  private struct Reason: Error {
    let step: Step

    static let malformed = Reason(step: .done(.success(.malformed)))
    static func error(_ error: OTPError) -> Reason { Reason(step: .done(.failure(error))) }
  }

  /// - Returns: nil when the window depends on a state that is not known.
  private func candidate(
    _ slot: Int, _ place: Int, _ source: borrowing some CredentialSource & ~Copyable
  ) -> Result<Candidate?, Reason> {
    let entry = batch.entries[place]
    let credential: FoundCredential
    switch source.find(place, id: ids[slot]) {
    case .success(let found): credential = found
    case .failure(let error): return .failure(.error(error))
    }
    // Ledgers count in numbers that are exact up to 2^53 seconds, some 285 million years.
    guard (0...(1 << 53)).contains(entry.time) else { return .failure(.error(.timeOutOfRange)) }
    let parameters = credential.factor.parameters
    guard entry.digits == parameters.digits else { return .failure(.malformed) }
    let code = OneTimeCode(value: entry.code, digits: parameters.digits)

    func candidate(
      period: Int64, expected: UInt64, steps: ClosedRange<UInt64>, basis: UInt64?? = nil
    ) -> Result<Candidate?, Reason> {
      .success(
        Candidate(
          slot: slot, algorithm: parameters.algorithm, period: period, expected: expected,
          request: SearchRequest(key: credential.key, steps: steps, code: code), basis: basis))
    }

    switch credential.factor {
    case .totp(let totp):
      let expected: UInt64
      do throws(OTPError) {
        expected = try totp.step(at: UnixTime(seconds: entry.time))
      } catch {
        return .failure(.error(error))
      }
      var centre = expected
      if policy.driftLimit > 0 {
        guard let state = states[ids[slot]] else { return .success(nil) }
        let drift = policy.limited(drift: Int(state.drift))
        centre =
          drift < 0
          ? expected - min(expected, UInt64(drift.magnitude))
          : expected + min(.max - expected, UInt64(drift))
      }
      return candidate(
        period: totp.period, expected: expected, steps: policy.window.steps(around: centre))
    case .hotp(_, let firstCounter):
      guard let state = states[ids[slot]] else { return .success(nil) }
      // Before the window lies the last used counter, whose code is a replay and no guess. When that was
      // the last of all, nothing follows it.
      let used = state.lastStep
      let next = nextCounter(after: used, first: firstCounter)
      let expected = next ?? .max
      let (last, overflow) = expected.addingReportingOverflow(UInt64(policy.lookAhead))
      let lowest = used.map { $0 == .max || $0 + 1 == next ? $0 : expected } ?? expected
      return candidate(
        period: 0, expected: expected, steps: lowest...(overflow ? .max : last),
        basis: .some(used))
    }
  }

  /// Looks for the codes of the candidates with this algorithm.
  private mutating func match(
    _ algorithm: HashAlgorithm, in source: borrowing some CredentialSource & ~Copyable
  ) {
    owners.removeAll(keepingCapacity: true)
    requests.removeAll(keepingCapacity: true)
    for (index, candidate) in candidates.enumerated() where candidate.algorithm == algorithm {
      owners.append(index)
      requests.append(candidate.request)
    }
    if owners.isEmpty { return }
    for (owner, match) in zip(owners, source.matches(requests, algorithm, &search)) {
      let candidate = candidates[owner]
      switch match {
      case .failure(let error): steps[candidate.slot] = .done(.failure(error))
      case .success(let step):
        let offset = step.map { Window.offset(of: $0, from: candidate.expected) } ?? 0
        steps[candidate.slot] = .settle(
          settlement(of: candidate, step, offset), step: step ?? 0, offset: offset)
      }
    }
  }

  private func settlement(
    of candidate: Candidate, _ step: UInt64?, _ offset: Int
  ) -> Settlement {
    let isTOTP = candidate.period > 0
    let claim: Settlement.Claim
    if let step {
      claim = .match(step: step, drift: isTOTP ? policy.drift(offset: offset) : nil)
    } else if let basis = candidate.basis {
      claim = .noMatchAfter(lastStep: basis)
    } else {
      claim = .noMatch
    }
    return Settlement(
      id: ids[candidate.slot],
      time: UnixTime(seconds: batch.entries[places[places.startIndex + candidate.slot]].time),
      claim: claim, consumes: consumes, throttle: policy.throttle,
      retention: isTOTP
        ? policy.retention(period: candidate.period, mayFail: step == nil) : nil)
  }
}

/// The next counter of an HOTP credential, or nil when the last one is used up.
func nextCounter(after lastStep: UInt64?, first: UInt64) -> UInt64? {
  guard let lastStep else { return first }
  return lastStep == .max ? nil : max(first, lastStep + 1)
}

extension OTPError {
  static var timeOutOfRange: OTPError {
    OTPError(.invalidTime, "the time is not in 0 ... 2^53")
  }
}
