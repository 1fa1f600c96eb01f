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
      for place in waiting ?? [] { results.fail(place, error) }
    }
    return results.verdicts
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
    let pending = shares.flatMap(\.pending)
    let outcomes = try await commit.settle(shares.flatMap(\.settlements))
    if immediateLedger != nil || !pending.isEmpty { isSettled = true }
    for (outcome, attempt) in zip(outcomes, pending)
    where !results.enter(outcome, at: attempt.place, step: attempt.step, offset: attempt.offset) {
      rest.append(attempt.place)
    }
    return rest
  }

  /// What one task leaves to be done.
  private struct Share {
    var settlements: [Settlement] = []
    var pending: [Pending] = []
    var undecided: [Int] = []
  }

  /// An attempt that the ledger has to decide.
  private struct Pending {
    let place: Int
    let step: UInt64
    let offset: Int
  }

  /// Looks at a part of a round's attempts. An immediate ledger settles them too.
  private func share(_ part: Int, of parts: Int, _ round: Round, _ results: BatchResults) -> Share {
    var share = Share()
    let places = places(part, of: parts, round)
    batch.withEntries { entries, ids in
      let chunk = AttemptChunk(entries, ids: ids, policy, states: round.states, results: results)
      places.withUnsafeBufferPointer { places in
        for start in stride(from: 0, to: places.count, by: AttemptChunk.capacity) {
          let end = min(start + AttemptChunk.capacity, places.count)
          chunk.begin(UnsafeBufferPointer(rebasing: places[start..<end]))
          source.match(chunk)
          if let immediateLedger {
            share.undecided += immediateLedger.settle(chunk, consumes: consumes, results)
          } else {
            collect(chunk, &share)
          }
          share.undecided += chunk.undecided
        }
      }
    }
    return share
  }

  private func collect(_ chunk: AttemptChunk, _ share: inout Share) {
    for index in 0..<chunk.candidateCount {
      let candidate = chunk[index]
      share.pending.append(
        Pending(place: candidate.place, step: candidate.match, offset: candidate.offset))
      share.settlements.append(
        Settlement(
          id: batch.id(of: candidate.place), time: chunk.time(index), claim: chunk.claim(index),
          consumes: consumes, throttle: policy.throttle,
          retention: candidate.isTOTP
            ? policy.retention(period: candidate.period, mayFail: !candidate.isMatch) : nil))
    }
  }

  /// The places of a part of the round. All attempts of one credential are in one part, in order.
  private func places(_ part: Int, of parts: Int, _ round: Round) -> [Int] {
    if parts == 1 { return round.places ?? Array(0..<batch.count) }
    return batch.withEntries { entries, ids in
      // By the top bits of the hash, as a ledger in memory chooses its shards: tasks then meet at none.
      func isOwn(_ place: Int) -> Bool {
        let hash = credentialHash(entries[place].id(in: ids))
        return hash.multipliedFullWidth(by: UInt(parts)).high == UInt(part)
      }
      if let all = round.places { return all.filter(isOwn) }
      var places: [Int] = []
      places.reserveCapacity(batch.count / parts * 5 / 4)
      for place in entries.indices where isOwn(place) { places.append(place) }
      return places
    }
  }
}
