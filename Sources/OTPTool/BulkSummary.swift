import Foundation
import OTP
import OTPVerification

/// What a bulk run came to.
struct BulkSummary: Encodable {
  var tally = VerdictTally()
  var badLines = 0
  var skippedCredentials = 0
  /// How the run ended: `complete`, `interrupted`, or the code of an error.
  private(set) var end = ""
  private(set) var seconds = 0.0
  private(set) var attemptsPerSecond = 0.0

  var attempts: Int { tally.attempts }

  private var beginning = ContinuousClock.now

  private enum CodingKeys: String, CodingKey {
    case end, attempts, accepted, replayed, mismatch, malformed, throttled, unknown, badLines
    case skippedCredentials, seconds, attemptsPerSecond, offsets
  }

  /// Begins to count the time.
  mutating func start() {
    beginning = .now
  }

  mutating func finish(_ end: String) {
    self.end = end
    seconds = (ContinuousClock.now - beginning) / .seconds(1)
    attemptsPerSecond = Double(attempts) / max(seconds, 1e-9)
  }

  var text: String {
    let counts = [
      ("accepted", tally.accepted), ("replayed", tally.replayed), ("mismatch", tally.mismatch),
      ("malformed", tally.malformed), ("throttled", tally.throttled), ("unknown", tally.failed),
      ("bad lines", badLines), ("credentials skipped", skippedCredentials),
    ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    var lines = [
      "\(attempts) attempts in \(String(format: "%.2f", seconds)) s, "
        + "\(Int(attemptsPerSecond)) a second" + (counts.isEmpty ? "" : ": \(counts)")
    ]
    if tally.accepted > 0 {
      let histogram = tally.offsets.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      lines.append("accepted by offset: \(histogram.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    for (key, count) in [
      (CodingKeys.attempts, attempts), (.accepted, tally.accepted), (.replayed, tally.replayed),
      (.mismatch, tally.mismatch), (.malformed, tally.malformed), (.throttled, tally.throttled),
      (.unknown, tally.failed), (.badLines, badLines), (.skippedCredentials, skippedCredentials),
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

/// The file for a summary, which is opened before the run: afterwards the codes are used up.
final class SummaryFile {
  private let descriptor: Int32

  /// - Parameter inputs: files that it must not be.
  init(_ path: String, not inputs: [String]) throws {
    guard path != "-" else {
      throw ToolError("--json-summary cannot be standard output, which has the verdicts")
    }
    var own = stat()
    if stat(path, &own) == 0, own.st_mode & S_IFMT == S_IFREG {
      for (index, input) in (["", ""] + inputs).enumerated() {
        var other = stat()
        // The first two are standard input and output.
        let isThere = index < 2 ? fstat(Int32(index), &other) == 0 : stat(input, &other) == 0
        guard !isThere || own.st_dev != other.st_dev || own.st_ino != other.st_ino else {
          throw ToolError("--json-summary names a file that is used for something else")
        }
      }
    }
    // What is in it stays until there is a summary.
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.unwritable() }
  }

  deinit {
    close(descriptor)
  }

  func write(_ summary: BulkSummary) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let bytes = Array(try encoder.encode(summary)) + [UInt8(ascii: "\n")]
    // A pipe or a device has no length.
    _ = ftruncate(descriptor, 0)
    guard writeAll(bytes, to: descriptor) else { throw Self.unwritable() }
  }

  private static func unwritable() -> ToolError {
    ToolError(
      "cannot write what --json-summary names: \(String(cString: strerror(errno)))",
      status: .unavailable)
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
