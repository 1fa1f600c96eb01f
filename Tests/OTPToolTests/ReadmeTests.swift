import Foundation
import OTP
import OTPOpenSSL
import OTPVerification
import Testing

/// What the README shows is what happens.
@Suite struct ReadmeTests {
  @Test func consoleExamples() throws {
    var examples: [(command: String, output: String)] = []
    for line in try blocks(of: "console").flatMap({ $0.split(separator: "\n") }) {
      if line.hasPrefix("$ ") {
        examples.append((String(line.dropFirst(2)), ""))
      } else {
        examples[examples.count - 1].output += line + "\n"
      }
    }
    #expect(examples.count >= 5)
    let folder = try ToolRun.tool.deletingLastPathComponent().path
    for example in examples {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "PATH=\"$0:$PATH\"; \(example.command)", folder]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text == example.output, "\(example.command)")
      #expect(process.terminationStatus == 0)
    }
  }

  @Test func swiftExample() throws {
    // The README's text is this file's, so that it compiles; and it runs.
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let block = try #require(blocks(of: "swift").first)
    let function = block[try #require(block.range(of: "func example")).lowerBound...]
    #expect(source.contains(function))
    try example()
  }

  private func blocks(of language: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    return readme.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }
}

func example() throws {
  // A Base32 text is not a key: it is decoded first, here with spaces and lower case forgiven.
  let secret = try Secret(base32: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq")
  let totp = try TOTP(algorithm: .sha1, digits: 8, period: 30)

  // Time is an input.
  let code = try totp.code(for: secret, at: UnixTime(seconds: 59))
  print(code.text)  // 94287082

  // In bulk: prepare the keys once, then match batches of attempts in a window of steps.
  let keyring = try OpenSSLBackend().makeKeyring([secret], algorithm: totp.algorithm)
  let matcher = try WindowMatcher(keyring: keyring, hotp: totp.hotp, window: .one)
  let attempt = Attempt(
    key: 0, step: try totp.step(at: UnixTime(seconds: 61)),
    code: try OneTimeCode(ignoringSeparatorsIn: "9428 7082", digits: totp.digits))
  for match in try matcher.matches(for: [attempt]) {
    print(match.map { "step \($0.step), offset \($0.offset)" } ?? "no match")  // step 1, offset -1
  }
}
