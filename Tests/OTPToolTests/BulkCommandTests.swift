import Foundation
import OTP
import OTPTestSupport
import Testing

@Suite struct BulkCommandTests {
  private let folder = TemporaryFolder()
  private let step: UInt64 = 55_000_000
  private var time: Int64 { Int64(step) * 30 }

  private func write(_ name: String, _ text: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func secret(_ user: Int) throws -> Secret {
    try Secret(bytes: (0..<20).map { UInt8(truncatingIfNeeded: user >> ($0 % 4 * 8) &+ $0) })
  }

  /// One attempt with the right code for each user.
  private func rightAttempts(_ users: Int) throws -> String {
    try write(
      "attempts", (0..<users).map { "u\($0)\t\(try code($0, step))\t\(time)\n" }.joined())
  }

  private func credentials(_ count: Int) throws -> String {
    try write(
      "credentials",
      (0..<count).map { user in
        let uri = try OTPAuthURI(
          factor: .totp(TOTP()), issuer: nil, account: "u\(user)", secret: secret(user))
        return "u\(user)\t\(uri.text)\n"
      }.joined())
  }

  private func code(_ user: Int, _ step: UInt64) throws -> String {
    try HOTP().code(for: secret(user), counter: step).text
  }

  @Test(arguments: ["memory"] + sharedLedgers)
  func verdictsInOrder(kind: String) async throws {
    let wrong = "\(try code(1, step) == "000000" ? "000001" : "000000")"
    let attempts = try write(
      "attempts",
      """
      u0\t\(code(0, step))\t\(time)
      u0\t\(code(0, step))\t\(time + 1)
      u0\t\(code(0, step - 1))\t\(time + 1)
      u0\t\(code(0, step + 1))\t\(time + 2)
      u1\t\(wrong)\t\(time)
      u1\t12 34\t\(time)
      u1\t\t\(time)
      u1\t\(wrong)\t\(time)
      u1\t\(code(1, step))\t\(time + 59)
      u1\t\(code(1, step))\t\(time + 60)
      nobody\t123456\t\(time)
      u2\t \(code(2, step - 1).prefix(3))-\(code(2, step - 1).suffix(3))\t\(time)\r

      """)
    let summaryPath = folder.path + "/summary-\(kind)"
    for backend in ["swift", "openssl", "openssl-compact", "gcrypt", "gcrypt-compact"] {
      let ledger = try await newLedger(kind, in: folder)
      let run = try ToolRun([
        "bulk", "--credentials", credentials(3), "--attempts", attempts, "--ledger", ledger,
        "--lockout", "2,60", "--json-summary", summaryPath, "--backend", backend, "--threads", "2",
      ])
      #expect(
        run.output == """
          u0\taccepted\t55000000\t0
          u0\treplayed\t-\t-
          u0\treplayed\t-\t-
          u0\taccepted\t55000001\t1
          u1\tmismatch\t-\t-
          u1\tmalformed\t-\t-
          u1\tmalformed\t-\t-
          u1\tmismatch\t-\t-
          u1\tthrottled\t-\t\(time + 60)
          u1\tmismatch\t-\t-
          nobody\tunknown\t-\t-
          u2\taccepted\t54999999\t-1

          """)
      #expect(run.status == 0)
      #expect(run.errors.contains("12 attempts in "))
      #expect(
        run.errors.contains(
          "3 accepted, 2 replayed, 3 mismatch, 2 malformed, 1 throttled, 1 unknown"))
      #expect(run.errors.contains("accepted by offset: -1: 1, 0: 1, 1: 1"))
      let summary = try JSONDecoder().decode(
        Summary.self, from: Data(contentsOf: URL(fileURLWithPath: summaryPath)))
      #expect(summary.attempts == 12)
      #expect(summary.end == "complete" && summary.skippedCredentials == 0)
      #expect(summary.status == 0 && summary.lastLine == 12)
      #expect(summary.accepted == 3)
      #expect(summary.offsets == ["-1": 1, "0": 1, "1": 1])
    }
  }

  private struct Summary: Decodable {
    let end: String
    let skippedCredentials: Int
    let status: Int32
    let lastLine: Int
    let attempts: Int
    let accepted: Int
    let badLines: Int
    let offsets: [String: Int]
  }

  @Test func badAttemptLinesDoNotStopTheRun() throws {
    let attempts = try write(
      "attempts",
      "u0\t\(code(0, step))\n#\nu0\t123456\tnow\nu0\t123456\t-1\n\t123456\t1\nu0\t1\t2\t3\n"
        + String(repeating: "x", count: 200_000) + "\nu0\t123456\t9223372036854775807\n"
        + "u1\t\(code(1, step))\t\(time)")
    let run = try ToolRun(["bulk", "--credentials", credentials(2), "--attempts", attempts])
    #expect(run.output == "u1\taccepted\t55000000\t0\n")
    #expect(run.status == 2)
    for line in 1...8 { #expect(run.errors.contains("otp: attempts line \(line): ")) }
    #expect(run.errors.contains("8 bad lines"))
    #expect(!run.errors.contains("123456"))
  }

  /// Empty lines are neither attempts nor credentials nor bad lines, but they are counted; a comment is no empty line.
  @Test func emptyLines() throws {
    let known = try String(contentsOfFile: credentials(2), encoding: .utf8)
    let spaced = try write(
      "spaced", "\n\r\n" + known.replacingOccurrences(of: "\n", with: "\r\n\n\r\n") + "\n")
    let attempts = try write(
      "attempts",
      "\n\r\nu0\t\(code(0, step))\t\(time)\n\n\n# a comment\n\nu1\t\(code(1, step))\t\(time)\r\n\n\r"
    )
    let summaryPath = folder.path + "/summary"
    for batch in ["1", "3", "1024"] {
      let run = try ToolRun([
        "bulk", "--credentials", spaced, "--attempts", attempts, "--batch", batch,
        "--json-summary", summaryPath,
      ])
      #expect(run.output == "u0\taccepted\t55000000\t0\nu1\taccepted\t55000000\t0\n")
      let lines = run.errors.split(separator: "\n")
      #expect(lines.count == 3, "\(run.errors)")
      #expect(lines.first?.hasPrefix("otp: attempts line 6: ") == true, "\(run.errors)")
      #expect(run.errors.contains(": 2 accepted, 1 bad line\n"), "\(run.errors)")
      #expect(run.status == 2)
      // How the run ended, and what it came to, are told apart.
      let summary = try readSummary(summaryPath)
      #expect(summary.end == "complete" && summary.status == 2 && summary.badLines == 1)
      #expect(summary.lastLine == 8)
    }
    for comment in ["# a comment", " "] {
      let commented = try write("commented", "\n" + known + comment + "\n")
      let refused = try ToolRun(["bulk", "--credentials", commented, "--attempts", attempts])
      #expect(refused.isRefusal())
      #expect(refused.errors.contains("credentials line 4: "), "\(refused.errors)")
    }
    // An id may begin with the sign of a comment.
    let signed = try write("signed", "#" + known)
    let attempt = try write("attempt", "#u0\t\(code(0, step))\t\(time)\n")
    let run = try ToolRun(["bulk", "--credentials", signed, "--attempts", attempt])
    #expect(run.output == "#u0\taccepted\t55000000\t0\n" && run.status == 0)
    #expect(run.errors.hasPrefix("1 attempt in "), "\(run.errors)")
  }

  private func readSummary(_ path: String) throws -> Summary {
    try JSONDecoder().decode(Summary.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func badCredentialsAreNamed() throws {
    let good = "good\totpauth://totp/a?secret=JBSWY3DPEHPK3PXP\n"
    let attempts = try write("attempts", "good\t000000\t\(time)\nbad\t000000\t\(time)\n")
    for (bad, kind) in [
      ("bad\totpauth://totp/a?secret=JBSWY3D0", "invalidSecret"), ("bad", "an id, a tab"),
      ("good\totpauth://totp/a?secret=AA", "given before"),
      ("\totpauth://totp/a?secret=AA", "1 to 255"),
      ("bad\thttps://x", "invalidScheme"),
    ] {
      let path = try write("some", good + bad + "\n")
      let refused = try ToolRun(["bulk", "--credentials", path, "--attempts", attempts])
      #expect(refused.isRefusal(), "\(refused)")
      #expect(refused.errors.contains("credentials line 2: "))
      #expect(refused.errors.contains(kind))
      #expect(!refused.errors.contains("JBSW"))
      let skipped = try ToolRun([
        "bulk", "--credentials", path, "--attempts", attempts, "--skip-bad-credentials",
      ])
      #expect(skipped.output == "good\tmismatch\t-\t-\nbad\tunknown\t-\t-\n")
      #expect(skipped.errors.hasSuffix(", 1 credential skipped\n"), "\(skipped.errors)")
      #expect(skipped.status == 0)
    }
  }

  @Test(arguments: [
    ["--ledger", "disk"], ["--ledger", "sqlite:"], ["--window", "1"], ["--window", "-1,0"],
    ["--lockout", "0,1"], ["--lockout", "5,0"], ["--lockout", "101,1"], ["--backoff", "0,1"],
    ["--lockout", "1,1", "--backoff", "1,1"], ["--threads", "0"], ["--batch", "0"],
    ["--batch", "x"],
    ["--look-ahead", "101"], ["--drift", "-1"], ["--backend", "x"],
  ])
  func refused(_ options: [String]) throws {
    let attempts = try write("attempts", "u0\t000000\t1\n")
    let run = try ToolRun(
      ["bulk", "--credentials", credentials(1), "--attempts", attempts] + options)
    #expect(run.isRefusal(), "\(run)")
  }

  /// A summary that cannot be written is known before a code is used up, and one of a run that failed says so.
  @Test func summariesOfRunsThatFail() throws {
    let path = "\(folder.path)/ledger-summary"
    let attempts = try write("attempts", "u0\t\(code(0, step))\t\(time)\n")
    let arguments = [
      "bulk", "--credentials", try credentials(1), "--attempts", attempts, "--ledger",
      "sqlite:\(path)", "--json-summary",
    ]
    #expect(try ToolRun(arguments + ["/nonexistent/x"]).isRefusal(status: 3))
    #expect(try ToolRun(arguments + ["-"]).isRefusal())
    #expect(try ToolRun(arguments + ["/dev/null"]).output == "u0\taccepted\t55000000\t0\n")

    // The ledger's own file, and what else the run uses.
    for path in ["\(path)", attempts] {
      #expect(try ToolRun(arguments + [path]).isRefusal(), "\(path)")
    }
    #expect(try ToolRun(arguments + ["/dev/null"]).output == "u0\treplayed\t-\t-\n")

    // Standard output is full, or nobody reads it.
    let fullPath = "\(folder.path)/summary-of-full"
    let full = try run(
      "/bin/sh",
      ["-c", "\"$0\" \"$@\" > /dev/full 2> /dev/null; echo $?", ToolRun.tool.path]
        + arguments + [fullPath])
    #expect(full == "3")
    let ofFull = try readSummary(fullPath)
    // The verdict was not printed, although the code is used up.
    #expect(ofFull.end == "failed" && ofFull.status == 3 && ofFull.lastLine == 0)

    // The summary itself is larger than a file may be: that is an error and no end by a signal.
    let limited = try run(
      "/bin/sh",
      ["-c", "ulimit -f 0; \"$0\" \"$@\" 2> /dev/null; echo $?", ToolRun.tool.path]
        + ["bulk", "--credentials", try credentials(1), "--attempts", attempts]
        + ["--json-summary", "\(folder.path)/limited"])
    #expect(limited == "u0\taccepted\t55000000\t0\n3")

    // A run that could not begin: what an earlier one wrote is no longer true.
    let old = try write("old", "{\"end\": \"complete\"}")
    let unopened = try ToolRun([
      "bulk", "--credentials", credentials(1), "--attempts", attempts, "--ledger",
      "sqlite:/nonexistent/x", "--json-summary", old,
    ])
    #expect(unopened.isRefusal(status: 3))
    #expect(unopened.errors.hasSuffix("cannot be opened: there is no folder /nonexistent\n"))
    let ofUnopened = try readSummary(old)
    #expect(ofUnopened.end == "ledgerUnavailable" && ofUnopened.status == 3)
    #expect(ofUnopened.lastLine == 0)

    let some = try write("some", "bad\nu0\totpauth://totp/a?secret=JBSWY3DPEHPK3PXP\n")
    let summaryPath = "\(folder.path)/summary-of-failure"
    let run = try ToolRun([
      "bulk", "--credentials", some, "--attempts", attempts, "--skip-bad-credentials",
      "--ledger", "redis://127.0.0.1:1", "--json-summary", summaryPath,
    ])
    #expect(run.status == 3)
    // Nothing was settled, so there is no summary but the file's.
    #expect(!run.errors.contains("0 attempts"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(run.errors.split(separator: "\n").last?.hasPrefix("otp: ledgerUnavailable") == true)
    let summary = try JSONDecoder().decode(
      Summary.self, from: Data(contentsOf: URL(fileURLWithPath: summaryPath)))
    #expect(summary.end == "ledgerUnavailable" && summary.status == 3 && summary.lastLine == 0)
    #expect(summary.attempts == 0 && summary.skippedCredentials == 1)
  }

  /// A summary is no file in use either that is only there once the run has begun: the ledger's own, and those that
  /// SQLite keeps beside it.
  @Test func summariesOverFilesThatAreMadeLater() throws {
    let attempts = try write("attempts", "u0\t\(code(0, step))\t\(time)\n")
    let arguments = ["bulk", "--credentials", try credentials(1), "--attempts"]
    for (number, suffix) in ["", "-wal", "-shm", "-journal"].enumerated() {
      let path = "\(folder.path)/later\(number)"
      let withLedger = arguments + [attempts, "--ledger", "sqlite:\(path)"]
      let summary = path + suffix
      #expect(try ToolRun(withLedger + ["--json-summary", summary]).isRefusal(), "\(suffix)")
      #expect(!FileManager.default.fileExists(atPath: summary), "\(suffix)")
      #expect(try ToolRun(withLedger).output == "u0\taccepted\t55000000\t0\n", "\(suffix)")
      #expect(try ToolRun(withLedger).output == "u0\treplayed\t-\t-\n", "\(suffix)")
    }
    let missing = "\(folder.path)/missing"
    #expect(try ToolRun(arguments + [missing, "--json-summary", missing]).isRefusal())
    #expect(!FileManager.default.fileExists(atPath: missing))
    // Through a link that leads nowhere yet.
    let (link, linked) = ("\(folder.path)/link", "\(folder.path)/linked")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: linked)
    let linkedRun = try ToolRun(
      arguments + [attempts, "--ledger", "sqlite:\(linked)", "--json-summary", link])
    #expect(linkedRun.isRefusal())
    // SQLite keeps its other files beside the one that a link leads to, be that there or not yet.
    let (ledgerLink, ledger) = ("\(folder.path)/ledger-link", "\(folder.path)/real-ledger")
    try FileManager.default.createSymbolicLink(
      atPath: ledgerLink, withDestinationPath: "real-ledger")
    for output in ["accepted\t55000000\t0", "replayed\t-\t-"] {
      let withLedger = arguments + [attempts, "--ledger", "sqlite:\(ledgerLink)"]
      let log = ledger + "-wal"
      let before = FileManager.default.contents(atPath: log)
      #expect(try ToolRun(withLedger + ["--json-summary", log]).isRefusal())
      #expect(FileManager.default.contents(atPath: log) == before)
      #expect(try ToolRun(withLedger).output == "u0\t\(output)\n")
    }
    // The messages would be lost.
    let log = "\(folder.path)/log"
    let status = try run(
      "/bin/sh",
      ["-c", "\"$0\" \"$@\" 2> '\(log)'; echo $?", ToolRun.tool.path]
        + arguments + [attempts, "--json-summary", log])
    #expect(status == "2")
  }

  /// Standard output that nobody can write to is known before a code is used up.
  @Test(arguments: [">&-", "1</dev/null"])
  func closedOutput(redirection: String) throws {
    let arguments = [
      "bulk", "--credentials", try credentials(1), "--attempts",
      try write("attempts", "u0\t\(code(0, step))\t\(time)\n"), "--ledger",
      "sqlite:\(folder.path)/ledger-closed",
    ]
    let script = "\"$0\" \"$@\" \(redirection) 2> /dev/null; echo $? >&3"
    let status = try run(
      "/bin/sh",
      ["-c", "exec 3>&1; \(script)", ToolRun.tool.path] + arguments)
    #expect(status == "3")
    #expect(try ToolRun(arguments).output == "u0\taccepted\t55000000\t0\n")
  }

  @Test func neededOptions() throws {
    #expect(try ToolRun(["bulk"]).isRefusal())
    #expect(try ToolRun(["bulk", "--credentials", "-"]).isRefusal())
    #expect(try ToolRun(["bulk", "--credentials", "-", "--attempts", "-"]).isRefusal())
    let (known, attempts) = (try credentials(1), try rightAttempts(1))
    for others in [
      ["--credentials", "-", "--attempts", attempts], ["--credentials", known, "--attempts", "-"],
    ] {
      let run = try ToolRun(["bulk", "--ledger-file", "-"] + others, input: "memory\n")
      #expect(run.isRefusal(), "\(others)")
    }
    #expect(try ToolRun(["bulk", "--credentials", "/nonexistent", "--attempts", "-"]).isRefusal())
    #expect(
      try ToolRun(["bulk", "--credentials", credentials(1), "--attempts", "/nonexistent"])
        .isRefusal())
  }

  /// A run goes on where the one before it ended.
  @Test(arguments: sharedLedgers)
  func stateIsKept(kind: String) async throws {
    let ledger = try await newLedger(kind, in: folder)
    let attempts = try write("attempts", "u0\t\(code(0, step))\t\(time)\n")
    let arguments = [
      "bulk", "--credentials", try credentials(1), "--attempts", attempts, "--ledger", ledger,
    ]
    #expect(try ToolRun(arguments).output == "u0\taccepted\t55000000\t0\n")
    #expect(try ToolRun(arguments).output == "u0\treplayed\t-\t-\n")
  }

  /// Eight processes with the same attempts on one ledger: each code is accepted once, in all.
  @Test(arguments: sharedLedgers)
  func race(kind: String) async throws {
    let users = 20_000
    let ledger = try await newLedger(kind, in: folder)
    let credentials = try credentials(users)
    let attempts = try rightAttempts(users)
    let processes = try (0..<8).map { number in
      let output = "\(folder.path)/output-\(number)"
      try Data().write(to: URL(fileURLWithPath: output))
      let process = Process()
      process.executableURL = try ToolRun.tool
      process.arguments = [
        "bulk", "--credentials", credentials, "--attempts", attempts, "--ledger", ledger,
        "--batch", "\(100 + number * 50)",
      ]
      process.standardOutput = FileHandle(forWritingAtPath: output)
      process.standardError = FileHandle.nullDevice
      try process.run()
      return (process, output)
    }
    var accepted: [Substring: Int] = [:]
    for (process, output) in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == users)
      for line in lines {
        let fields = line.split(separator: "\t")
        if fields[1] == "accepted" {
          accepted[fields[0], default: 0] += 1
        } else {
          #expect(fields[1] == "replayed")
        }
      }
    }
    #expect(accepted.count == users)
    #expect(accepted.values.allSatisfy { $0 == 1 })
  }

  /// A process that is killed in the middle of a run: what it printed as accepted is never accepted again.
  @Test(arguments: sharedLedgers)
  func killedRun(kind: String) async throws {
    let users = 20_000
    let ledger = try await newLedger(kind, in: folder)
    let credentials = try credentials(users)
    let attempts = try rightAttempts(users)
    let arguments = [
      "bulk", "--credentials", credentials, "--attempts", attempts, "--ledger", ledger,
      "--batch", "64",
    ]
    var accepted: Set<Substring> = []
    var total = 0
    for limit in [1_000, 5_000, Int.max] {
      let process = Process()
      process.executableURL = try ToolRun.tool
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      var text = Data()
      while case let piece = output.fileHandleForReading.availableData, !piece.isEmpty {
        text += piece
        if text.count / 20 > limit { kill(process.processIdentifier, SIGKILL) }
      }
      process.waitUntilExit()
      let complete = text.lastIndex(of: UInt8(ascii: "\n")).map { text[...$0] } ?? Data()
      for line in String(decoding: complete, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: "\t")
        guard fields[1] == "accepted" else { continue }
        total += 1
        accepted.insert(fields[0])
      }
      #expect((process.terminationReason == .exit) == (limit == .max))
    }
    #expect(accepted.count == total, "an accepted code was accepted again")
    #expect(total > 5_000)
  }

  /// The interrupt signal ends the run between two batches: all that was settled is printed.
  @Test(arguments: sharedLedgers)
  func interruptedRun(kind: String) async throws {
    let ledger = try await newLedger(kind, in: folder)
    let process = Process()
    process.executableURL = try ToolRun.tool
    process.arguments = [
      "bulk", "--credentials", try credentials(2), "--attempts", "-", "--ledger", ledger,
      "--json-summary", "\(folder.path)/interrupted",
    ]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("\nu0\t\(code(0, step))\t\(time)\n".utf8))
    // The answer comes although the input stays open.
    let first = output.fileHandleForReading.availableData
    #expect(String(decoding: first, as: UTF8.self) == "u0\taccepted\t55000000\t0\n")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("1 attempt in "))
    let summary = try readSummary("\(folder.path)/interrupted")
    #expect(summary.end == "interrupted" && summary.status == 130 && summary.lastLine == 2)
  }

  /// The disk is full: the run ends with status 3, what is not printed was not accepted, and a run of the lines
  /// after the last one that was settled goes on with it, whatever empty and bad lines are between.
  @Test func fullDisk() throws {
    let users = 20_000
    let credentials = try credentials(users)
    let attempts = try write(
      "attempts", (0..<users).map { "\nu\($0)\t\(try code($0, step))\t\(time)\nbad\n" }.joined())
    let disk = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    // The small disk is seen by this process alone, and goes with it.
    process.arguments = [
      "--user", "--map-root-user", "--mount", "/bin/sh", "-c",
      """
      mount -t tmpfs -o size=300k tmpfs "$1" || exit 99
      "$0" bulk --credentials "$2" --attempts "$3" --ledger "sqlite:$1/ledger" \\
        --json-summary "$4/summary" 2> "$4/errors" > "$4/first"
      status=$?
      mount -o remount,size=100m "$1" || exit 98
      last=$(sed -n 's/.*"lastLine" : \\([0-9]*\\).*/\\1/p' "$4/summary")
      tail -n +$((last + 1)) "$3" |
        "$0" bulk --credentials "$2" --attempts - --ledger "sqlite:$1/ledger" 2> /dev/null > "$4/second"
      exit $status
      """, try ToolRun.tool.path, disk, credentials, attempts, folder.path,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    let errors = try String(contentsOfFile: folder.path + "/errors", encoding: .utf8)
    #expect(errors.contains("otp: ledgerUnavailable: SQLite failed at "))
    let first = try String(contentsOfFile: folder.path + "/first", encoding: .utf8)
    let second = try String(contentsOfFile: folder.path + "/second", encoding: .utf8)
    let printed = first.split(separator: "\n")
    #expect(!printed.isEmpty && printed.count < users)
    let summary = try readSummary(folder.path + "/summary")
    #expect(summary.end == "ledgerUnavailable" && summary.status == 3)
    // Three lines for each user: an empty one, the attempt, and a bad one.
    #expect(summary.lastLine == 3 * printed.count - 1)
    let accepted = (0..<users).map { "u\($0)\taccepted\t\(step)\t0" }
    #expect(printed.elementsEqual(accepted.prefix(printed.count)) { $0 == $1 })
    let rest = second.split(separator: "\n")
    #expect(rest.elementsEqual(accepted.dropFirst(printed.count)) { $0 == $1 })
  }

  /// Whoever made the pipe may have left it non-blocking, and reads when they like.
  @Test func nonBlockingOutput() throws {
    let count = 20_000
    let attempts = String(repeating: "u0\tno code\t\(time)\n", count: count)
    let process = Process()
    process.executableURL = try ToolRun.tool
    process.arguments = [
      "bulk", "--credentials", try credentials(1), "--attempts",
      try write("many", attempts), "--batch", "\(count)",
    ]
    let output = Pipe()
    let writing = output.fileHandleForWriting.fileDescriptor
    #expect(fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK) == 0)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilFull(output.fileHandleForReading.fileDescriptor, process)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text == String(repeating: "u0\tmalformed\t-\t-\n", count: count))
  }

  /// Waits until a pipe takes no more, or its writer has ended.
  private func waitUntilFull(_ descriptor: Int32, _ process: Process) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var waiting: Int32 = 0
    // The pipe of a process has 64 KiB, in pages of 4 KiB that need not be full.
    while process.isRunning, waiting < 60_000 {
      try #require(ContinuousClock.now < deadline)
      #expect(ioctl(descriptor, UInt(FIONREAD), &waiting) == 0)
      usleep(1000)
    }
  }

  #if os(Linux)
    /// Memory does not grow with the number of attempts.
    @Test func streamsItsInput() throws {
      let outputPath = try write("output", "")
      let process = Process()
      process.executableURL = try ToolRun.tool
      process.arguments = ["bulk", "--credentials", try credentials(1), "--attempts", "-"]
      // Where the tool is built for the address sanitizer, that keeps freed memory unless told otherwise.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["ASAN_OPTIONS": "quarantine_size_mb=1"]
      ) { $1 }
      let input = Pipe()
      process.standardInput = input
      process.standardOutput = FileHandle(forWritingAtPath: outputPath)
      process.standardError = FileHandle.nullDevice
      try process.run()
      let malformed = "u0\tno code\t\(time)\n"
      let answerLength = "u0\tmalformed\t-\t-\n".utf8.count
      var answered = 0

      /// Kilobytes at the most so far, once so many more attempts are answered.
      func peak(after attempts: Int) throws -> Int {
        let piece = Data(String(repeating: malformed, count: 1000).utf8)
        for _ in 0..<(attempts / 1000) { try input.fileHandleForWriting.write(contentsOf: piece) }
        answered += attempts
        var status = stat()
        let deadline = ContinuousClock.now + .seconds(120)
        repeat {
          guard process.isRunning, ContinuousClock.now < deadline,
            stat(outputPath, &status) == 0
          else { return .max }
          usleep(1000)
        } while status.st_size < answered * answerLength
        let file = FileHandle(forReadingAtPath: "/proc/\(process.processIdentifier)/status")
        let text = String(decoding: try file?.readToEnd() ?? Data(), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
      }

      let short = try peak(after: 10_000)
      let long = try peak(after: 400_000)
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      // Attempts that were kept would take more than 100 bytes each, 40 MB in all.
      #expect(long < short + 16_000, "kilobytes: \(short), then \(long)")
    }
  #endif
}
