import Foundation
import OTP
import OTPVerification

extension Command {
  static let bulk = Command(
    name: "bulk",
    summary: "Verifies many attempts against a ledger, and prints one line for each.",
    details: """
      CREDENTIALS has lines of an id, a tab and an otpauth URI; ATTEMPTS has lines of an id, a code
      and Unix seconds, with tabs between them. Each attempt gives a line, in order, of its id, the
      verdict, the step and a detail, with tabs between them:

        accepted   the step, and its offset from the expected one
        replayed   the code was used before, or an older one after a newer
        mismatch   a wrong code; it is counted
        malformed  no code at all
        throttled  the credential is locked; the detail is the time at which it may be tried again,
                   or - when only a reset ends the lock
        unknown    there is no such credential, or the backend refuses its key

      The interrupt signal ends the run after the batch at hand; what was settled is printed. When the
      ledger fails, the run ends with status 3, and the last line printed is the last attempt that was
      settled for certain.
      """,
    options: [
      Option(name: "credentials", argument: "FILE", help: "the credentials (needed)"),
      Option(
        name: "attempts", argument: "FILE", help: "the attempts, or - for standard input (needed)"),
      .ledger, .ledgerFile, .backend,
      Option(
        name: "window", argument: "BACK,FORWARD",
        help: "steps that may be late and early (default: 1,1)"),
      Option(
        name: "look-ahead", argument: "N", help: "HOTP: counters tried after the next (default: 5)"),
      Option(
        name: "drift", argument: "STEPS",
        help: "let the window follow each user's clock so far (default: 0)"),
      Option(
        name: "lockout", argument: "N,SECONDS",
        help: "lock for so long after every N wrong codes in a row\n(default: 5,300)"),
      Option(
        name: "backoff", argument: "FACTOR,CAP",
        help: "lock for FACTOR seconds after a wrong code, then twice as\nlong each time, up to CAP"
      ),
      Option(name: "threads", argument: "N", help: "threads for HMAC (default: 1)"),
      Option(
        name: "batch", argument: "N", help: "attempts settled together, at most (default: 1024)"),
      Option(name: "skip-bad-credentials", help: "go on without credentials that cannot be read"),
      Option(name: "json-summary", argument: "FILE", help: "write the summary as JSON"),
    ],
    run: { arguments in
      try run(arguments, backend: arguments.backend())
    })

  private static func run(
    _ arguments: Arguments, backend: some HMACBackend
  ) throws -> ExitStatus {
    guard let credentialsPath = arguments.value(of: "credentials") else {
      throw ToolError("credentials are needed: give --credentials FILE")
    }
    guard let attemptsPath = arguments.value(of: "attempts") else {
      throw ToolError(
        "attempts are needed: give --attempts FILE, or --attempts - for standard input")
    }
    guard credentialsPath != "-" || attemptsPath != "-" else {
      throw ToolError("--credentials and --attempts cannot both read standard input")
    }
    let policy = try arguments.policy()
    let threads = try arguments.count("threads") ?? 1
    let batchLimit = try arguments.count("batch") ?? 1024
    let credentials = try readCredentials(
      credentialsPath, skipsBadLines: arguments.has("skip-bad-credentials"))
    let choice = try LedgerChoice(arguments)
    let ledger = try waitFor { try await choice.open() }
    let reader = try LineReader(attemptsPath, of: "attempts")
    let verifier = Verifier(
      backend: backend, ledger: ledger, policy: policy, parallelism: threads)
    var summary = BulkSummary()
    var progress = Progress(size: reader.size)
    Interrupt.startWatching()
    var failure: OTPError?
    do {
      var attempts: [AttemptLine] = []
      while !Interrupt.isRequested,
        try reader.forNextLines(
          batchLimit,
          { number, line in
            do {
              attempts.append(try AttemptLine(number, line))
            } catch let error as ToolError {
              summary.badLines += 1
              printToStandardError("otp: attempts line \(number): \(error.message)")
            }
          })
      {
        try settle(attempts, credentials, verifier, &summary)
        attempts.removeAll(keepingCapacity: true)
        progress.show(bytes: reader.bytesRead, attempts: summary.attempts)
      }
    } catch let error as OTPError {
      failure = error
    }
    progress.clear()
    summary.finish()
    printToStandardError(summary.text)
    if let path = arguments.value(of: "json-summary") { try summary.write(to: path) }
    if let failure { throw failure }
    if Interrupt.isRequested { return .interrupted }
    return summary.badLines == 0 ? .done : .wrongInput
  }

