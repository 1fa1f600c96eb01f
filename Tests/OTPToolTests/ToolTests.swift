import Foundation
import Testing

@Suite struct ToolTests {
  @Test(arguments: [[], ["code"], ["check"], ["uri", "parse"], ["uri", "build"], ["backends"]])
  func help(_ command: [String]) throws {
    let run = try ToolRun(command + ["--help"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix((["Usage: otp"] + command).joined(separator: " ")))
    #expect(run.output.contains("--help"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func helpNeedsNothingElse() throws {
    #expect(try ToolRun(["-h"]).output == ToolRun(["--help"]).output)
    #expect(try ToolRun(["help"]).output == ToolRun(["--help"]).output)
    #expect(try ToolRun(["uri"]).errors.contains("'otp uri parse'"))
    #expect(try ToolRun(["check", "--window", "x", "--help"]).status == 0)
  }

  /// The first word of several commands has a help that lists them.
  @Test(arguments: [
    ("uri", ["uri parse", "uri build"]), ("ledger", ["ledger state", "ledger reset"]),
  ])
  func helpOfAFirstWord(word: String, commands: [String]) throws {
    let run = try ToolRun([word, "--help"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.output.hasPrefix("Usage: otp \(word) COMMAND"), "\(run.output)")
    let all = try ToolRun(["--help"]).output.split(separator: "\n")
    let listed = run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(listed.count == commands.count)
    for (line, command) in zip(listed, commands) {
      #expect(line.hasPrefix("  \(command)  "))
      // The same summary as in the list of all commands.
      let summary = line.dropFirst(command.count + 2).drop { $0 == " " }
      #expect(all.contains { $0.hasPrefix("  \(command) ") && $0.hasSuffix(summary) })
    }
    #expect(try ToolRun([word, "-h"]).output == run.output)
    for command in commands.map({ $0.split(separator: " ").map(String.init) }) {
      #expect(try ToolRun(command + ["-h"]).output == ToolRun(command + ["--help"]).output)
    }
  }

  @Test(arguments: [
    [], ["uri"], ["uri", "--help", "x"], ["uri", "x", "-h"], ["ledger"], ["--bogus"], ["CODE"],
    ["backends", "x"],
  ])
  func wrongUsage(_ arguments: [String]) throws {
    #expect(try ToolRun(arguments).isRefusal())
  }

  /// The beginning of an option's name is not the option, with its argument in the same word or the next, or without.
  @Test(arguments: [
    (["bulk", "--json", "x"], "--json-summary"), (["bulk", "--json=x"], "--json-summary"),
    (["bulk", "--json"], "--json-summary"), (["bulk", "--thr", "2"], "--threads"),
    (["bulk", "--ledger-f", "x"], "--ledger-file"), (["bulk", "--hel"], "--help"),
    (["code", "--key", "x"], "--key-file"), (["check", "--js", "000000"], "--json"),
    (["uri", "parse", "--show"], "--show-key"), (["uri", "build", "--acc", "a"], "--account"),
    (["backends", "--j"], "--json"), (["evidence", "--out", "x"], "--output"),
  ])
  func optionsAreNotShortened(arguments: [String], meant: String) throws {
    let run = try ToolRun(arguments)
    #expect(run.isRefusal(), "\(run)")
    #expect(run.errors.contains("there is no such option, give the whole name: "), "\(run.errors)")
    #expect(run.errors.contains(meant), "\(run.errors)")
  }

  /// What is wrong may be a key: a word is named by its place, and no option that there is not by its name.
  @Test(arguments: [
    (["bulk", "--threads", "2", "JBSWY3DP"], "word 3 after 'otp bulk' is one too many"),
    (["bulk", "--", "JBSWY3DP"], "word 2 after 'otp bulk' is one too many"),
    (["check", "000", "--json", "JBSWY3DP"], "word 3 after 'otp check' is one too many"),
    (["code", "--JBSWY3DP"], "word 1 after 'otp code': there is no such option;"),
    (
      ["bulk", "--threads", "2", "--JBSWY3DP=x"],
      "word 3 after 'otp bulk': there is no such option;"
    ),
    (["check", "000", "-JBSWY3DP"], "word 2 after 'otp check': there is no such option;"),
    (["code", "--JBSWY3DP", "--at=1"], "word 1 after 'otp code': there is no such option;"),
    (["code", "--at=1", "-JBSWY3DP"], "word 2 after 'otp code': there is no such option;"),
  ])
  func whatIsTooMuchIsNamedByItsPlace(arguments: [String], text: String) throws {
    let run = try ToolRun(arguments)
    #expect(run.isRefusal(), "\(run)")
    #expect(run.errors.contains(text), "\(run.errors)")
    #expect(!run.errors.contains("JBSW"))
  }

  /// A whole name that begins another is itself, and an argument may look like an option.
  @Test func wholeNamesAndArgumentsThatLookLikeOptions() throws {
    let run = try ToolRun([
      "bulk", "--ledger", "--json", "--attempts", "/dev/null", "--credentials", "-",
    ])
    #expect(run.errors.contains("--ledger must be memory"), "\(run.errors)")
    #expect(
      try ToolRun(["code", "--key-file=-", "--counter=0"], input: "JBSWY3DPEHPK3PXP").status == 0)
  }

  @Test func backends() throws {
    let text = try ToolRun(["backends"])
    #expect(text.status == 0)
    for word in ["swift", "openssl", "gcrypt", "OpenSSL 3", "libgcrypt 1", "license", "sha512"] {
      #expect(text.output.contains(word))
    }
    #expect(!text.output.contains("0x"), "\(text.output)")
    let json = try ToolRun(["backends", "--json"])
    let rows = try json.output.split(separator: "\n").map {
      try JSONDecoder().decode(Backend.self, from: Data($0.utf8))
    }
    #expect(
      rows.map(\.name)
        == ["swift", "openssl", "openssl-compact", "gcrypt", "gcrypt-compact", "multibuffer"])
    #expect(rows.allSatisfy { $0.available && $0.algorithms == ["sha1", "sha256", "sha512"] })
  }

