import Foundation
import OTP
import OTPTestSupport
import Testing

@Suite struct LedgerCommandTests {
  private let folder = TemporaryFolder()
  private let time: Int64 = 1_650_000_010
  private let step = 55_000_000

  /// A user who locked themself out is let in again, and a code that was used stays used until everything is reset.
  @Test(arguments: sharedLedgers)
  func aLockIsShownAndEnded(kind: String) async throws {
    let ledger = try await newLedger(kind, in: folder)
    let secret = try Secret(bytes: Array("20 bytes of one key.".utf8))
    let uri = try OTPAuthURI(factor: .totp(TOTP()), issuer: nil, account: "u", secret: secret).text
    let credentials = folder.path + "/credentials"
    try "a user\t\(uri)\n".write(toFile: credentials, atomically: false, encoding: .utf8)
    let right = try TOTP().code(for: secret, at: UnixTime(seconds: time)).text
    // One digit is another.
    let wrong = (right.first == "0" ? "1" : "0") + right.dropFirst()

    func verdicts(_ codes: [String]) throws -> [String] {
      let run = try ToolRun(
        [
          "bulk", "--credentials", credentials, "--attempts", "-", "--ledger", ledger,
          "--window", "0,0", "--lockout", "2,300",
        ],
        input: codes.map { "a user\t\($0)\t\(time)\n" }.joined())
      #expect(run.status == 0)
      return run.output.split(separator: "\n").map { String($0.dropFirst("a user\t".count)) }
    }
    func state() throws -> String {
      let run = try ToolRun(["ledger", "state", "a user", "--ledger", ledger, "--json"])
      #expect(run.status == 0 && run.errors.isEmpty)
      return run.output
    }
    func reset(_ more: [String] = []) throws {
      let run = try ToolRun(["ledger", "reset", "--ledger", ledger] + more + ["--", "a user"])
      #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
    }

    #expect(
      try verdicts([wrong, wrong, right])
        == ["mismatch\t-\t-", "mismatch\t-\t-", "throttled\t-\t\(time + 300)"])
    #expect(
      try state()
        == #"{"drift":0,"failures":2,"lockedForGood":false,"lockedUntil":\#(time + 300)}"# + "\n")
    let text = try ToolRun(["ledger", "state", "a user", "--ledger", ledger])
    #expect(
      text.output
        == "  last step  none\n  failures   2\n  locked     until \(time + 300)\n  drift      0\n")

    try reset()
    #expect(try state() == #"{"drift":0,"failures":0,"lockedForGood":false}"# + "\n")
    #expect(try verdicts([right, wrong]) == ["accepted\t\(step)\t0", "mismatch\t-\t-"])
    try reset()
    #expect(
      try state() == #"{"drift":0,"failures":0,"lastStep":\#(step),"lockedForGood":false}"# + "\n")
    #expect(try verdicts([right]) == ["replayed\t-\t-"])
    try reset(["--everything"])
    #expect(try verdicts([right]) == ["accepted\t\(step)\t0"])
  }

  /// A hundred wrong codes in a row lock for good, whatever the policy says.
  @Test func aLockForGoodIsSaid() throws {
    let ledger = "sqlite:\(folder.path)/ledger"
    let secret = try Secret(bytes: Array("20 bytes of one key.".utf8))
    let uri = try OTPAuthURI(factor: .totp(TOTP()), issuer: nil, account: "u", secret: secret).text
    let credentials = folder.path + "/credentials"
    try "u\t\(uri)\n".write(toFile: credentials, atomically: false, encoding: .utf8)
    let right = try TOTP().code(for: secret, at: UnixTime(seconds: time)).text
    let wrong = (right.first == "0" ? "1" : "0") + right.dropFirst()
    let run = try ToolRun(
      [
        "bulk", "--credentials", credentials, "--attempts", "-", "--ledger", ledger,
        "--window", "0,0", "--lockout", "100,1",
      ], input: String(repeating: "u\t\(wrong)\t\(time)\n", count: 100))
    #expect(run.status == 0)
    let text = try ToolRun(["ledger", "state", "u", "--ledger", ledger])
    #expect(text.output.contains("locked     until a reset\n"))
    let json = try ToolRun(["ledger", "state", "u", "--ledger", ledger, "--json"])
    #expect(json.output == #"{"drift":0,"failures":100,"lockedForGood":true}"# + "\n")
  }

  /// A mistyped name is no ledger without locks, and no new file.
  @Test(arguments: ["state", "reset"])
  func aLedgerMustBeThere(command: String) throws {
    let path = folder.path + "/missing"
    let missing = try ToolRun(["ledger", command, "u", "--ledger", "sqlite:" + path])
    #expect(missing.isRefusal(status: 3) && missing.errors.contains(path))
    #expect(!FileManager.default.fileExists(atPath: path))
    for arguments in [[], ["--ledger", "memory"], ["--ledger", "sqlite"]] {
      #expect(try ToolRun(["ledger", command, "u"] + arguments).isRefusal())
    }
    #expect(try ToolRun(["ledger", command, "", "--ledger", "sqlite:" + path]).isRefusal())
    #expect(try ToolRun(["ledger", command, "--ledger", "sqlite:" + path]).isRefusal())
  }
}
