import OTP

/// Where the credentials of a batch come from.
protocol AttemptSource: Sendable {
  /// Finds the credentials of a chunk's attempts and looks for their codes.
  func match(_ chunk: AttemptChunk)
}

/// Some attempts on their way to the ledger, in memory that is used again for the next ones.
///
/// What is known of them lies in plain arrays without references, so that nothing is allocated or counted for an
/// attempt.
final class AttemptChunk {
  /// Attempts at most, in any chunk. Their keys' states stay in the processor's cache for the whole window, and a
  /// ledger in shards finds several of them for each.
  static let capacityLimit = 1024

  /// An attempt whose text is a code, and the window that it is looked for in.
  struct Candidate: BitwiseCopyable {
    /// The attempt's, in the batch.
    let place: Int32
    /// Steps after the lowest.
    let width: Int32
    /// The key: an index into a keyring of the algorithm.
    var key: Int
    let expected: UInt64
    let lowest: UInt64
    /// Seconds of a TOTP step; 0 for HOTP, whose window depends on the last counter.
    let period: Int64
    /// The last step that the window was computed from; for HOTP alone.
    let basis: UInt64
    var match: UInt64 = 0
    let code: UInt32
    let digits: UInt8
    let algorithm: UInt8
    let hasBasis: Bool
    var isMatch = false
    var hasFailed = false

    var isTOTP: Bool { period > 0 }

    /// Steps from the expected one to the one that matched; 0 when none did.
    var offset: Int { isMatch ? Window.offset(of: match, from: expected) : 0 }
  }

  let policy: VerificationPolicy
  private let entries: UnsafeBufferPointer<AttemptBatch.Entry>
  private let ids: UnsafeRawBufferPointer
  /// Of the batch's attempts.
  private let verdicts: UnsafeMutableBufferPointer<BatchVerdicts.Entry>
  /// The states that are known.
  private let states: [CredentialID: CredentialState]

  /// Places in the batch.
  private var places = UnsafeBufferPointer<Int>(start: nil, count: 0)
  private let capacity: Int
  private(set) var candidateCount = 0
  private let candidates: UnsafeMutablePointer<Candidate>
  private let hashes: UnsafeMutablePointer<UInt>
  private let members: UnsafeMutablePointer<Int>
  private let numbers: UnsafeMutablePointer<Int>
  private let locations: UnsafeMutablePointer<UInt64>
  /// What was read only to have it at hand.
  var touched: UInt8 = 0

  /// Windows that were used last, each in the place that the number of its parameters has in the low bits.
  private let windows: UnsafeMutablePointer<StepWindow>
  private static let windowCount = 8

  /// Places of attempts whose window depends on a state that is not known, or on one that has changed.
  private(set) var undecided: [Int] = []

  /// Errors of attempts, by their places.
  private(set) var errors: [Int: OTPError] = [:]

  private let pairCapacity: Int
  private let keys: UnsafeMutablePointer<Int>
  private let counters: UnsafeMutablePointer<UInt64>
  private let owners: UnsafeMutablePointer<Int32>
  private let values: UnsafeMutablePointer<UInt32>

  /// - Parameters:
  ///   - capacity: attempts at most, 1 ... ``capacityLimit``: an attempt alone needs little memory.
  ///   - entries: of the batch, lent for the life of this object.
  ///   - ids: the bytes of all ids of the batch, lent as well.
  ///   - verdicts: of all attempts of the batch, lent as well: those of its own attempts are written.
  init(
    capacity: Int, _ entries: UnsafeBufferPointer<AttemptBatch.Entry>, ids: UnsafeRawBufferPointer,
    _ policy: VerificationPolicy, states: [CredentialID: CredentialState],
    verdicts: UnsafeMutableBufferPointer<BatchVerdicts.Entry>
  ) {
    self.entries = entries
    self.ids = ids
    self.policy = policy
    self.states = states
    self.verdicts = verdicts
    self.capacity = capacity
    candidates = .allocate(capacity: capacity)
    hashes = .allocate(capacity: capacity)
    members = .allocate(capacity: capacity)
    numbers = .allocate(capacity: capacity)
    locations = .allocate(capacity: capacity)
    windows = .allocate(capacity: Self.windowCount)
    windows.initialize(repeating: StepWindow(), count: Self.windowCount)
    // Several steps of few attempts, since each call costs; one of many, so that what is computed stays in the
    // nearest cache. Or all steps of a usual window of one.
    pairCapacity = max(min(4 * capacity, Self.capacityLimit), capacity, 16)
    keys = .allocate(capacity: pairCapacity)
    counters = .allocate(capacity: pairCapacity)
    owners = .allocate(capacity: pairCapacity)
    values = .allocate(capacity: pairCapacity)
    values.initialize(repeating: 0, count: pairCapacity)
  }

