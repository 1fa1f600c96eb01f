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

  /// Attempts that are worth a task of their own.
  private static var leastShare: Int { 64 }

  func verdicts() async throws(OTPError) -> BatchVerdicts {
    var results = BatchResults(count: 0)
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
    let shares = await shares(of: round)
    if round.places == nil, shares.count == 1 {
      results = BatchResults(shares[0].verdicts, errors: shares[0].errors)
    } else {
      if round.places == nil { results = BatchResults(count: batch.count) }
      for share in shares {
        results.enter(share.verdicts, at: share.places, errors: share.errors)
      }
    }
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

  /// Some attempts of a round and what is known of them. All attempts of one credential are in one share, in order.
  private struct Share {
    /// In the batch.
    let places: ArraySlice<Int>
    /// In the order of the places; of attempts that the ledger has to decide it is none yet.
    var verdicts: [BatchVerdicts.Entry] = []
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
  private func shares(of round: Round) async -> [Share] {
    let places = round.places ?? Array(0..<batch.count)
    let tasks = min(parallelism, places.count / Self.leastShare)
    if tasks <= 1 { return [share(places[...], round)] }
    // Smaller parts than tasks, of which each takes the next: one that starts late, since a processor has to wake up
    // for it, then holds nobody up.
    let most = UInt(min(8 * tasks, places.count / Self.leastShare))
    let parts = parts(of: places, bits: most.bitWidth - most.leadingZeroBitCount - 1)
    let taken = Atomic(0)
    let takeShares: @Sendable () -> [Share] = {
      var shares: [Share] = []
      while true {
        let part = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        if part >= parts.count { return shares }
        shares.append(share(parts[part], round))
      }
    }
    return await withTaskGroup { group in
      for _ in 1..<tasks { group.addTask(operation: takeShares) }
      var shares = takeShares()
      for await more in group { shares += more }
      return shares
    }
  }

  /// Divides attempts into a power of two of parts. All of one credential are in one part, in order.
  private func parts(of places: [Int], bits: Int) -> [ArraySlice<Int>] {
    batch.withEntries { entries, _ in
      // By the top bits of the hash, as a ledger in memory chooses its shards: tasks then meet at few.
      let shift = UInt(UInt.bitWidth - bits)
      var ends = [Int](repeating: 0, count: 1 << bits + 1)
      var sorted = [Int](repeating: 0, count: places.count)
      ends.withUnsafeMutableBufferPointer { ends in
        for place in places { ends[Int(entries[place].hash &>> shift) &+ 1] &+= 1 }
        for part in 0..<1 << bits { ends[part &+ 1] &+= ends[part] }
        sorted.withUnsafeMutableBufferPointer { sorted in
          for place in places {
            let part = Int(entries[place].hash &>> shift)
            sorted[ends[part]] = place
            ends[part] &+= 1
          }
        }
      }
      return (0..<1 << bits).map { part in sorted[(part == 0 ? 0 : ends[part - 1])..<ends[part]] }
    }
  }

  /// Looks at these attempts. An immediate ledger settles them too.
  private func share(_ places: ArraySlice<Int>, _ round: Round) -> Share {
    var share = Share(places: places)
    share.verdicts = Array(repeating: BatchVerdicts.Entry(kind: .malformed), count: places.count)
    batch.withEntries { entries, ids in
      let capacity = min(max(places.count, 1), AttemptChunk.capacityLimit)
      let chunk = AttemptChunk(capacity: capacity, entries, ids: ids, policy, states: round.states)
      places.withUnsafeBufferPointer { places in
        for start in stride(from: 0, to: places.count, by: capacity) {
          let range = start..<min(start + capacity, places.count)
          share.verdicts.withUnsafeMutableBufferPointer { verdicts in
            chunk.begin(
              UnsafeBufferPointer(rebasing: places[range]),
              verdicts: UnsafeMutableBufferPointer(rebasing: verdicts[range]))
            source.match(chunk)
            chunk.dropFailed()
            immediateLedger?.settle(chunk, consumes: consumes)
          }
          if immediateLedger == nil { collect(chunk, &share) }
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
