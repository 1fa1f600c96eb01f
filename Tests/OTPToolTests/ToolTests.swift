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

  @Test(arguments: [[], ["uri"], ["uri", "--help"], ["--bogus"], ["CODE"], ["backends", "x"]])
  func wrongUsage(_ arguments: [String]) throws {
    #expect(try ToolRun(arguments).isRefusal())
  }

  @Test func backends() throws {
    let text = try ToolRun(["backends"])
    #expect(text.status == 0)
    for word in ["swift", "openssl", "gcrypt", "OpenSSL 3", "libgcrypt 1", "licence", "sha512"] {
      #expect(text.output.contains(word))
    }
    let json = try ToolRun(["backends", "--json"])
    let rows = try json.output.split(separator: "\n").map {
      try JSONDecoder().decode(Backend.self, from: Data($0.utf8))
    }
    #expect(rows.map(\.name) == ["swift", "openssl", "gcrypt", "multibuffer"])
    #expect(rows.allSatisfy { $0.available && $0.algorithms == ["sha1", "sha256", "sha512"] })
  }

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
    #expect(rows.map(\.available) == [true, false, true, true])
    #expect(rows[1].reason?.contains("HMAC") == true)
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