  deinit {
    candidates.deallocate()
    hashes.deallocate()
    members.deallocate()
    numbers.deallocate()
    locations.deallocate()
    windows.deallocate()
    keys.deallocate()
    counters.deallocate()
    owners.deallocate()
    values.deallocate()
  }

  /// Begins with other attempts, as many as its capacity at most.
  func begin(_ places: UnsafeBufferPointer<Int>) {
    precondition(places.count <= capacity)
    self.places = places
    candidateCount = 0
  }

  subscript(candidate: Int) -> Candidate {
    @inline(__always) get { candidates[candidate] }
  }

  /// The hash of a candidate's id.
  @inline(__always)
  func hash(_ candidate: Int) -> UInt { hashes[candidate] }

  /// The place of a candidate's attempt in the batch.
  @inline(__always)
  func place(_ candidate: Int) -> Int { Int(candidates[candidate].place) }

  /// A candidate's attempt as the batch has it.
  @inline(__always)
  func entry(_ candidate: Int) -> AttemptBatch.Entry { entries[place(candidate)] }

  @inline(__always)
  func id(of entry: AttemptBatch.Entry) -> UnsafeRawBufferPointer { entry.id(in: ids) }

  /// Looks the credentials up.
  func findCredentials(in directory: borrowing CredentialDirectory) {
    // One thing for all of them after the other: each waits for memory, and so they wait together.
    for slot in places.indices {
      numbers[slot] = directory.guess(hash: entries[places[slot]].hash)
    }
    for slot in places.indices { locations[slot] = directory.location(ofGuess: numbers[slot]) }
    var touched: UInt8 = 0
    for slot in places.indices { touched ^= directory.firstByte(atLocation: locations[slot]) }
    self.touched = touched
    for slot in places.indices {
      let place = places[slot]
      let entry = entries[place]
      guard
        let number = directory.number(
          of: entry.id(in: ids), hash: entry.hash, guess: numbers[slot], location: locations[slot])
      else {
        verdicts[place] = BatchVerdicts.Entry(kind: .unknown)
        continue
      }
      let factor = directory.factorNumber(number)
      let window = windows + Int(factor) % Self.windowCount
      if window.pointee.isOf(entry.time, factor: factor) {
        add(place, entry, key: directory.key(number), window.pointee)
        continue
      }
      let credential = directory.credential(number)
      add(place, entry, credential)
      // With drift each credential has a window of its own.
      if case .totp(let totp) = credential.factor, policy.driftLimit == 0,
        let new = try? StepWindow(
          totp, factor: factor, at: UnixTime(seconds: entry.time), policy.window)
      {
        window.pointee = new
      }
    }
  }

  /// Adds an attempt with a key and parameters whose window at its time is known.
  @inline(__always)
  private func add(
    _ place: Int, _ entry: AttemptBatch.Entry, key: Int, _ window: StepWindow
  ) {
    guard entry.digits == window.digits else {
      verdicts[place] = BatchVerdicts.Entry(kind: .malformed)
      return
    }
    (candidates + candidateCount).initialize(
      to: Candidate(
        place: Int32(truncatingIfNeeded: place), width: window.width, key: key,
        expected: window.expected, lowest: window.lowest, period: window.period, basis: 0,
        code: entry.code, digits: entry.digits, algorithm: window.algorithm, hasBasis: false))
    hashes[candidateCount] = entry.hash
    candidateCount &+= 1
  }

  /// Takes the credential of each attempt from the same place.
  func takeCredentials(of submissions: [Submission]) {
    for place in places {
      add(
        place, entries[place],
        FoundCredential(factor: submissions[place].credential.factor, key: place))
    }
  }

  /// The keys of candidates whose credentials were taken from there.
  func secrets(of members: UnsafeBufferPointer<Int>, in submissions: [Submission]) -> [Secret] {
    members.map { submissions[place($0)].credential.secret }
  }

