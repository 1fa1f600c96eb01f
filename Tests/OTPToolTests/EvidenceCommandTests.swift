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

  private struct Record: Decodable {
    let passed: Bool
    let cases: [Case]

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
