import OTP

/// One batch on its way: credentials are found and codes are looked for, in several tasks when so asked, and
/// the ledger decides.
struct BatchVerification: Sendable {
  private let batch: AttemptBatch
  private let source: any AttemptSource
  private let policy: VerificationPolicy
  private let ledger: any Ledger
  private let immediateLedger: (any ImmediateLedger)?
  private let commit: GroupCommit
  private let consumes: Bool
  private let parallelism: Int

  init(
    _ batch: AttemptBatch, _ source: any AttemptSource, _ verifier: Verifier<some HMACBackend>,
    consumes: Bool
  ) {
    self.batch = batch
    self.source = source
    policy = verifier.policy
    ledger = verifier.ledger
    immediateLedger = verifier.ledger as? any ImmediateLedger
    commit = verifier.commit
    self.consumes = consumes
    parallelism = verifier.parallelism
  }

  /// Attempts that are worth a task of their own.
  private static var leastShare: Int { 64 }

  func verdicts() async throws(OTPError) -> BatchVerdicts {
    let results = BatchResults(batch.count)
    var waiting: [Int]?
    var isSettled = false
    do throws(OTPError) {
      while waiting?.isEmpty != true {
        let round = try await nextRound(of: waiting)
        let rest = try await settle(round, results, isSettled: &isSettled)
        waiting = round.later + rest
        waiting?.sort()
      }
    } catch {
      // What earlier rounds settled stands.
      guard isSettled else { throw error }
      for place in waiting ?? [] { results[place] = .failure(error) }
    }
    return BatchVerdicts(results.all)
  }

  /// The attempts that are looked at together.
  private struct Round {
    /// Nil for the whole batch.
    var places: [Int]?
    var states: [CredentialID: CredentialState] = [:]
    /// The others: where the window depends on the state, the next attempt of the same credential has to wait for
    /// the one before it.
    var later: [Int] = []
  }

  private func nextRound(of waiting: [Int]?) async throws(OTPError) -> Round {
    // At first states are not known, and TOTP without drift needs none.
    guard let waiting else { return Round() }
    var round = Round(places: [])
    var ids: [CredentialID] = []
    var seen: Set<CredentialID> = []
    for place in waiting {
      let id = batch.id(of: place)
      if seen.insert(id).inserted {
        ids.append(id)
        round.places?.append(place)
      } else {
        round.later.append(place)
      }
    }
    let states = try await ledger.states(of: ids)
    round.states = Dictionary(zip(ids, states)) { first, _ in first }
    return round
  }

  /// Has the ledger decide a round.
  /// - Returns: the attempts that need another.
  private func settle(
    _ round: Round, _ results: BatchResults, isSettled: inout Bool
  ) async throws(OTPError) -> [Int] {
    let count = round.places?.count ?? batch.count
    let parts = min(parallelism, max(count / Self.leastShare, 1))
    var shares: [Share] = []
    if parts == 1 {
      shares.append(share(0, of: 1, round, results))
    } else {
      await withTaskGroup { group in
        for part in 0..<parts { group.addTask { share(part, of: parts, round, results) } }
        for await share in group { shares.append(share) }
      }
    }
    var rest = shares.flatMap(\.undecided)
    let settlements = shares.flatMap(\.settlements)
    let outcomes = try await commit.settle(settlements)
    if immediateLedger != nil || !settlements.isEmpty { isSettled = true }
    results.enter(outcomes, for: shares.flatMap(\.pending), stale: &rest)
    return rest
  }

  /// What one task leaves to be done.
  private struct Share {
    var settlements: [Settlement] = []
    var pending: [PendingAttempt] = []
    var undecided: [Int] = []
  }

  /// Looks at a part of a round's attempts. An immediate ledger settles them too.
  private func share(_ part: Int, of parts: Int, _ round: Round, _ results: BatchResults) -> Share {
    var share = Share()
    let places = places(part, of: parts, round)
    var chunk = AttemptChunk(
      batch, policy, consumes: consumes, states: round.states, results: results)
    for start in stride(from: 0, to: places.count, by: WindowSearch.chunkLength) {
      chunk.begin(places[start..<min(start + WindowSearch.chunkLength, places.count)])
      source.match(&chunk)
      share.undecided += chunk.undecided
      if let immediateLedger {
        results.enter(
          immediateLedger.settleImmediately(chunk.settlements), for: chunk.pending,
          stale: &share.undecided)
      } else {
        share.settlements += chunk.settlements
        share.pending += chunk.pending
      }
    }
    return share
  }

  /// The places of a part of the round. All attempts of one credential are in one part, in order.
  private func places(_ part: Int, of parts: Int, _ round: Round) -> [Int] {
    if parts == 1 { return round.places ?? Array(0..<batch.count) }
    var places: [Int] = []
    places.reserveCapacity(batch.count / parts * 5 / 4)
    if let all = round.places {
      for place in all where batch.part(of: place, count: parts) == part { places.append(place) }
    } else {
      for place in 0..<batch.count where batch.part(of: place, count: parts) == part {
        places.append(place)
      }
    }
    return places
  }
}

/// The results of a batch, which several tasks fill in.
final class BatchResults: Sendable {
  // Safe to share: each place is written by the one task that has its attempt, or by the task that started these
  // when they have ended; only that one reads.
  nonisolated(unsafe) private let results: UnsafeMutableBufferPointer<Result<Verdict, OTPError>>

  init(_ count: Int) {
    results = .allocate(capacity: count)
    results.initialize(repeating: .success(.malformed))
  }

  deinit {
    results.deinitialize()
    results.deallocate()
  }

  subscript(place: Int) -> Result<Verdict, OTPError> {
    get { results[place] }
    set { results[place] = newValue }
  }

  /// Enters what the ledger decided.
  /// - Parameter stale: gets the places of the attempts whose window has to be computed again.
  func enter(_ outcomes: [Outcome], for attempts: [PendingAttempt], stale: inout [Int]) {
    for (outcome, attempt) in zip(outcomes, attempts) {
      if outcome == .stale {
        stale.append(attempt.place)
      } else {
        results[attempt.place] = .success(
          outcome.verdict(step: attempt.step, offset: attempt.offset))
      }
    }
  }

  var all: [Result<Verdict, OTPError>] { Array(results) }
}
