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
    immediateLedger = verifier.immediateLedger
    commit = verifier.commit
    self.consumes = consumes
    parallelism = verifier.parallelism
  }

  /// Attempts that are worth a task of their own.
  private static var leastShare: Int { 64 }

  func verdicts() async throws(OTPError) -> BatchVerdicts {
    let results = BatchResults(batch.count)
    // At first states are not known, and TOTP without drift needs none.
    var isSettled = false
    var queues = queues(of: try await settle(Round(), results, isSettled: &isSettled))
    do throws(OTPError) {
      while !queues.isEmpty {
        let states = try await ledger.checkedStates(of: queues.map(\.id))
        let round = Round(
          places: queues.compactMap(\.places.last),
          states: Dictionary(zip(queues.map(\.id), states)) { first, _ in first })
        let again = Set(try await settle(round, results, isSettled: &isSettled))
        for index in queues.indices {
          if let place = queues[index].places.last, !again.contains(place) {
            queues[index].places.removeLast()
          }
        }
        queues.removeAll { $0.places.isEmpty }
      }
    } catch {
      // What earlier rounds settled stands.
      guard isSettled else { throw error }
      for queue in queues { for place in queue.places { results.fail(place, error) } }
    }
    return results.verdicts
  }

  /// The attempts that are looked at together.
  private struct Round {
    /// Nil for the whole batch.
    var places: [Int]?
    var states: [CredentialID: CredentialState] = [:]
  }

  /// Attempts of one credential whose window depends on its state: each has to wait for the one before it.
  private struct Queue {
    let id: CredentialID
    /// The next one is the last.
    var places: [Int]
  }

  private func queues(of waiting: [Int]) -> [Queue] {
    var queues: [Queue] = []
    var numbers: [CredentialID: Int] = [:]
    for place in waiting.sorted(by: >) {
      let id = batch.id(of: place)
      if let number = numbers[id] {
        queues[number].places.append(place)
      } else {
        numbers[id] = queues.count
        queues.append(Queue(id: id, places: [place]))
      }
    }
    return queues
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
      let capacity = min(max(places.count, 1), AttemptChunk.capacityLimit)
      let chunk = AttemptChunk(
        capacity: capacity, entries, ids: ids, policy, states: round.states, results: results)
      places.withUnsafeBufferPointer { places in
        for start in stride(from: 0, to: places.count, by: capacity) {
          let end = min(start + capacity, places.count)
          chunk.begin(UnsafeBufferPointer(rebasing: places[start..<end]))
          source.match(chunk)
          chunk.dropFailed()
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
