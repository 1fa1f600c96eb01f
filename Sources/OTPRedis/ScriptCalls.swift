import OTP
import OTPVerification

/// Calls of ``SettleScript``, each for another credential.
protocol ScriptCalls {
  var count: Int { get }

  func id(of call: Int) -> CredentialID

  /// How many attempts the call has arguments for.
  func attempts(of call: Int) -> Int

  func appendArguments(of call: Int, to commands: inout CommandBuffer)

  /// Takes what a call returned. False when the script does not return that.
  mutating func take(_ result: UnsafeBufferPointer<UInt8>, of call: Int) -> Bool
}

/// The settlement of a part of a group.
///
/// One call settles all attempts of a credential, in their order. It is executed as a whole or not at all,
/// so that a call that has to be made again brings none of them behind a later one.
struct PartSettlement: ScriptCalls {
  private(set) var outcomes: [Outcome]

  /// Whether a state was changed, as far as is known.
  private(set) var isStored = false

  private let part: ArraySlice<Settlement>
  private var chains: [Chain] = []

  /// For each attempt, counted from the part's start, the next one of its credential.
  private var followers: [Int]

  /// The attempts of one credential.
  private struct Chain {
    let first: Int
    var last: Int
    var count = 1
  }

  init(_ part: ArraySlice<Settlement>) {
    self.part = part
    outcomes = [Outcome](repeating: .stale, count: part.count)
    followers = [Int](repeating: 0, count: part.count)
    chains.reserveCapacity(part.count)
    findChains()
  }

  /// The server waits for the first call meanwhile. So the credentials are found by a table that lies beside them,
  /// of numbers of chains by the low bits of the ids' hashes; a dictionary takes several times as long.
  private mutating func findChains() {
    let none: Int32 = -1
    // A power of two, and more than twice as many: searches are short, and come to an end.
    let mask = 2 << (Int.bitWidth - part.count.leadingZeroBitCount) - 1
    part.withUnsafeBufferPointer { part in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: mask + 1) { places in
        places.initialize(repeating: none)
        for attempt in part.indices {
          var place = Int(truncatingIfNeeded: part[attempt].id.hash) & mask
          while places[place] != none, part[chains[Int(places[place])].first].id != part[attempt].id
          {
            place = (place + 1) & mask
          }
          if places[place] == none {
            places[place] = Int32(chains.count)
            chains.append(Chain(first: attempt, last: attempt))
          } else {
            let chain = Int(places[place])
            followers[chains[chain].last] = attempt
            chains[chain].last = attempt
            chains[chain].count += 1
          }
        }
      }
    }
  }

  var count: Int { chains.count }

  func id(of call: Int) -> CredentialID { settlement(chains[call].first).id }

  func attempts(of call: Int) -> Int { chains[call].count }

  func appendArguments(of call: Int, to commands: inout CommandBuffer) {
    var attempt = chains[call].first
    for _ in 0..<chains[call].count {
      commands.appendAttempt(settlement(attempt))
      attempt = followers[attempt]
    }
  }

  mutating func take(_ result: UnsafeBufferPointer<UInt8>, of call: Int) -> Bool {
    var rest = result[...]
    var attempt = chains[call].first
    for _ in 0..<chains[call].count {
      guard let outcome = Outcome(takenFrom: &rest) else { return false }
      outcomes[attempt] = outcome
      switch outcome {
      case .accepted: isStored = isStored || settlement(attempt).consumes
      case .mismatch: isStored = true
      case .replayed, .throttled, .stale: break
      }
      attempt = followers[attempt]
    }
    return rest.isEmpty
  }

  private func settlement(_ attempt: Int) -> Settlement { part[part.startIndex + attempt] }
}

/// The reset of one credential's throttle.
struct ThrottleReset: ScriptCalls {
  let id: CredentialID

  var count: Int { 1 }
  func id(of call: Int) -> CredentialID { id }
  func attempts(of call: Int) -> Int { 1 }

  func appendArguments(of call: Int, to commands: inout CommandBuffer) {
    commands.appendThrottleReset()
  }

  func take(_ result: UnsafeBufferPointer<UInt8>, of call: Int) -> Bool { result.isEmpty }
}

extension Outcome {
  /// Takes the next outcome off what the script returned.
  fileprivate init?(takenFrom text: inout Slice<UnsafeBufferPointer<UInt8>>) {
    switch text.popFirst() {
    case UInt8(ascii: "a"): self = .accepted
    case UInt8(ascii: "r"): self = .replayed
    case UInt8(ascii: "m"): self = .mismatch
    case UInt8(ascii: "s"): self = .stale
    case UInt8(ascii: "t"):
      let end = text.prefix(20)
      guard end.count == 20, let seconds = decimal(end).flatMap(Int64.init(exactly:)) else {
        return nil
      }
      text = text.dropFirst(20)
      self = .throttled(retryAt: UnixTime(seconds: seconds))
    default: return nil
    }
  }
}
