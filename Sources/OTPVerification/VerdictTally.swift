public import OTP

/// How many attempts came to each kind of end.
public struct VerdictTally: Hashable, Sendable {
  public internal(set) var accepted = 0
  public internal(set) var replayed = 0
  public internal(set) var mismatch = 0
  public internal(set) var malformed = 0
  public internal(set) var throttled = 0

  /// Attempts that have an error of their own, such as `unknownCredential`.
  public internal(set) var failed = 0

  /// Acceptances by their offset in steps, with no entry for an offset that did not occur: where users' clocks
  /// stand (RFC 6238 section 6), or how many counters they skip.
  public var offsets: [Int: Int] {
    var offsets = far
    for (place, count) in near.enumerated() where count > 0 { offsets[place - Self.reach] = count }
    return offsets
  }

  public var attempts: Int { accepted + replayed + mismatch + malformed + throttled + failed }

  // Nearly all are near.
  private static let reach = 10
  private var near = [Int](repeating: 0, count: 2 * reach + 1)
  private var far: [Int: Int] = [:]

  public init() {}

  public mutating func count(_ verdict: Result<Verdict, OTPError>) {
    switch verdict {
    case .success(.accepted(_, let offset)): countAcceptance(offset: offset)
    case .success(.replayed): replayed += 1
    case .success(.mismatch): mismatch += 1
    case .success(.malformed): malformed += 1
    case .success(.throttled): throttled += 1
    case .failure: failed += 1
    }
  }

  /// Adds what another tally counted.
  public static func += (left: inout VerdictTally, right: VerdictTally) {
    left.accepted += right.accepted
    left.replayed += right.replayed
    left.mismatch += right.mismatch
    left.malformed += right.malformed
    left.throttled += right.throttled
    left.failed += right.failed
    for place in left.near.indices { left.near[place] += right.near[place] }
    left.far.merge(right.far, uniquingKeysWith: +)
  }

  mutating func countAcceptance(offset: Int) {
    accepted += 1
    if offset.magnitude <= UInt(Self.reach) {
      near[offset + Self.reach] += 1
    } else {
      far[offset, default: 0] += 1
    }
  }
}

extension VerdictTally: CustomStringConvertible, CustomReflectable {
  public var description: String {
    "\(accepted) accepted, \(replayed) replayed, \(mismatch) mismatch, \(malformed) malformed, "
      + "\(throttled) throttled, \(failed) failed"
  }

  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "accepted": accepted, "replayed": replayed, "mismatch": mismatch, "malformed": malformed,
        "throttled": throttled, "failed": failed, "offsets": offsets,
      ])
  }
}
