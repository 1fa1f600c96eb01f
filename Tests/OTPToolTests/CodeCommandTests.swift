import Foundation
import OTPTestSupport
import Testing

private let rawKey = ["--key-file", "-", "--key-format", "raw"]
private let backends = ["swift", "openssl", "openssl-compact", "gcrypt", "gcrypt-compact"]

@Suite struct CodeCommandTests {
  @Test(arguments: backends)
  func issueVectors(backend: String) throws {
    let key = "12345678901234567890"
    let arguments = ["code"] + rawKey + ["--digits", "8", "--backend", backend]
    let late = try ToolRun(arguments + ["--at", "20000000000"], input: key)
    #expect(late.output == "65353130\n")
    #expect(late.status == 0)
    #expect(late.errors.isEmpty)
    #expect(try ToolRun(arguments + ["--at", "60"], input: key).output == "37359152\n")
  }

  @Test(arguments: backends, rfc6238Vectors)
  func rfc6238(backend: String, vector: TOTPVector) throws {
    let run = try ToolRun(
      ["code"] + rawKey + [
        "--digits", "8", "--backend", backend, "--algorithm", vector.algorithm.rawValue,
        "--at", "\(vector.time.seconds)",
      ], input: vector.key)
    #expect(run.output == vector.code + "\n")
  }

  @Test(arguments: [
    ["--at", "-1"], ["--digits", "9"], ["--digits", "0"], ["--digits", "six"], ["--digits", "６"],
    ["--period", "0"], ["--period", "-30"], ["--period", "0.5"], ["--period", "0.001"],
    ["--at", "-0.5"], ["--at", "nan"], ["--at", "+inf"], ["--at", "-inf"], ["--at", "1e+300"],
    ["--at", "59.5"], ["--at", "+59"], ["--at", ""], ["--at", "0x3b"], ["--at", "1_000"],
    ["--at", "9223372036854775808"], ["--at-ms", "-1"], ["--at-ms", "x"],
    ["--at", "59", "--at-ms", "59000"], ["--at", "59", "--t0", "60"], ["--at", "59", "--at", "60"],
    ["--counter", "-1"], ["--counter", "18446744073709551616"],
    ["--counter", "-9223372036854775808"], ["--counter", "1", "--at", "59"],
    ["--counter", "1", "--period", "30"], ["--algorithm", "md5"], ["--algorithm", "crc32"],
    ["--algorithm", ""], ["--backend", "libressl"], ["--key-format", "pem"], ["--bogus"], ["-x"],
    ["--json=yes"], ["--json", "-xy"], ["--digits", "06"], ["--at", "-0"], ["--at"], ["extra"],
    ["--uri-file", "-"], ["--key-file", "-"],
  ])
  func refused(_ arguments: [String]) throws {
    let run = try ToolRun(["code"] + rawKey + arguments, input: "12345678901234567890")
    #expect(run.isRefusal(), "\(arguments): \(run)")
    #expect(!run.errors.contains("1234567890"))
  }

  @Test(arguments: ["raw", "hex", "base32"])
  func emptyKey(format: String) throws {
    let run = try ToolRun(["code", "--key-file", "-", "--key-format", format], input: "")
    #expect(run.isRefusal(), "\(run)")
  }

  @Test(arguments: [
    ("base32", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
    ("base32", "gezd gnbv-gy3t qojq gezd gnbv gy3t qojq\r\n"),
    ("hex", "3132333435363738393031323334353637383930\n"), ("raw", "12345678901234567890"),
  ])
  func keyFormats(format: String, text: String) throws {
    let run = try ToolRun(
      ["code", "--key-file", "-", "--key-format", format, "--at", "59", "--digits", "8"],
      input: text)
    #expect(run.output == "94287082\n")
  }

  @Test func keyFromAFile() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("otp-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try ToolRun(["code", "--key-file", path, "--counter", "0"]).output == "755224\n")
    try Data("otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=1\n".utf8)
      .write(to: URL(fileURLWithPath: path))
    #expect(try ToolRun(["code", "--uri-file", path]).output == "287082\n")
    #expect(try ToolRun(["code", "--uri-file", path, "--counter", "9"]).output == "520489\n")
  }

  /// Somebody puts the key where a path belongs: it must not come back in the error.
  @Test(arguments: [
    ["code", "--key-file", "JBSWY3DPEHPK3PXP"],
    ["code", "--uri-file", "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP"],
    ["code", "JBSWY3DPEHPK3PXP"], ["code", "--key=JBSWY3DPEHPK3PXP"],
    ["code", "--JBSWY3DPEHPK3PXP"], ["code", "--key-filejbswydpehpkpxp"],
    ["code", "--digits", "JBSWY3DPEHPK3PXP", "--key-file", "-"], ["JBSWY3DPEHPK3PXP"],
    ["check", "JBSWY3DPEHPK3PXP", "--key-file", "-"],
    ["code", "--backend", "JBSWY3DPEHPK3PXP", "--key-file", "-"],
  ])
  func misplacedKeyIsNotRepeated(_ arguments: [String]) throws {
    let run = try ToolRun(arguments, input: "JBSWY3DPEHPK3PXP")
    #expect(run.isRefusal(), "\(run)")
    #expect(!run.errors.uppercased().contains("JBSW"))
  }

  @Test func badKeyNamesKindAndPosition() throws {
    let run = try ToolRun(["code", "--key-file", "-"], input: "JBSWY3D0")
    #expect(run.isRefusal())
    #expect(run.errors.contains("invalidCharacter"))
    #expect(run.errors.contains("byte 7"))
    #expect(!run.errors.contains("JBSW"))
  }

  @Test func tooLongAKeyFile() throws {
    #expect(try ToolRun(["code", "--key-file", "/dev/zero", "--key-format", "raw"]).isRefusal())
  }

  @Test func unreadableKeyFile() throws {
    #expect(try ToolRun(["code", "--key-file", "/"]).isRefusal())
    #expect(try ToolRun(["code", "--key-file", "/nonexistent/key"]).isRefusal())
  }

  @Test func uriTakesNoParameters() throws {
    let uri = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8"
    #expect(
      try ToolRun(["code", "--uri-file", "-", "--at", "59"], input: uri).output == "94287082\n")
    for more in [
      ["--digits", "6"], ["--period", "1"], ["--algorithm", "sha1"], ["--t0", "1"],
      ["--counter", "1"], ["--key-format", "raw"],
    ] {
      #expect(try ToolRun(["code", "--uri-file", "-"] + more, input: uri).isRefusal())
    }
  }

