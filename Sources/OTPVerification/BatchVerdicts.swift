public import OTP

/// What became of the attempts of a batch, in their order.
public struct BatchVerdicts: Sendable, RandomAccessCollection {
  /// The verdict of an attempt, or the error of this attempt alone.
  public typealias Element = Result<Verdict, OTPError>

  private let memory: VerdictMemory

  private var entries: UnsafeMutableBufferPointer<Entry> { memory.entries }

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

  /// - Parameter memory: what nobody writes to any more.
  init(_ memory: VerdictMemory, errors: [Int: OTPError]) {
    self.memory = memory
    self.errors = errors
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }

  public subscript(attempt: Int) -> Element {
    precondition(indices.contains(attempt), "no such attempt in the batch")
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

/// Memory for the verdicts of a batch's attempts.
///
/// Unchecked, since tasks write to it at the same time: each to the places of its own attempts alone, and the others
/// read or write them after it has ended.
final class VerdictMemory: @unchecked Sendable {
  let entries: UnsafeMutableBufferPointer<BatchVerdicts.Entry>

  init(count: Int) {
    entries = .allocate(capacity: count)
    entries.initialize(repeating: BatchVerdicts.Entry(kind: .malformed))
  }

  deinit {
    entries.deallocate()
  }
}

/// The results of a batch as they come in.
struct BatchResults {
  let verdictMemory: VerdictMemory
  private var errors: [Int: OTPError] = [:]

  /// Of this many attempts.
  init(count: Int) {
    verdictMemory = VerdictMemory(count: count)
  }

  /// Adds errors of attempts, by their places.
  mutating func add(_ errors: [Int: OTPError]) {
    self.errors.merge(errors) { _, new in new }
  }

  mutating func fail(_ place: Int, _ error: OTPError) {
    verdictMemory.entries[place] = BatchVerdicts.Entry(kind: .error)
    errors[place] = error
  }

  /// Enters what the ledger decided.
  mutating func enter(_ outcome: Outcome, at place: Int, step: UInt64, offset: Int) {
    verdictMemory.entries[place] = BatchVerdicts.Entry(outcome, step: step, offset: offset)
  }

  var verdicts: BatchVerdicts { BatchVerdicts(verdictMemory, errors: errors) }
}

extension BatchVerdicts.Entry {
  @inline(__always)
  init(_ outcome: Outcome, step: UInt64, offset: Int) {
    switch outcome {
    case .accepted: self.init(kind: .accepted, offset: Int32(offset), value: step)
    case .replayed: self.init(kind: .replayed)
    case .mismatch, .stale: self.init(kind: .mismatch)
    case .throttled(let retryAt):
      self.init(kind: .throttled, value: UInt64(bitPattern: retryAt.seconds))
    }
  }
}
