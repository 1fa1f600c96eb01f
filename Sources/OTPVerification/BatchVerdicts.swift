public import OTP

/// What became of the attempts of a batch, in their order.
public struct BatchVerdicts: Sendable, RandomAccessCollection {
  /// The verdict of an attempt, or the error of this attempt alone.
  public typealias Element = Result<Verdict, OTPError>

  private let entries: [Entry]

  /// Errors but for `unknownCredential`, by their attempts.
  private let errors: [Int: OTPError]

  /// A verdict without references, so that millions are stored and read without counting any.
  struct Entry: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
      case accepted, replayed, mismatch, malformed, throttled, unknown, error
    }

    let kind: Kind
    var offset: Int32 = 0
    /// The step, or the seconds of the time at which a lock ends.
    var value: UInt64 = 0
  }

  init(_ entries: [Entry], errors: [Int: OTPError]) {
    self.entries = entries
    self.errors = errors
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }

  public subscript(attempt: Int) -> Element {
    let entry = entries[attempt]
    return switch entry.kind {
    case .accepted: .success(.accepted(step: entry.value, offset: Int(entry.offset)))
    case .replayed: .success(.replayed)
    case .mismatch: .success(.mismatch)
    case .malformed: .success(.malformed)
    case .throttled:
      .success(.throttled(retryAt: UnixTime(seconds: Int64(bitPattern: entry.value))))
    case .unknown, .error: .failure(errors[attempt] ?? .unknownCredential)
    }
  }

  /// How many attempts came to each kind of end.
  public var tally: VerdictTally {
    var tally = VerdictTally()
    for entry in entries {
      switch entry.kind {
      case .accepted: tally.countAcceptance(offset: Int(entry.offset))
      case .replayed: tally.replayed += 1
      case .mismatch: tally.mismatch += 1
      case .malformed: tally.malformed += 1
      case .throttled: tally.throttled += 1
      case .unknown, .error: tally.failed += 1
      }
    }
    return tally
  }
}

/// The results of a batch, which several tasks fill in.
final class BatchResults: Sendable {
  // Safe to share: each place is written by the one task that has its attempt, or by the task that started these
  // when they have ended; only that one reads.
  nonisolated(unsafe) private let entries: UnsafeMutableBufferPointer<BatchVerdicts.Entry>
  private let errors = Locked<[Int: OTPError]>([:])

  init(_ count: Int) {
    entries = .allocate(capacity: count)
    entries.initialize(repeating: BatchVerdicts.Entry(kind: .malformed))
  }

  deinit {
    entries.deallocate()
  }

  @inline(__always)
  func set(_ place: Int, _ kind: BatchVerdicts.Entry.Kind) {
    entries[place] = BatchVerdicts.Entry(kind: kind)
  }

  func fail(_ place: Int, _ error: OTPError) {
    set(place, .error)
    errors.withLock { $0[place] = error }
  }

  /// Enters what the ledger decided.
  /// - Returns: false when the window has to be computed again.
  func enter(_ outcome: Outcome, at place: Int, step: UInt64, offset: Int) -> Bool {
    entries[place] =
      switch outcome {
      case .accepted: .init(kind: .accepted, offset: Int32(offset), value: step)
      case .replayed: .init(kind: .replayed)
      case .mismatch, .stale: .init(kind: .mismatch)
      case .throttled(let retryAt):
        .init(kind: .throttled, value: UInt64(bitPattern: retryAt.seconds))
      }
    return outcome != .stale
  }

  var verdicts: BatchVerdicts {
    BatchVerdicts(Array(entries), errors: errors.withLock { $0 })
  }
}