  /// Verifies a batch, prints what became of each attempt, and only then returns.
  private static func settle(
    _ attempts: [AttemptLine], _ credentials: [CredentialID: Credential],
    _ verifier: Verifier<some HMACBackend>, _ summary: inout BulkSummary
  ) throws {
    var places: [Int?] = []
    var batch: [Submission] = []
    for attempt in attempts {
      let credential = credentials[attempt.id]
      places.append(credential == nil ? nil : batch.count)
      if let credential {
        batch.append(Submission(attempt.code, for: credential, at: attempt.time))
      }
    }
    let submissions = batch
    let verdicts = try waitFor { try await verifier.verify(submissions) }
    var output: [UInt8] = []
    var failure: OTPError?
    for (attempt, place) in zip(attempts, places) {
      var verdict: Verdict?
      if let place {
        do throws(OTPError) {
          verdict = try verdicts[place].get()
        } catch {
          if [.ledgerUnavailable, .ledgerUncertain].contains(error.code) {
            failure = error
            continue
          }
          // A key that the backend refuses: a fault of this credential alone.
          summary.badLines += 1
          printToStandardError("otp: attempts line \(attempt.number): \(error)")
        }
      }
      summary.count(verdict)
      output += attempt.id.bytes
      output += Array("\t\(verdict.columns)\n".utf8)
    }
    try write(output)
    if let failure { throw failure }
  }

  private static func readCredentials(
    _ path: String, skipsBadLines: Bool
  ) throws -> [CredentialID: Credential] {
    let reader = try LineReader(path, of: "credentials")
    var credentials: [CredentialID: Credential] = [:]
    try reader.forEachLine { number, line in
      do {
        let credential = try Credential(line)
        guard credentials.updateValue(credential, forKey: credential.id) == nil else {
          throw ToolError("the id was given before")
        }
      } catch {
        let reason = (error as? OTPError)?.description ?? (error as? ToolError)?.message ?? ""
        let message = "credentials line \(number): \(reason)"
        guard skipsBadLines else {
          throw ToolError("\(message); --skip-bad-credentials goes on without it")
        }
        printToStandardError("otp: \(message)")
      }
    }
    return credentials
  }
}

extension Credential {
  fileprivate init(_ line: UnsafeRawBufferPointer?) throws {
    let fields = try fields(of: line)
    guard fields.count == 2 else { throw ToolError("it must be an id, a tab and an otpauth URI") }
    let uri = try OTPAuthURI(utf8: UnsafeRawBufferPointer(rebasing: fields[1]))
    self.init(id: try CredentialID(bytes: Array(fields[0])), uri: uri)
  }
}

/// A line of the attempts, taken apart.
private struct AttemptLine {
  let number: Int
  let id: CredentialID
  let code: String
  let time: UnixTime

  init(_ number: Int, _ line: UnsafeRawBufferPointer?) throws(ToolError) {
    let fields = try fields(of: line)
    guard fields.count == 3 else {
      throw ToolError("it must be an id, a code and Unix seconds, with tabs between them")
    }
    guard let id = try? CredentialID(bytes: Array(fields[0])) else {
      throw ToolError("an id has 1 to 255 bytes")
    }
    let seconds: Int64 = try wholeNumber(
      String(decoding: fields[2], as: UTF8.self), of: "the time", "whole Unix seconds from 0")
    guard (0...(1 << 53)).contains(seconds) else {
      throw ToolError("the time must be whole Unix seconds from 0")
    }
    self.number = number
    self.id = id
    code = String(decoding: fields[1], as: UTF8.self)
    time = UnixTime(seconds: seconds)
  }
}

/// The parts of a line between tabs.
private func fields(
  of line: UnsafeRawBufferPointer?
) throws(ToolError) -> [Slice<UnsafeRawBufferPointer>] {
  guard let line else { throw ToolError("the line is too long") }
  return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
}

extension Verdict? {
  /// Verdict, step and detail, with tabs between them.
  fileprivate var columns: String {
    switch self {
    case .accepted(let step, let offset): "accepted\t\(step)\t\(offset)"
    case .replayed: "replayed\t-\t-"
    case .mismatch: "mismatch\t-\t-"
    case .malformed: "malformed\t-\t-"
    case .throttled(UnixTime(seconds: .max)): "throttled\t-\t-"
    case .throttled(let retryAt): "throttled\t-\t\(retryAt.seconds)"
    case nil: "unknown\t-\t-"
    }
  }
}

extension Arguments {
  fileprivate func policy() throws -> VerificationPolicy {
    try requireAtMostOne(of: "lockout", "backoff")
    let window = try pair("window").map { try Window(back: $0, forward: $1) } ?? .one
    var throttle = Throttle.standard
    if let (failures, seconds) = try pair("lockout") as (Int, Int64)? {
      throttle = try .lockout(after: failures, seconds: seconds)
    } else if let (factor, cap) = try pair("backoff") as (Int64, Int64)? {
      throttle = try .exponential(factor: factor, cap: cap)
    }
    return try VerificationPolicy(
      window: window, lookAhead: try integer("look-ahead", as: Int.self, "a whole number") ?? 5,
      throttle: throttle,
      driftLimit: try integer("drift", as: Int.self, "a whole number of steps") ?? 0)
  }

  /// A number of something, at least 1.
  fileprivate func count(_ name: String) throws -> Int? {
    let range = "a whole number from 1 to 1000000"
    guard let count = try integer(name, as: Int.self, range) else { return nil }
    guard (1...1_000_000).contains(count) else { throw ToolError("--\(name) must be \(range)") }
    return count
  }
}
