import Foundation
import OTP
import OTPVerification

/// What a bulk run came to.
struct BulkSummary: Encodable {
  var tally = VerdictTally()
  var badLines = 0
  var skippedCredentials = 0
  /// The number of the last line whose attempt was settled and printed, 0 when none was.
  var lastLine = 0
  /// How the run ended: `complete`, `interrupted`, or the code of an error.
  private(set) var end = ""
  private(set) var status = ExitStatus.done
  private(set) var seconds = 0.0
  private(set) var attemptsPerSecond = 0.0

  var attempts: Int { tally.attempts }

  private var beginning = ContinuousClock.now

  private enum CodingKeys: String, CodingKey {
    case end, status, lastLine
    case attempts, accepted, replayed, mismatch, malformed, throttled, unknown, badLines
    case skippedCredentials, seconds, attemptsPerSecond, offsets
  }

  /// Begins to count the time.
  mutating func start() {
    beginning = .now
  }

  mutating func finish(_ end: String, _ status: ExitStatus) {
    self.end = end
    self.status = status
    seconds = (ContinuousClock.now - beginning) / .seconds(1)
    attemptsPerSecond = Double(attempts) / max(seconds, 1e-9)
  }

  var text: String {
    let counts = [
      ("accepted", tally.accepted), ("replayed", tally.replayed), ("mismatch", tally.mismatch),
      ("malformed", tally.malformed), ("throttled", tally.throttled), ("unknown", tally.failed),
      (badLines == 1 ? "bad line" : "bad lines", badLines),
      (skippedCredentials == 1 ? "credential skipped" : "credentials skipped", skippedCredentials),
    ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    var lines = [
      "\(attempts) \(attempts == 1 ? "attempt" : "attempts") in \(String(format: "%.2f", seconds)) s, "
        + "\(Int(attemptsPerSecond)) a second" + (counts.isEmpty ? "" : ": \(counts)")
    ]
    if tally.accepted > 0 {
      let histogram = tally.offsets.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      lines.append("accepted by offset: \(histogram.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }

  /// The text of a file in JSON.
  var json: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    for (key, count) in [
      (CodingKeys.attempts, attempts), (.accepted, tally.accepted), (.replayed, tally.replayed),
      (.mismatch, tally.mismatch), (.malformed, tally.malformed), (.throttled, tally.throttled),
      (.unknown, tally.failed), (.badLines, badLines), (.skippedCredentials, skippedCredentials),
      (.status, Int(status.rawValue)), (.lastLine, lastLine),
    ] { try object.encode(count, forKey: key) }
    try object.encode(end, forKey: .end)
    try object.encode(seconds, forKey: .seconds)
    try object.encode(attemptsPerSecond, forKey: .attemptsPerSecond)
    // JSON's keys are texts.
    try object.encode(
      Dictionary(uniqueKeysWithValues: tally.offsets.map { ("\($0.key)", $0.value) }),
      forKey: .offsets)
  }
}

/// A bar on a terminal's standard error, at most ten times a second.
struct Progress {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let size: Int?
  private let what: String
  private var lastShown = ContinuousClock.now

  init(size: Int?, of what: String = "attempts") {
    self.size = size
    self.what = what
  }

  mutating func show(bytes: Int, count: Int) {
    guard isShown, ContinuousClock.now - lastShown >= .milliseconds(100) else { return }
    lastShown = .now
    var line = "\(count) \(what)"
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
