import Foundation
import OTP
import OTPMultiBuffer
import OTPOpenSSL
import OTPSQLite
import OTPTestSupport
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

  @Test func swiftExamples() async throws {
    // The README's text is this file's, so that it compiles; and it runs.
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let blocks = try blocks(of: "swift")
    #expect(blocks.count == 3)
    for block in blocks {
      #expect(source.contains(block[try #require(block.range(of: "func ")).lowerBound...]))
    }
    try await example(ledgerPath: TemporaryFolder.shared.path + "/readme")
    let credential = Credential(
      id: try CredentialID("ann"), factor: .totp(try TOTP(digits: 8)),
      secret: try Secret(base32: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
    try await bulkExample(credentials: [credential], ledger: MemoryLedger())
    let backend = try MultiBufferBackend()
    try await enrolmentExample(
      verifier: Verifier(
        backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy()),
      table: CredentialTable(backend: backend))
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

func example(ledgerPath: String) async throws {
  // A Base32 text is not a key: it is decoded first, here with spaces and lower case forgiven.
  let secret = try Secret(base32: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq")
  let totp = try TOTP(algorithm: .sha1, digits: 8, period: 30)

  // Time is an input. A server passes UnixTime(seconds: Int64(Date().timeIntervalSince1970)).
  let now = UnixTime(seconds: 59)
  let code = try totp.code(for: secret, at: now)
  print(code.text)  // 94287082

  // A ledger keeps what was used up and how often was guessed; the verifier decides by it.
  let credential = Credential(id: try CredentialID("ann"), factor: .totp(totp), secret: secret)
  let verifier = Verifier(
    backend: try OpenSSLBackend(), ledger: try await SQLiteLedger(path: ledgerPath),
    policy: try VerificationPolicy(window: .one, throttle: .lockout(after: 5, seconds: 300)))
  let first = try await verifier.verify("9428 7082", for: credential, at: now)
  let second = try await verifier.verify("94287082", for: credential, at: now)
  print(first, second)  // accepted(step: 1, offset: 0) replayed

  // A backend that is chosen at run time is opened by a generic function.
  let chosen: any HMACBackend = Bool.random() ? SwiftBackend() : try OpenSSLBackend()
  func answer(_ backend: some HMACBackend) async throws -> Verdict.ClientView {
    let verifier = Verifier(
      backend: backend, ledger: MemoryLedger(), policy: try VerificationPolicy())
    return try await verifier.verify("94287082", for: credential, at: now).clientView
  }
  print(try await answer(chosen))  // accepted
}

func bulkExample(credentials: [Credential], ledger: any Ledger) async throws {
  let backend = try MultiBufferBackend()
  let table = CredentialTable(backend: backend)
  try table.insert(contentsOf: credentials)

  let verifier = Verifier(
    backend: backend, ledger: ledger, policy: try VerificationPolicy(), parallelism: 2)
  var batch = AttemptBatch()
  batch.append("94287082", for: credentials[0].id, at: UnixTime(seconds: 59))
  batch.append("000000", for: try CredentialID("nobody"), at: UnixTime(seconds: 59))
  let verdicts = try await verifier.verify(batch, in: table)
  // One result for each attempt, in order: a verdict, or the error of this attempt alone.
  if case .success(let verdict) = verdicts[0] { print(verdict) }  // accepted(step: 1, offset: 0)
  if case .failure(let error) = verdicts[1] { print(error.code) }  // unknownCredential
  print(verdicts.tally.accepted, verdicts.tally.offsets)  // 1 [0: 1]

  // The next attempts get the same memory.
  batch.removeAll(keepingCapacity: true)

  // Attempts that bring their credentials along, from a database, say: their keys are prepared for this one time.
  let late = Submission("94287082", for: credentials[0], at: UnixTime(seconds: 61))
  for verdict in try await verifier.verify([late]) { print(try verdict.get()) }  // replayed
}

func enrolmentExample(
  verifier: Verifier<MultiBufferBackend>, table: CredentialTable<MultiBufferBackend>
) async throws {
  // A new user gets a key as a URI, mostly as a QR code; the server keeps it, encrypted, by the user's id.
  let secret = Secret(generatedFor: .sha1)
  let uri = try OTPAuthURI(
    factor: .totp(try TOTP()), issuer: "Example", account: "ben@example.com", secret: secret)
  let ben = try CredentialID("ben")
  try table.insert(Credential(id: ben, uri: try OTPAuthURI(uri.text)))

  // A server that asks for the password after the code: checking uses nothing up but counts a wrong code, and
  // what was checked is used up when the password was right.
  let now = UnixTime(seconds: 1_800_000_000)
  let typed = try TOTP().code(for: secret, at: now).text
  let (verdict, ticket) = try await verifier.check(typed, for: ben, in: table, at: now)
  if let ticket {
    print(verdict == (try await verifier.redeem(ticket, at: now)))  // true
  }

  // A token that counts. The next counters are tried (`lookAhead` of the policy); two consecutive codes find it
  // when its button was pressed too often.
  let hotp = try HOTP()
  let token = Credential(
    id: try CredentialID("token 7"), factor: .hotp(hotp, counter: 0), secret: secret)
  let codes = try [30, 31].map { try hotp.code(for: secret, counter: $0).text }
  let found = try await verifier.resynchronize(codes, for: token, at: now)
  print(found)  // accepted(step: 31, offset: 31)
}
