import Foundation
import OTPTestSupport
import Testing

@Suite struct EvidenceCommandTests {
  @Test func allBackends() throws {
    let folder = TemporaryFolder()
    for ledger in ["memory", "sqlite:\(folder.path)/ledger"] {
      let run = try ToolRun(["evidence", "--ledger", ledger])
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      #expect(!run.output.contains("FAIL"))
      #expect(!run.output.contains(folder.path))
      for backend in [
        "swift (", "openssl (OpenSSL 3", "openssl-compact (OpenSSL 3", "gcrypt (libgcrypt 1",
        "gcrypt-compact (libgcrypt 1",
      ] {
        #expect(run.output.contains(backend))
      }
    }
  }

  /// The ledger's name may come through a pipe, which can be read once.
  @Test func ledgerFromAPipe() throws {
    let folder = TemporaryFolder()
    let run = try ToolRun(
      ["evidence", "--backend", "swift", "--ledger-file", "-"],
      input: "sqlite:\(folder.path)/ledger\n")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("ledger sqlite,"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/ledger"))
    let both = try ToolRun(
      ["evidence", "--ledger", "memory", "--ledger-file", "-"], input: "memory")
    #expect(both.isRefusal())
  }

  @Test func formats() throws {
    let json = try ToolRun(["evidence", "--backend", "swift", "--format", "json"])
    let records = try JSONDecoder().decode([Record].self, from: Data(json.output.utf8))
    #expect(records.count == 1)
    #expect(records[0].passed)
    #expect(records[0].cases.count > 100)
    #expect(!records[0].cases.contains { !$0.passed })
    #expect(records[0].kernels == nil)

    let folder = TemporaryFolder()
    let path = folder.path + "/evidence.xml"
    let junit = try ToolRun([
      "evidence", "--backend", "gcrypt", "--format", "junit", "--output", path,
    ])
    #expect(junit.status == 0)
    #expect(junit.output.isEmpty)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("<?xml"))
    #expect(text.contains(#"<testsuite name="gcrypt: refused replays""#))
    #expect(!text.contains("<failure"))
  }

  /// What was examined: the version, the system, the kernels, and when.
  @Test func whatIsRecorded() throws {
    let arguments = ["evidence", "--backend", "multibuffer", "--format"]
    let environment = ["OTP_KERNEL": "portable"]
    let before = Int64(Date().timeIntervalSince1970)
    let json = try ToolRun(arguments + ["json"], environment: environment)
    let record = try #require(
      JSONDecoder().decode([Record].self, from: Data(json.output.utf8)).first)
    #expect(try ToolRun(["--version"]).output == "otp \(record.version)\n")
    #expect(record.kernels?.map(\.algorithm) == ["sha1", "sha256", "sha512"])
    #expect(record.kernels?.allSatisfy { $0.kernel == "portable" } == true)
    #expect((before...before + 60).contains(record.unixTime))
    #expect(record.time.hasSuffix("Z"))
    #expect(
      try Date(record.time, strategy: .iso8601).timeIntervalSince1970 == Double(record.unixTime))
    let machine = try run("/bin/uname", ["-m"]).replacingOccurrences(of: "aarch64", with: "arm64")
    #expect(record.architecture == machine)
    #expect(try run("/bin/uname", ["-s"]).hasPrefix(record.operatingSystem))

    let text = try ToolRun(arguments + ["text"], environment: environment).output
    let system = "swift-otp \(record.version) on \(record.operatingSystem), \(machine)\n"
    #expect(text.contains(system), "\(text)")
    let listing = try ToolRun(["backends"], environment: environment).output
    let kernels = listing.split(separator: "\n").filter { $0.contains("kernel for ") }
    #expect(kernels.count == 3)
    for line in kernels {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      let choice = words.dropFirst(3).joined(separator: " ")
      #expect(text.contains("  kernel for \(words[2]): \(choice)\n"), "\(text)")
    }
  }

  private struct Record: Decodable {
    let version: String
    let operatingSystem: String
    let architecture: String
    let kernels: [Kernel]?
    let unixTime: Int64
    let time: String
    let passed: Bool
    let cases: [Case]

    struct Kernel: Decodable {
      let algorithm: String
      let kernel: String
    }

    struct Case: Decodable {
      let passed: Bool
    }
  }

  @Test(arguments: [
    ["--format", "xml"], ["--backend", "none"], ["--ledger", "none"], ["extra"],
  ])
  func refused(_ arguments: [String]) throws {
    #expect(try ToolRun(["evidence"] + arguments).isRefusal())
  }

  @Test func outputThatCannotBeWritten() throws {
    let run = try ToolRun(["evidence", "--backend", "swift", "--output", "/nonexistent/file"])
    #expect(run.isRefusal(status: 3))
  }

  /// The report does not take the place of the ledger, be it there or not.
  @Test func outputOverTheLedger() async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/ledger"
    let arguments = ["evidence", "--backend", "swift", "--ledger", "sqlite:\(path)", "--output"]
    #expect(try ToolRun(arguments + [path]).isRefusal())
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try ToolRun(arguments + ["-"]).status == 0)
    #expect(try ToolRun(arguments + [path]).isRefusal())
    #expect(try ToolRun(arguments + ["\(folder.path)/report"]).status == 0)
    let report = try String(contentsOfFile: "\(folder.path)/report", encoding: .utf8)
    #expect(report.hasPrefix("swift"))
  }

  /// A ledger that is not there is no evidence against it.
  @Test(arguments: ["redis://127.0.0.1:1", "postgresql://127.0.0.1:1/x"])
  func unavailableLedger(_ ledger: String) throws {
    let run = try ToolRun(["evidence", "--backend", "swift", "--ledger", ledger])
    #expect(run.isRefusal(status: 3), "\(run)")
    #expect(run.errors.contains("ledgerUnavailable"))
  }

  /// What an earlier run wrote is no evidence of one that failed.
  @Test func noOldEvidence() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/evidence"
    let arguments = ["evidence", "--backend", "swift", "--output", path, "--ledger"]
    #expect(try ToolRun(arguments + ["memory"]).status == 0)
    #expect(try !Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    #expect(try ToolRun(arguments + ["sqlite:/nonexistent/x"]).isRefusal(status: 3))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }
}