  @Test func counterURITakesNoTime() throws {
    let uri = "otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=1"
    #expect(try ToolRun(["code", "--uri-file", "-"], input: uri).output == "287082\n")
    for time in [["--at", "59"], ["--at-ms", "59000"]] {
      #expect(try ToolRun(["code", "--uri-file", "-"] + time, input: uri).isRefusal())
    }
  }

  @Test func timesInMillisecondsAreFloored() throws {
    for (milliseconds, code) in [("59999", "94287082"), ("60000", "37359152")] {
      let run = try ToolRun(
        ["code"] + rawKey + ["--digits", "8", "--at-ms", milliseconds],
        input: "12345678901234567890")
      #expect(run.output == code + "\n")
    }
  }

  /// Without a time the tool reads the clock: its answer is the code of a moment during the run.
  @Test func clock() throws {
    let input = "12345678901234567890"
    let before = Int64(Date().timeIntervalSince1970)
    let run = try ToolRun(["code"] + rawKey + ["--json"], input: input)
    let after = Int64(Date().timeIntervalSince1970)
    let record = try JSONDecoder().decode(Record.self, from: Data(run.output.utf8))
    #expect((before...after).contains(try #require(record.time)))
    #expect(record.step == record.time.map { UInt64($0 / 30) })
    let same = try ToolRun(["code"] + rawKey + ["--at", "\(record.time ?? 0)"], input: input)
    #expect(same.output == record.code + "\n")
  }

  private struct Record: Decodable {
    let code: String
    let time: Int64?
    let step: UInt64?
  }

  @Test func json() throws {
    let run = try ToolRun(
      ["code"] + rawKey + ["--digits", "8", "--at", "89", "--json"],
      input: "12345678901234567890")
    #expect(
      run.output
        == #"{"algorithm":"sha1","backend":"swift","code":"37359152","digits":8,"period":30,"#
        + #""secondsLeft":1,"step":2,"t0":0,"time":89,"type":"totp"}"# + "\n")
    let counted = try ToolRun(
      ["code"] + rawKey + ["--counter", "18446744073709551615", "--json", "--backend", "gcrypt"],
      input: "12345678901234567890")
    #expect(counted.output.contains(#""counter":18446744073709551615"#))
    #expect(counted.output.contains(#""type":"hotp""#))
    #expect(counted.status == 0)
  }

  /// A code in the place of a number does not come back in the error.
  @Test(arguments: [["--digits", "755224"], ["--window", "755224,0"], ["--period", "-755224"]])
  func misplacedCodeIsNotRepeated(_ options: [String]) throws {
    let run = try ToolRun(
      ["check", "755224", "--key-file", "-"] + options, input: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    #expect(run.isRefusal())
    #expect(!run.errors.contains("755224"))
  }

  /// What is no UTF-8 is refused, and no other file is opened for it; standard error may be closed or full.
  @Test(arguments: [
    (#""$0" code --key-file "$(printf '/tmp/a\377')""#, 2), (#""$0" code --bogus 2>&-"#, 2),
    (#""$0" code --bogus 2>/dev/full"#, 2),
    (#"POSIXLY_CORRECT=1 "$0" check 755224 --counter 0 --key-file -"#, 0),
    (#""$0" check --counter 0 --key-file - -- 755224"#, 0),
  ])
  func oddSurroundings(script: String, status: Int32) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "printf GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ | " + script, try ToolRun.tool.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == status, "\(text)")
    #expect(process.terminationReason == .exit)
  }

  @Test func fullDisk() throws {
    let process = Process()
    process.executableURL = try ToolRun.tool
    process.arguments = ["--version"]
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    #expect(text.hasPrefix("otp: cannot write"))
  }
}
