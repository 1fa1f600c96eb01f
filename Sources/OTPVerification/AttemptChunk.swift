import OTP

/// Where the credentials of a batch come from.
protocol AttemptSource: Sendable {
  /// Finds the credentials of a chunk's attempts and looks for their codes.
  func match(_ chunk: inout AttemptChunk)
}

/// A number of attempts on their way to the ledger.
struct AttemptChunk {
  /// Attempts that the ledger decides.
  private(set) var settlements: [Settlement] = []

  /// For each settlement, the attempt and the match.
  private(set) var pending: [PendingAttempt] = []

  /// Places of attempts whose window depends on a state that is not known.
  private(set) var undecided: [Int] = []

  private let batch: AttemptBatch
  private let policy: VerificationPolicy
  private let consumes: Bool
  /// The states that are known.
  private let states: [CredentialID: CredentialState]
  /// Where the verdicts of attempts go that are done without the ledger.
  private let results: BatchResults

  /// Places in the batch.
  private var places: ArraySlice<Int> = []
  private var candidates: [Candidate] = []
  private var search = WindowSearch()
  private var requests: [SearchRequest] = []
  private var owners: [Int] = []

  /// An attempt whose text is a code, and the window that it is looked for in.
  private struct Candidate {
    let place: Int
    let id: CredentialID
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
    states: [CredentialID: CredentialState], results: BatchResults
  ) {
    self.batch = batch
    self.policy = policy
    self.consumes = consumes
    self.states = states
    self.results = results
  }

  /// Begins with other attempts.
  mutating func begin(_ places: ArraySlice<Int>) {
    self.places = places
    settlements.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    undecided.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
  }

  /// Looks the credentials up.
  mutating func findCredentials(in directory: borrowing CredentialDirectory) {
    for place in places {
      let id = batch.id(of: place)
      if let credential = directory.find(id) {
        add(place, id, credential)
      } else {
        results[place] = .failure(.unknownCredential)
      }
    }
  }

  /// Takes the credential of each attempt from the same place.
  mutating func takeCredentials(_ credentials: [Credential]) {
    for place in places {
      let credential = credentials[place]
      add(place, credential.id, FoundCredential(factor: credential.factor, key: place))
    }
  }

  /// The algorithms of attempts whose codes are to be looked for.
  var algorithms: [HashAlgorithm] {
    HashAlgorithm.allCases.filter { algorithm in
      candidates.contains { $0.algorithm == algorithm }
    }
  }

  private mutating func add(_ place: Int, _ id: CredentialID, _ credential: FoundCredential) {
    switch candidate(place, id, credential) {
    case .success(let candidate?): candidates.append(candidate)
    case .success(nil): results[place] = .success(.malformed)
    case .failure(.needsState): undecided.append(place)
    case .failure(.refused(let error)): results[place] = .failure(error)
    }
  }

  private enum Obstacle: Error {
    /// The window depends on a state that is not known.
    case needsState
    case refused(OTPError)
  }

  /// - Returns: nil when the text is no code.
  private func candidate(
    _ place: Int, _ id: CredentialID, _ credential: FoundCredential
  ) -> Result<Candidate?, Obstacle> {
    let entry = batch.entries[place]
    // Ledgers count in numbers that are exact up to 2^53 seconds, some 285 million years.
    guard (0...(1 << 53)).contains(entry.time) else { return .failure(.refused(.timeOutOfRange)) }
    let parameters = credential.factor.parameters
    guard entry.digits == parameters.digits else { return .success(nil) }
    let code = OneTimeCode(value: entry.code, digits: parameters.digits)

    func candidate(
      period: Int64, expected: UInt64, steps: ClosedRange<UInt64>, basis: UInt64?? = nil
    ) -> Result<Candidate?, Obstacle> {
      .success(
        Candidate(
          place: place, id: id, algorithm: parameters.algorithm, period: period, expected: expected,
          request: SearchRequest(key: credential.key, steps: steps, code: code), basis: basis))
    }

    switch credential.factor {
    case .totp(let totp):
      let expected: UInt64
      do throws(OTPError) {
        expected = try totp.step(at: UnixTime(seconds: entry.time))
      } catch {
        return .failure(.refused(error))
      }
      var centre = expected
      if policy.driftLimit > 0 {
        guard let state = states[id] else { return .failure(.needsState) }
        let drift = policy.limited(drift: Int(state.drift))
        centre =
          drift < 0
          ? expected - min(expected, UInt64(drift.magnitude))
          : expected + min(.max - expected, UInt64(drift))
      }
      return candidate(
        period: totp.period, expected: expected, steps: policy.window.steps(around: centre))
    case .hotp(_, let firstCounter):
      guard let state = states[id] else { return .failure(.needsState) }
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

  /// Looks for the codes of the attempts with this algorithm.
  /// - Parameter highestMatches: gives, for each request, the highest step that matches.
  mutating func match(
    _ algorithm: HashAlgorithm,
    _ highestMatches: ([SearchRequest], inout WindowSearch) throws(OTPError) -> [UInt64?]
  ) {
    owners.removeAll(keepingCapacity: true)
    requests.removeAll(keepingCapacity: true)
    for (index, candidate) in candidates.enumerated() where candidate.algorithm == algorithm {
      owners.append(index)
      requests.append(candidate.request)
    }
    do throws(OTPError) {
      let steps = try highestMatches(requests, &search)
      for (owner, step) in zip(owners, steps) { settle(candidates[owner], step) }
    } catch {
      // One key that the backend refuses must not fail the others: each by itself.
      for owner in owners {
        do throws(OTPError) {
          let steps = try highestMatches([candidates[owner].request], &search)
          settle(candidates[owner], steps[0])
        } catch {
          results[candidates[owner].place] = .failure(error)
        }
      }
    }
  }

  private mutating func settle(_ candidate: Candidate, _ step: UInt64?) {
    let offset = step.map { Window.offset(of: $0, from: candidate.expected) } ?? 0
    pending.append(PendingAttempt(place: candidate.place, step: step ?? 0, offset: offset))
    let isTOTP = candidate.period > 0
    let claim: Settlement.Claim
    if let step {
      claim = .match(step: step, drift: isTOTP ? policy.drift(offset: offset) : nil)
    } else if let basis = candidate.basis {
      claim = .noMatchAfter(lastStep: basis)
    } else {
      claim = .noMatch
    }
    settlements.append(
      Settlement(
        id: candidate.id, time: UnixTime(seconds: batch.entries[candidate.place].time),
        claim: claim, consumes: consumes, throttle: policy.throttle,
        retention: isTOTP
          ? policy.retention(period: candidate.period, mayFail: step == nil) : nil))
  }
}

/// An attempt that the ledger has to decide.
struct PendingAttempt {
  let place: Int
  let step: UInt64
  let offset: Int
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
