import Foundation
import Testing

@Suite struct URICommandTests {
  @Test func oneObjectALine() throws {
    let run = try ToolRun(
      ["uri", "parse"],
      input: """
        otpauth://totp/Example:ann%40x?secret=JBSWY3DPEHPK3PXP&digits=8&period=60
        otpauth://hotp/ann?secret=JBSWY3DPEHPK3PXP&algorithm=sha512&counter=18446744073709551615\r
        OTPAUTH://TOTP/A%2FB:c?SECRET=JBSWY3DPEHPK3PXP
        """)
    #expect(
      run.output == """
        {"account":"ann@x","algorithm":"sha1","digits":8,"issuer":"Example","period":60,"type":"totp"}
        {"account":"ann","algorithm":"sha512","counter":18446744073709551615,"digits":6,"issuer":null,"type":"hotp"}
        {"account":"c","algorithm":"sha1","digits":6,"issuer":"A/B","period":30,"type":"totp"}

        """)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
  }

  @Test func keyOnlyOnRequest() throws {
    let uri = "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP"
    #expect(try !ToolRun(["uri", "parse"], input: uri).output.contains("48656c6c6f"))
    #expect(
      try ToolRun(["uri", "parse", "--show-key"], input: uri).output
        .contains(#""key":"48656c6c6f21deadbeef""#))
  }

  @Test func badLinesAreReportedInTheirPlace() throws {
    let run = try ToolRun(
      ["uri", "parse"],
      input: Array("otpauth://totp/a?secret=AA\n\nhttps://x\notpauth://totp/a?secret=JBSW0\n".utf8)
        + [0xFF, 0x0A] + Array("otpauth://totp/".utf8) + [0xFF] + Array("?secret=AA\n".utf8)
        + Array("otpauth://totp/b?secret=AA".utf8))
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 8)
    #expect(lines[1] == #"{"error":"invalidURI"}"#)
    #expect(lines[2] == #"{"error":"invalidScheme"}"#)
    #expect(lines[3] == #"{"error":"invalidSecret"}"#)
    #expect(lines[4] == #"{"error":"invalidURI"}"#)
    #expect(lines[5] == #"{"error":"invalidURI"}"#)
    #expect(lines[6].contains(#""account":"b""#))
    #expect(run.status == 2)
    #expect(run.errors == "otp: 5 of 7 lines are no valid otpauth URI\n")
  }

  @Test func noInputIsNoError() throws {
    let run = try ToolRun(["uri", "parse"], input: "")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
  }

  @Test func build() throws {
    let key = "JBSWY3DPEHPK3PXP\n"
    let built = try ToolRun(
      ["uri", "build", "--key-file", "-", "--issuer", "Test Issuer", "--account", "ann example"],
      input: key)
    #expect(
      built.output
        == "otpauth://totp/Test%20Issuer:ann%20example?secret=JBSWY3DPEHPK3PXP"
        + "&issuer=Test%20Issuer&algorithm=SHA1&digits=6&period=30\n")
    let parsed = try ToolRun(["uri", "parse"], input: built.output)
    #expect(parsed.output.contains(#""issuer":"Test Issuer""#))
    let counted = try ToolRun(
      [
        "uri", "build", "--key-file", "-", "--account", "a", "--counter", "7", "--digits", "8",
        "--algorithm", "SHA512",
      ], input: key)
    #expect(
      counted.output
        == "otpauth://hotp/a?secret=JBSWY3DPEHPK3PXP&algorithm=SHA512&digits=8&counter=7\n")
  }

  @Test(arguments: [
    ["build"], ["build", "--account", "a"], ["build", "--key-file", "-"],
    ["build", "--key-file", "-", "--account", ""],
    ["build", "--key-file", "-", "--account", "a:b"],
    ["build", "--key-file", "-", "--account", "a", "--issuer", ""],
    ["build", "--key-file", "-", "--account", "a", "--counter", "1", "--period", "30"],
    ["parse", "extra"], ["parse", "--key"], ["burn"], [],
  ])
  func refused(_ arguments: [String]) throws {
    let run = try ToolRun(["uri"] + arguments, input: "JBSWY3DPEHPK3PXP")
    #expect(run.isRefusal(), "\(run)")
    #expect(!run.errors.contains("JBSW"))
  }
}