  #if arch(x86_64)
    /// What the processor has, or is said to have, is shown in words.
    @Test func instructionSetOfOpenSSL() throws {
      func features(_ mask: String?) throws -> (present: [Substring], missing: [Substring]) {
        let environment = mask.map { ["OPENSSL_ia32cap": $0] } ?? [:]
        let run = try ToolRun(["backends"], environment: environment)
        let openssl = try #require(run.output.components(separatedBy: "\ngcrypt\n").first)
          .components(separatedBy: "\nopenssl\n")[1]
        let line = try #require(
          openssl.split(separator: "\n").first { $0.hasPrefix("  instruction set") })
        let words = line.dropFirst("  instruction set".count).filter { !"()".contains($0) }
          .components(separatedBy: "missing:")
        return (
          words[0].split(separator: " "), words.count > 1 ? words[1].split(separator: " ") : []
        )
      }
      let all = try features(nil)
      let names = ["ssse3", "avx", "avx2", "bmi1", "bmi2", "sha"]
      #expect((all.present + all.missing).map(String.init).sorted() == names.sorted())
      // Bits are only taken away: what a processor does not have must not be used.
      for (name, mask) in [
        ("ssse3", "~0x20000000000:~0x0"), ("avx", "~0x1000000000000000:~0x0"), ("avx2", ":~0x20"),
        ("bmi1", ":~0x8"), ("bmi2", ":~0x100"), ("sha", ":~0x20000000"),
      ] {
        let masked = try features(mask)
        #expect(masked.present == all.present.filter { $0 != name }, "\(name)")
      }
      let none = try features("0x0:0x0")
      #expect(none.present == ["none"] && none.missing.count == names.count)
    }
  #endif

  /// The environment chooses the kernels, and the listing says which and why.
  @Test func kernels() throws {
    func kernels(_ value: String) throws -> Backend {
      let run = try ToolRun(["backends", "--json"], environment: ["OTP_KERNEL": value])
      let line = try #require(run.output.split(separator: "\n").last)
      return try JSONDecoder().decode(Backend.self, from: Data(line.utf8))
    }
    for value in ["fastest", ""] {
      let fastest = try kernels(value)
      #expect(fastest.kernels?.map(\.algorithm) == ["sha1", "sha256", "sha512"])
    }
    let portable = try kernels("portable")
    #expect(portable.kernels?.map(\.kernel) == ["portable", "portable", "portable"])
    #expect(portable.kernels?.allSatisfy { $0.reason == "OTP_KERNEL names it" } == true)
    #expect(try kernels("fixed").kernels == kernels("fixed").kernels)
    let unknown = try kernels("avx3")
    #expect(!unknown.available)
    #expect(unknown.reason?.contains("portable") == true)
    let refused = try ToolRun(
      ["code", "--key-file", "-", "--counter", "0", "--backend", "multibuffer"],
      input: "JBSWY3DPEHPK3PXP", environment: ["OTP_KERNEL": "avx3"])
    #expect(refused.isRefusal(status: 3), "\(refused)")
  }

  /// OpenSSL is set up so that nothing it has will do: the listing says why, and the commands end with
  /// status 3.
  @Test func unavailableBackend() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID())")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(
      """
      openssl_conf = main
      [main]
      alg_section = algorithms
      [algorithms]
      default_properties = fips=yes

      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    let environment = ["OPENSSL_CONF": path]

    let rows = try ToolRun(["backends", "--json"], environment: environment).output
      .split(separator: "\n").map { try JSONDecoder().decode(Backend.self, from: Data($0.utf8)) }
    #expect(rows.map(\.available) == [true, false, false, true, true, true])
    for row in rows[1...2] { #expect(row.reason?.contains("HMAC") == true) }
    let listing = try ToolRun(["backends"], environment: environment)
    #expect(listing.output.contains("not available: OpenSSL has no HMAC here"))

    let code = ["code", "--key-file", "-", "--counter", "0", "--backend"]
    let refused = try ToolRun(
      code + ["openssl"], input: "JBSWY3DPEHPK3PXP", environment: environment)
    #expect(refused.isRefusal(status: 3), "\(refused)")
    #expect(
      try ToolRun(code + ["gcrypt"], input: "JBSWY3DPEHPK3PXP", environment: environment).status
        == 0)
  }

  private struct Backend: Decodable {
    let name: String
    let available: Bool
    let algorithms: [String]?
    let kernels: [Kernel]?
    let reason: String?
  }

  private struct Kernel: Decodable, Equatable {
    let algorithm: String
    let kernel: String
    let reason: String
  }
}
