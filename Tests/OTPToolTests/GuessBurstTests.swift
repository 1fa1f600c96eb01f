import Foundation
import OTP
import OTPTestSupport
import Testing

@Suite struct GuessBurstTests {
  private let folder = TemporaryFolder()
  private let time: Int64 = 1_650_000_010

  private func code(_ secret: Secret, at seconds: Int64) throws -> String {
    try TOTP().code(for: secret, at: UnixTime(seconds: seconds)).text
  }

  /// Eight processes guess at one credential at once, twenty wrong codes each and then the right one: all of
  /// them together get three answers, and the lock that these set holds for the right code too.
  @Test(arguments: sharedLedgers)
  func guessBurst(kind: String) async throws {
    let ledger = try await newLedger(kind, in: folder)
    let secret = try Secret(bytes: Array("20 bytes of one key.".utf8))
    let uri = try OTPAuthURI(factor: .totp(TOTP()), issuer: nil, account: "u", secret: secret).text
    let credentials = folder.path + "/credentials"
    // The processes' own credentials show that they are ready.
    let lines = ["guessed\t\(uri)\n"] + (0..<8).map { "ready-\($0)\t\(uri)\n" }
    try lines.joined().write(toFile: credentials, atomically: false, encoding: .utf8)
    let window = try [time - 30, time, time + 30].map { try code(secret, at: $0) }
    let wrong = (100_000..<100_030).map(String.init).filter { !window.contains($0) }.prefix(20)
    let burst = (wrong + [window[1]]).map { "guessed\t\($0)\t\(time)\n" }.joined()

    func bulk(_ batch: Int) throws -> GuessingProcess {
      try GuessingProcess([
        "bulk", "--credentials", credentials, "--attempts", "-", "--ledger", ledger,
        "--lockout", "3,300", "--batch", "\(batch)",
      ])
    }

    // One guess at a time, all of them at once, and something between.
    let processes = try (0..<8).map { try bulk([1, 2, 7, 100][$0 % 4]) }
    for (number, process) in processes.enumerated() {
      try process.write("ready-\(number)\t\(window[1])\t\(time)\n")
      #expect(try process.readLine() == "ready-\(number)\taccepted\t55000000\t0")
    }
    for process in processes { try process.write(burst) }
    var verdicts: [String: Int] = [:]
    for process in processes {
      let lines = try process.readToEnd()
      #expect(lines.count == 21)
      for line in lines { verdicts[line, default: 0] += 1 }
    }
    let locked = "guessed\tthrottled\t-\t\(time + 300)"
    #expect(verdicts == ["guessed\tmismatch\t-\t-": 3, locked: 8 * 21 - 3])

    // The right code of its time, in the last second of the lock and after it.
    let after = try bulk(1)
    for seconds in [time + 299, time + 300] {
      try after.write("guessed\t\(code(secret, at: seconds))\t\(seconds)\n")
    }
    #expect(try after.readToEnd() == [locked, "guessed\taccepted\t55000010\t0"])
  }
}

/// A run of the tool that gets its input while it runs.
private struct GuessingProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ arguments: [String]) throws {
    process.executableURL = try ToolRun.tool
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func write(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// The line that answers the only attempt so far: the tool writes it at once.
  func readLine() throws -> String {
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    try #require(text.last == "\n")
    return String(text.dropLast())
  }

  /// The lines that are left, after the input has ended.
  func readToEnd() throws -> [String] {
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
