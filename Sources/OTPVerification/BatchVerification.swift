import OTP
import Synchronization

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

  /// How often a window is computed at most for one attempt, whose credential's state changes meanwhile each time.
  /// Somebody else then has a right code each time; a ledger that says so for ever is broken.
  static var roundLimit: Int { 100 }

  /// Attempts that tasks share at a time: a part's are far apart among more, and not at hand in a processor's caches.
  private static var blockLimit: Int { 65_536 }

  /// Attempts that are worth a task of their own.
  private static var leastShare: Int { 64 }

  func verdicts() async throws(OTPError) -> BatchVerdicts {
    // A chunk's places are numbers of 32 bits.
    guard batch.count <= Int32.max else {
      throw OTPError(
        .invalidArgument, "a batch has at most \(Int32.max) attempts, not \(batch.count)")
    }
    var results = BatchResults(count: batch.count)
    // At first states are not known, and TOTP without drift needs none.
    var isSettled = false
    var queues = queues(of: try await settle(Round(), &results, isSettled: &isSettled))
    do throws(OTPError) {
      while !queues.isEmpty {
        let states = try await ledger.checkedStates(of: queues.map(\.id))
        let round = Round(
          places: queues.compactMap(\.places.last),
          states: Dictionary(zip(queues.map(\.id), states)) { first, _ in first })
        let again = Set(try await settle(round, &results, isSettled: &isSettled))
        for index in queues.indices {
          guard let place = queues[index].places.last else { continue }
          if again.contains(place) {
            queues[index].rounds += 1
          } else {
            queues[index].places.removeLast()
            queues[index].rounds = 0
          }
        }
        for queue in queues where queue.rounds == Self.roundLimit {
          for place in queue.places { results.fail(place, .restlessState) }
        }
        queues.removeAll { $0.places.isEmpty || $0.rounds == Self.roundLimit }
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
    /// Rounds that the next one had in vain.
    var rounds = 0
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
  /// - Parameter results: of earlier rounds, if there were any.
  /// - Returns: the attempts that need another.
  private func settle(
    _ round: Round, _ results: inout BatchResults, isSettled: inout Bool
  ) async throws(OTPError) -> [Int] {
    let shares = await shares(of: round, results.verdictMemory)
    for share in shares { results.add(share.errors) }
    var rest = shares.flatMap(\.undecided)
    if immediateLedger != nil {
      isSettled = true
      return rest
    }
    let pending = shares.flatMap(\.pending)
    let outcomes = try await commit.settle(shares.flatMap(\.settlements))
    if !pending.isEmpty { isSettled = true }
    for (outcome, attempt) in zip(outcomes, pending) {
      results.enter(outcome, at: attempt.place, step: attempt.step, offset: attempt.offset)
      if outcome == .stale { rest.append(attempt.place) }
    }
    return rest
  }

  /// What a task found out of its attempts, besides their verdicts.
  private struct Share {
    var errors: [Int: OTPError] = [:]
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

  /// Looks at a round's attempts, in several tasks if it is worth it.
  private func shares(of round: Round, _ verdicts: VerdictMemory) async -> [Share] {
    let count = round.places?.count ?? batch.count
    guard tasks(forAttempts: count) > 1 else {
      var rest = 0..<count
      let one = share(round, verdicts) {
        let part = rest.prefix(AttemptChunk.capacityLimit)
        rest = rest[part.endIndex...]
        return part.isEmpty ? nil : round.places?[part] ?? Array(part)[...]
      }
      return [one]
    }
    var shares: [Share] = []
    var parts: [ArraySlice<Int>]?
    for start in stride(from: 0, to: count, by: Self.blockLimit) {
      let end = min(start + Self.blockLimit, count)
      let next = end..<min(end + Self.blockLimit, count)
      let partsOfNext = Locked<[ArraySlice<Int>]?>(nil)
      let partsOfThis = Locked(parts)
      let taken = Atomic(0)
      // The first task that is there makes the parts, while the others wake up, and whoever comes first those of the
      // next block, so that nobody waits for them.
      let takeParts: @Sendable () -> Share = {
        let parts = partsOfThis.withLock { made in
          let parts = made ?? self.parts(of: round, start..<end)
          made = parts
          return parts
        }
        return share(round, verdicts) {
          var turn = taken.wrappingAdd(1, ordering: .relaxed).oldValue
          if turn == 0 {
            if !next.isEmpty {
              let parts = self.parts(of: round, next)
              partsOfNext.withLock { $0 = parts }
            }
            turn = taken.wrappingAdd(1, ordering: .relaxed).oldValue
          }
          return turn <= parts.count ? parts[turn - 1] : nil
        }
      }
      shares += await withTaskGroup { group in
        for _ in 1..<tasks(forAttempts: end - start) { group.addTask(operation: takeParts) }
        var shares = [takeParts()]
        for await more in group { shares.append(more) }
        return shares
      }
      parts = partsOfNext.withLock { $0 }
    }
    return shares
  }

  private func tasks(forAttempts count: Int) -> Int {
    max(min(parallelism, count / Self.leastShare), 1)
  }

  /// Divides a block of a round's attempts into smaller parts than tasks, of which each takes the next: one that
  /// starts late, since a processor has to wake up for it, then holds nobody up.
  private func parts(of round: Round, _ block: Range<Int>) -> [ArraySlice<Int>] {
    let most = min(
      max(8 * tasks(forAttempts: block.count), block.count / (2 * AttemptChunk.capacityLimit)),
      block.count / Self.leastShare)
    return if let places = round.places {
      batch.parts(most, of: places[block])
    } else {
      batch.parts(most, of: block)
    }
  }

  /// Looks at attempts, part after part. An immediate ledger settles them too.
  private func share(
    _ round: Round, _ verdicts: VerdictMemory, nextPart: () -> ArraySlice<Int>?
  ) -> Share {
    var share = Share()
    batch.withEntries { entries, ids in
      let capacity = min(max(round.places?.count ?? entries.count, 1), AttemptChunk.capacityLimit)
      let chunk = AttemptChunk(
        capacity: capacity, entries, ids: ids, policy, states: round.states,
        verdicts: verdicts.entries)
      while let places = nextPart() {
        places.withUnsafeBufferPointer { places in
          for start in stride(from: 0, to: places.count, by: capacity) {
            let range = start..<min(start + capacity, places.count)
            chunk.begin(UnsafeBufferPointer(rebasing: places[range]))
            source.match(chunk)
            chunk.dropFailed()
            immediateLedger?.settle(chunk, consumes: consumes)
            if immediateLedger == nil { collect(chunk, &share) }
          }
        }
      }
      share.undecided = chunk.undecided
      share.errors = chunk.errors
    }
    return share
  }

  private func collect(_ chunk: AttemptChunk, _ share: inout Share) {
    for index in 0..<chunk.candidateCount {
      let candidate = chunk[index]
      let place = chunk.place(index)
      share.pending.append(
        Pending(place: place, step: candidate.match, offset: candidate.offset))
      share.settlements.append(
        Settlement(
          id: batch.id(of: place), time: UnixTime(seconds: chunk.entry(index).time),
          claim: chunk.claim(index), consumes: consumes, throttle: policy.throttle,
          retention: candidate.isTOTP
            ? policy.retention(period: candidate.period, mayFail: !candidate.isMatch) : nil))
    }
  }
}
