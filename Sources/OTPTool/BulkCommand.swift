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
        replayed   the code was used before, or an older one after a newer; of HOTP only the last one
                   that was used is known, and those before it are wrong codes
        mismatch   a wrong code; it is counted
        malformed  not the credential's number of digits, spaces and hyphens aside; it is not counted
        throttled  the credential is locked; the detail is the time at which it may be tried again,
                   or - when only a reset ends the lock
        unknown    there is no such credential, or the backend refuses its key
        unsettled  the ledger failed before it decided; only in a batch that ends the run

      A line of ATTEMPTS that cannot be read gives no line, but a message with its number; the run goes
      on, and ends with status 2. Empty lines are skipped in both files. There are no comments: an id may
      begin with #. The numbers in messages count all lines.

      Whatever the delays, 100 wrong codes in a row lock a credential until it is reset ('otp ledger
      reset', or Ledger.reset in the library).

      The interrupt signal ends the run after the batch at hand, with status 130; what was settled is
      printed. When the ledger fails, the run ends with status 3, and the last line printed is the last
      attempt that was settled for certain.

      The JSON summary's "end" is complete when all lines were read, else what ended the run:
      interrupted, failed, or the code of an error. Its "status" is the exit status: a complete run with
      "badLines" has 2. Its "lastLine" is the number of the last line of ATTEMPTS whose attempt was
      settled and printed, 0 when none was. After a failure of the ledger another run can begin with the
      line after it; attempts before it that are printed as unsettled need to be submitted again, too.
      """,
    options: [
      Option(
        name: "credentials", argument: "FILE",
        help: "the credentials, or - for standard input (needed)"),
      Option(
        name: "attempts", argument: "FILE", help: "the attempts, or - for standard input (needed)"),
      .ledger, .ledgerFile, .bulkBackend,
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
      Option(
        name: "threads", argument: "N", help: "threads that share a batch, 1 to 1024 (default: 1)"),
      Option(
        name: "batch", argument: "N", help: "attempts settled together, at most (default: 1024)"),
      Option(
        name: "skip-bad-credentials",
        help: "go on without credentials that cannot be read; the status\nis 0 with them, too"),
      Option(
        name: "json-summary", argument: "FILE", help: "write the summary as JSON"),
    ],
    run: { arguments in
      try run(arguments, backend: arguments.backend(default: .multibuffer))
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
    let fromStandardInput = ["credentials", "attempts", "ledger-file"].filter {
      arguments.value(of: $0) == "-"
    }
    guard fromStandardInput.count < 2 else {
      throw ToolError(
        "--\(fromStandardInput[0]) and --\(fromStandardInput[1]) cannot both read standard input")
    }
    let policy = try arguments.policy()
    let threads = try arguments.count("threads", upTo: 1024) ?? 1
    let choice = try LedgerChoice(arguments)
    let batchLimit = try arguments.count("batch") ?? 1024
    let summaryFile = try arguments.value(of: "json-summary").map { path in
      guard path != "-" else {
        throw ToolError("--json-summary cannot be standard output, which has the verdicts")
      }
      return try OutputFile(
        path, of: "json-summary", not: [credentialsPath, attemptsPath] + choice.files,
        streams: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO])
    }
    var summary = BulkSummary()
    var hasBegun = false
    var failure: (any Error)?
    do {
      try checkStandardOutput()
      let (table, skippedCredentials) = try readCredentials(
        credentialsPath, backend, skipsBadLines: arguments.has("skip-bad-credentials"))
      summary.skippedCredentials = skippedCredentials
      let ledger = try waitFor { try await choice.open() }
      let reader = try LineReader(attemptsPath, of: "attempts")
      let verifier = Verifier(
        backend: backend, ledger: ledger, policy: policy, parallelism: threads)
      var progress = Progress(size: reader.size)
      defer { progress.clear() }
      summary.start()
      hasBegun = true
      Interrupt.startWatching()
      var batch = AttemptBatch()
      var lineNumbers: [Int] = []
      var output: [UInt8] = []
      while !Interrupt.isRequested,
        try reader.forNextLines(
          batchLimit,
          { number, line in
            if line?.isEmpty == true { return }
            do throws(ToolError) {
              try batch.append(attemptLine: line)
              lineNumbers.append(number)
            } catch {
              summary.badLines += 1
              printToStandardError("otp: attempts line \(number): \(error.message)")
            }
          })
      {
        let attempts = batch
        let verdicts = try waitFor { try await verifier.verify(attempts, in: table) }
        try report(verdicts, on: batch, lineNumbers, &summary, &output)
        batch.removeAll(keepingCapacity: true)
        lineNumbers.removeAll(keepingCapacity: true)
        progress.show(bytes: reader.bytesRead, count: summary.attempts)
      }
    } catch {
      failure = error
    }
    let status: ExitStatus
    if let failure {
      status = Tool.fault(failure).status
      summary.finish((failure as? OTPError)?.code.description ?? "failed", status)
    } else if Interrupt.isRequested {
      status = .interrupted
      summary.finish("interrupted", status)
    } else {
      status = summary.badLines == 0 ? .done : .wrongInput
      summary.finish("complete", status)
    }
    // A ledger that never answered leaves nothing to sum up.
    if hasBegun, failure == nil || summary.attempts > 0 { printToStandardError(summary.text) }
    do {
      try summaryFile?.write(summary.json)
    } catch {
      // What ended the run comes first.
      guard failure != nil else { throw error }
      printToStandardError("otp: the summary could not be written")
    }
    if let failure { throw failure }
    return status
  }

  /// Prints what became of each attempt of a batch.
  /// - Parameter output: memory that is used again from batch to batch.
  private static func report(
    _ verdicts: BatchVerdicts, on batch: AttemptBatch, _ lineNumbers: [Int],
    _ summary: inout BulkSummary, _ output: inout [UInt8]
  ) throws {
    output.removeAll(keepingCapacity: true)
    var failure: OTPError?
    // Where the last line ends that is certain, and its attempt's line.
    var end = 0
    var lastLine = summary.lastLine
    for (place, verdict) in verdicts.enumerated() {
      output.append(contentsOf: batch.idBytes(of: place))
      if case .failure(let error) = verdict {
        if [.ledgerUnavailable, .ledgerUncertain].contains(error.code) {
          failure = error
          output.append("\tunsettled\t-\t-\n")
          continue
        }
        if error.code != .unknownCredential {
          // A time before the credential's T0, or a failure of the backend.
          summary.badLines += 1
          printToStandardError("otp: attempts line \(lineNumbers[place]): \(error)")
        }
      }
      summary.tally.count(verdict)
      output.append(columnsOf: verdict)
      end = output.count
      lastLine = lineNumbers[place]
    }
    output.removeLast(output.count - end)
    try write(output)
    summary.lastLine = lastLine
    if let failure { throw failure }
  }

  private static func readCredentials<Backend: HMACBackend>(
    _ path: String, _ backend: Backend, skipsBadLines: Bool
  ) throws -> (table: CredentialTable<Backend>, skipped: Int) {
    let reader = try LineReader(path, of: "credentials")
    let table = CredentialTable(backend: backend)
    var skipped = 0
    func skip(_ number: Int, _ error: any Error) throws {
      let reason = (error as? OTPError)?.description ?? (error as? ToolError)?.message ?? ""
      let message = "credentials line \(number): \(reason)"
      guard skipsBadLines else {
        throw ToolError("\(message); --skip-bad-credentials goes on without it")
      }
      skipped += 1
      printToStandardError("otp: \(message)")
    }
    var credentials: [CredentialID: (number: Int, credential: Credential)] = [:]
    func insert() throws {
      defer { credentials.removeAll(keepingCapacity: true) }
      do {
        try table.insert(contentsOf: credentials.values.map(\.credential))
      } catch {
        // Some key is refused: one by one, to know which.
        for (number, credential) in credentials.values.sorted(by: { $0.number < $1.number }) {
          do { try table.insert(credential) } catch { try skip(number, error) }
        }
      }
    }
    var progress = Progress(size: reader.size, of: "credentials")
    try reader.forEachLine { number, line in
      if line?.isEmpty == true { return }
      do {
        let credential = try Credential(line)
        guard !table.contains(credential.id), credentials[credential.id] == nil else {
          throw ToolError("the id was given before")
        }
        credentials[credential.id] = (number, credential)
      } catch {
        try skip(number, error)
      }
      if credentials.count == 1024 {
        try insert()
        progress.show(bytes: reader.bytesRead, count: table.count)
      }
    }
    try insert()
    progress.clear()
    return (table, skipped)
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

extension AttemptBatch {
  /// Adds an attempt from a line of an id, a code and Unix seconds.
  fileprivate mutating func append(attemptLine line: UnsafeRawBufferPointer?) throws(ToolError) {
    guard let line else { throw .lineTooLong }
    let tab = UInt8(ascii: "\t")
    guard let first = line.firstIndex(of: tab),
      let second = line[(first + 1)...].firstIndex(of: tab),
      line[(second + 1)...].firstIndex(of: tab) == nil
    else { throw ToolError("it must be an id, a code and Unix seconds, with tabs between them") }
    var seconds: Int64 = 0
    for byte in line[(second + 1)...] {
      let digit = Int64(byte &- UInt8(ascii: "0"))
      // Ledgers count up to 2^53.
      guard digit < 10, seconds < 1 << 53 else { throw .badTime }
      seconds = seconds * 10 + digit
    }
    guard second + 1 < line.count, seconds <= 1 << 53 else { throw .badTime }
    do throws(OTPError) {
      try append(
        Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: line[(first + 1)..<second])),
        for: Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: line[..<first])),
        at: UnixTime(seconds: seconds))
    } catch {
      throw ToolError("an id has 1 to 255 bytes")
    }
  }
}

extension ToolError {
  fileprivate static var badTime: ToolError {
    ToolError("the time must be whole Unix seconds from 0 to 2^53")
  }

  fileprivate static var lineTooLong: ToolError { ToolError("the line is too long") }
}

/// The parts of a line between tabs.
private func fields(
  of line: UnsafeRawBufferPointer?
) throws(ToolError) -> [Slice<UnsafeRawBufferPointer>] {
  guard let line else { throw .lineTooLong }
  return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
}

extension [UInt8] {
  /// Appends verdict, step and detail, with tabs before them and a line end after them.
  fileprivate mutating func append(columnsOf verdict: Result<Verdict, OTPError>) {
    switch verdict {
    case .success(.accepted(let step, let offset)):
      append("\taccepted\t")
      append(decimal: step)
      append(offset < 0 ? "\t-" : "\t")
      append(decimal: UInt64(offset.magnitude))
      append("\n")
    case .success(.replayed): append("\treplayed\t-\t-\n")
    case .success(.mismatch): append("\tmismatch\t-\t-\n")
    case .success(.malformed): append("\tmalformed\t-\t-\n")
    case .success(.throttled(UnixTime(seconds: .max))): append("\tthrottled\t-\t-\n")
    case .success(.throttled(let retryAt)):
      append("\tthrottled\t-\t")
      append(decimal: UInt64(retryAt.seconds))
      append("\n")
    case .failure: append("\tunknown\t-\t-\n")
    }
  }

  fileprivate mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  private mutating func append(decimal number: UInt64) {
    let start = count
    var rest = number
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
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
  fileprivate func count(_ name: String, upTo limit: Int = 1_000_000) throws -> Int? {
    let range = "a whole number from 1 to \(limit)"
    guard let count = try integer(name, as: Int.self, range) else { return nil }
    guard (1...limit).contains(count) else { throw ToolError("--\(name) must be \(range)") }
    return count
  }
}