  private func add(
    _ place: Int, _ entry: AttemptBatch.Entry, _ credential: FoundCredential
  ) {
    let parameters = credential.factor.parameters
    let time = UnixTime(seconds: entry.time)
    do throws(OTPError) {
      try time.checkRange()
    } catch {
      fail(place: place, error)
      return
    }
    guard entry.digits == parameters.digits else {
      verdicts[place] = BatchVerdicts.Entry(kind: .malformed)
      return
    }
    let steps: ClosedRange<UInt64>
    let expected: UInt64
    var period: Int64 = 0
    var basis: UInt64?
    switch credential.factor {
    case .totp(let totp):
      do throws(OTPError) {
        expected = try totp.step(at: time)
      } catch {
        fail(place: place, error)
        return
      }
      period = totp.period
      var centre = expected
      if policy.driftLimit > 0 {
        guard let state = state(of: entry, place) else { return }
        let drift = policy.limited(drift: Int(state.drift))
        centre =
          drift < 0
          ? expected - min(expected, UInt64(drift.magnitude))
          : expected + min(.max - expected, UInt64(drift))
      }
      steps = policy.window.steps(around: centre)
    case .hotp(_, let firstCounter):
      guard let state = state(of: entry, place) else { return }
      // Before the window lies the last used counter, whose code is a replay and no guess. When that was
      // the last of all, nothing follows it.
      basis = state.lastStep
      let next = nextCounter(after: basis, first: firstCounter)
      expected = next ?? .max
      let (last, overflow) = expected.addingReportingOverflow(UInt64(policy.lookAhead))
      let lowest = basis.map { $0 == .max || $0 + 1 == next ? $0 : expected } ?? expected
      steps = lowest...(overflow ? .max : last)
    }
    (candidates + candidateCount).initialize(
      to: Candidate(
        place: Int32(truncatingIfNeeded: place), width: Int32(steps.upperBound - steps.lowerBound),
        key: credential.key,
        expected: expected, lowest: steps.lowerBound, period: period, basis: basis ?? 0,
        code: entry.code, digits: entry.digits, algorithm: parameters.algorithm.number,
        hasBasis: basis != nil))
    hashes[candidateCount] = entry.hash
    candidateCount += 1
  }

  /// The state that a window depends on; without it the attempt is undecided.
  private func state(of entry: AttemptBatch.Entry, _ place: Int) -> CredentialState? {
    if !states.isEmpty,
      let state = states[CredentialID(checked: Array(entry.id(in: ids))[...])]
    {
      return state
    }
    undecided.append(place)
    return nil
  }

  /// The candidates with this algorithm. They are lent until others are asked for.
  func members(of algorithm: HashAlgorithm) -> UnsafeBufferPointer<Int> {
    let number = algorithm.number
    var count = 0
    for index in 0..<candidateCount where candidates[index].algorithm == number {
      members[count] = index
      count &+= 1
    }
    return UnsafeBufferPointer(start: members, count: count)
  }

  /// Says where the key of a candidate is.
  func setKey(of candidate: Int, to key: Int) {
    candidates[candidate].key = key
  }

  /// Enters the error of a candidate whose codes could not be computed.
  func fail(_ candidate: Int, _ error: OTPError) {
    fail(place: place(candidate), error)
    candidates[candidate].hasFailed = true
  }

  private func fail(place: Int, _ error: OTPError) {
    verdicts[place] = BatchVerdicts.Entry(kind: .error)
    errors[place] = error
  }

  /// Enters what a ledger decided of a candidate.
  @inline(__always)
  func enter(_ outcome: Outcome, _ candidate: Int) {
    let found = candidates + candidate
    let place = Int(found.pointee.place)
    verdicts[place] = BatchVerdicts.Entry(
      outcome, step: found.pointee.match, offset: found.pointee.offset)
    if outcome == .stale { undecided.append(place) }
  }

  /// Takes out the candidates that failed; the others keep their order.
  func dropFailed() {
    var kept = 0
    for index in 0..<candidateCount where !candidates[index].hasFailed {
      if kept < index {
        candidates[kept] = candidates[index]
        hashes[kept] = hashes[index]
      }
      kept += 1
    }
    candidateCount = kept
  }

