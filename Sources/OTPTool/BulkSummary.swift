import Foundation
import OTPVerification

/// What a bulk run came to.
struct BulkSummary: Encodable {
  private(set) var attempts = 0
  private(set) var accepted = 0
  private(set) var replayed = 0
  private(set) var mismatch = 0
  private(set) var malformed = 0
  private(set) var throttled = 0
  private(set) var unknown = 0
  var badLines = 0
  private(set) var seconds = 0.0
  private(set) var attemptsPerSecond = 0.0

  /// Acceptances by their offset in steps.
  private(set) var offsets: [Int: Int] = [:]

  private let start = ContinuousClock.now

  private enum CodingKeys: String, CodingKey {
    case attempts, accepted, replayed, mismatch, malformed, throttled, unknown, badLines, seconds
    case attemptsPerSecond, offsets
  }

  mutating func count(_ verdict: Verdict?) {
    attempts += 1
    switch verdict {
    case .accepted(_, let offset):
      accepted += 1
      offsets[offset, default: 0] += 1
    case .replayed: replayed += 1
    case .mismatch: mismatch += 1
    case .malformed: malformed += 1
    case .throttled: throttled += 1
    case nil: unknown += 1
    }
  }

  mutating func finish() {
    seconds = (ContinuousClock.now - start) / .seconds(1)
    attemptsPerSecond = Double(attempts) / max(seconds, 1e-9)
  }

  var text: String {
    let counts = [
      ("accepted", accepted), ("replayed", replayed), ("mismatch", mismatch),
      ("malformed", malformed), ("throttled", throttled), ("unknown", unknown),
      ("bad lines", badLines),
    ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    var lines = [
      "\(attempts) attempts in \(String(format: "%.2f", seconds)) s, "
        + "\(Int(attemptsPerSecond)) a second" + (counts.isEmpty ? "" : ": \(counts)")
    ]
    if !offsets.isEmpty {
      let histogram = offsets.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      lines.append("accepted by offset: \(histogram.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    } catch {
      throw ToolError("cannot write the summary to what --json-summary names", status: .unavailable)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    for (key, count) in [
      (CodingKeys.attempts, attempts), (.accepted, accepted), (.replayed, replayed),
      (.mismatch, mismatch), (.malformed, malformed), (.throttled, throttled), (.unknown, unknown),
      (.badLines, badLines),
    ] { try object.encode(count, forKey: key) }
    try object.encode(seconds, forKey: .seconds)
    try object.encode(attemptsPerSecond, forKey: .attemptsPerSecond)
    // JSON's keys are texts.
    try object.encode(
      Dictionary(uniqueKeysWithValues: offsets.map { ("\($0.key)", $0.value) }), forKey: .offsets)
  }
}

/// A bar on a terminal's standard error, at most ten times a second.
struct Progress {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let size: Int?
  private var lastShown = ContinuousClock.now

  init(size: Int?) {
    self.size = size
  }

  mutating func show(bytes: Int, attempts: Int) {
    guard isShown, ContinuousClock.now - lastShown >= .milliseconds(100) else { return }
    lastShown = .now
    var line = "\(attempts) attempts"
    if let size, size > 0 {
      let width = 30
      let done = min(bytes * width / size, width)
      let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
      line = "[\(bar)] \(min(bytes * 100 / size, 100)) %  \(line)"
    }
    writeToStandardError("\r\u{1B}[K\(line)")
  }

  func clear() {
    if isShown { writeToStandardError("\r\u{1B}[K") }
  }
}