  /// Looks for the codes of candidates of one algorithm: for each the highest moving factor of its window that has
  /// the code, since two steps of one window can share a code, and the lower of them would leave the higher one
  /// open to a replay. The whole window is always computed.
  /// - Parameter stepsTogether: all steps of a candidate follow each other, which its keyring prefers.
  func search(
    _ members: UnsafeBufferPointer<Int>, stepsTogether: Bool,
    _ truncatedValues:
      (Span<Int>, Span<UInt64>, inout MutableSpan<UInt32>) throws(OTPError) -> Void
  ) throws(OTPError) {
    var pairs = 0
    func compute() throws(OTPError) {
      var output = MutableSpan(_unsafeStart: values, count: pairs)
      try truncatedValues(
        Span(_unsafeStart: keys, count: pairs), Span(_unsafeStart: counters, count: pairs), &output)
      enterMatches(pairs)
      pairs = 0
    }
    if stepsTogether {
      for index in members.indices {
        let member = UnsafeBufferPointer(rebasing: members[index...index])
        for place in 0...candidates[members[index]].width {
          if pairs == pairCapacity { try compute() }
          pairs = addPairs(member, place: place, to: pairs)
        }
      }
      if pairs > 0 { try compute() }
      return
    }
    // Place by place, from the lowest: candidates of one time step then share their counter with
    // their neighbours, which a keyring can use.
    var leastWidth = Int32.max
    for member in members { leastWidth = min(leastWidth, candidates[member].width) }
    // Then the pairs of a place begin with the first, and those of the next place replace them.
    let isRoomForOnePlace = 2 * members.count > pairCapacity
    var place: Int32 = 0
    while true {
      if pairs + members.count > pairCapacity { try compute() }
      let before = pairs
      if isRoomForOnePlace, place > 0, place <= leastWidth {
        // All have this step as well, and their keys are where they were.
        for pair in 0..<members.count { counters[pair] &+= 1 }
        pairs = members.count
      } else {
        pairs = addPairs(members, place: place, to: before)
      }
      if pairs == before { break }
      place += 1
    }
    if pairs > 0 { try compute() }
  }

  /// Compares what was computed for pairs with their candidates' codes.
  private func enterMatches(_ pairs: Int) {
    let (candidates, owners, values, counters) = (candidates, owners, values, counters)
    for pair in 0..<pairs {
      let owner = candidates + Int(owners[pair])
      let found = OneTimeCode(truncatedValue: values[pair], digits: Int(owner.pointee.digits))
      // Steps come in ascending order: the last match is the highest.
      if found.value == owner.pointee.code {
        owner.pointee.isMatch = true
        owner.pointee.match = counters[pair]
      }
    }
  }

  /// Collects the pairs of one place in the windows.
  /// - Returns: how many there are now.
  private func addPairs(
    _ members: UnsafeBufferPointer<Int>, place: Int32, to pairs: Int
  ) -> Int {
    let (candidates, owners, keys, counters) = (candidates, owners, keys, counters)
    var end = pairs
    for member in members {
      let candidate = candidates + member
      if candidate.pointee.width < place { continue }
      keys[end] = candidate.pointee.key
      counters[end] = candidate.pointee.lowest &+ UInt64(truncatingIfNeeded: place)
      owners[end] = Int32(truncatingIfNeeded: member)
      end &+= 1
    }
    return end
  }

  /// What the ledger is asked of a candidate.
  @inline(__always)
  func claim(_ candidate: Int) -> Settlement.Claim {
    let candidate = candidates + candidate
    if candidate.pointee.isMatch {
      let isTracked = policy.driftLimit > 0 && candidate.pointee.isTOTP
      return .match(
        step: candidate.pointee.match,
        drift: isTracked ? policy.drift(offset: candidate.pointee.offset) : nil)
    }
    if candidate.pointee.isTOTP { return .noMatch }
    return .noMatchAfter(lastStep: candidate.pointee.hasBasis ? candidate.pointee.basis : nil)
  }
}

extension HashAlgorithm {
  /// A number for arrays without references.
  var number: UInt8 {
    switch self {
    case .sha1: 0
    case .sha256: 1
    case .sha512: 2
    }
  }
}

/// The next counter of an HOTP credential, or nil when the last one is used up.
func nextCounter(after lastStep: UInt64?, first: UInt64) -> UInt64? {
  guard let lastStep else { return first }
  return lastStep == .max ? nil : max(first, lastStep + 1)
}
