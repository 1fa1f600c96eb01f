import Dispatch
import OTP
import OTPEvidence
import OTPTestSupport
import OTPVerification
import Testing

@Suite struct EvidenceTests {
  private let time = UnixTime(seconds: 1_234_567)

  @Test func goodPartsPass() async throws {
    let report = await collectEvidence(
      backend: SwiftBackend(), ledger: MemoryLedger(), ledgerName: "memory", at: time)
    #expect(report.hasPassed)
    #expect(report.time == time)
    #expect(report.backend.name == "swift")
    for (group, count) in [
      (EvidenceReport.Group.standardVectors, 60), (.refusedParameters, 30), (.refusedReplays, 10),
    ] { #expect(report.cases.filter { $0.group == group }.count >= count) }
    #expect(Set(report.cases.map { "\($0.group) \($0.name)" }).count == report.cases.count)
    // The checks can be repeated on the same ledger.
    let ledger = MemoryLedger()
    for _ in 0..<2 {
      let again = await collectEvidence(
        backend: SwiftBackend(), ledger: ledger, ledgerName: "memory", at: time)
      #expect(again.hasPassed)
    }
  }

  /// Any time can be written down: leap days, the ends of years and centuries, and what no clock shows.
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (59, "1970-01-01T00:00:59Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (951_868_800, "2000-03-01T00:00:00Z"), (1_709_164_800, "2024-02-29T00:00:00Z"),
      (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
      (1_796_050_800, "2026-11-30T15:00:00Z"), (20_000_000_000, "2603-10-11T11:33:20Z"),
      (-62_135_596_801, "0000-12-31T23:59:59Z"), (253_402_300_800, "10000-01-01T00:00:00Z"),
      (.max, "292277026596-12-04T15:30:07Z"), (.min, "-292277022657-01-27T08:29:52Z"),
    ] as [(Int64, String)])
  func calendarTimes(seconds: Int64, text: String) async {
    let report = await collectEvidence(
      backend: SwiftBackend(), ledger: MemoryLedger(), ledgerName: "memory",
      at: UnixTime(seconds: seconds))
    #expect(report.timeText == text)
  }

  /// No report has a code, a key or a URI in it.
  @Test func nothingSecretIsRecorded() async throws {
    for ledger in [MemoryLedger(), ForgetfulLedger(), DeadLedger()] as [any Ledger] {
      for backend in [BrokenBackend(.fixedOffset), BrokenBackend(.none)] {
        let report = await collectEvidence(
          backend: backend, ledger: ledger, ledgerName: "some", at: time)
        for text in [[report].text, [report].junit] {
          for vector in rfc6238Vectors { #expect(!text.contains(vector.code)) }
          for vector in rfc4226Vectors { #expect(!text.contains(vector.code)) }
          #expect(!text.contains("12345678901234567890"))
          #expect(!text.contains("GEZDG"))
          #expect(!text.contains("otpauth:"))
        }
      }
    }
  }

  /// Faults of backends are found, each by the vectors that show it.
  @Test func brokenBackends() async throws {
    func failures(_ fault: BrokenBackend.Fault) async -> [EvidenceReport.Case] {
      let report = await collectEvidence(
        backend: BrokenBackend(fault), ledger: MemoryLedger(), ledgerName: "memory", at: time)
      return report.cases.filter { !$0.hasPassed }
    }
    let none = await failures(.none)
    #expect(none.isEmpty)

    // Truncation from byte 19 is right for SHA-1 alone.
    let fixedOffset = await failures(.fixedOffset)
    #expect(!fixedOffset.isEmpty)
    #expect(fixedOffset.allSatisfy { $0.group == .standardVectors && $0.failure == "another code" })
    #expect(fixedOffset.contains { $0.name == "RFC 6238 appendix B, SHA256, time 59" })
    #expect(!fixedOffset.contains { $0.name.contains("SHA1") })

    let narrowCounter = await failures(.narrowCounter)
    #expect(narrowCounter.isEmpty || narrowCounter.allSatisfy { $0.group == .standardVectors })

    let wrongDigest = await failures(.wrongDigest)
    #expect(wrongDigest.contains { $0.name == "RFC 4231 case 3, HMAC-SHA512" })
    #expect(wrongDigest.contains { $0.name == "RFC 6238 appendix B, SHA512, time 59" })
    #expect(!wrongDigest.contains { $0.name.contains("SHA256") })

    let missing = await failures(.missingAlgorithm)
    #expect(missing.contains { $0.failure == "error unsupportedAlgorithm" })
  }

  /// Faults of ledgers are found by the right names.
  @Test func brokenLedgers() async throws {
    func failures(_ ledger: any Ledger) async -> [String: String?] {
      let report = await collectEvidence(
        backend: SwiftBackend(), ledger: ledger, ledgerName: "broken", at: time)
      let failed = report.cases.filter { !$0.hasPassed }
      #expect(failed.allSatisfy { $0.group == .refusedReplays })
      return Dictionary(uniqueKeysWithValues: failed.map { ($0.name, $0.failure) })
    }
    let forgetful = await failures(ForgetfulLedger())
    for name in [
      "the same code in the same step", "the same code in the next step",
      "an older code after a newer one", "a used HOTP counter", "a burst of the same code",
      "a burst of guesses beyond the limit",
    ] { #expect(forgetful[name] != nil, "\(name)") }
    #expect(forgetful["a wrong code"] == nil)

    // State that is read, judged and written in three steps holds for one attempt at a time, not for bursts.
    let racing = await failures(RacingLedger())
    #expect(racing["a burst of the same code"] != nil)
    #expect(racing["a burst of guesses beyond the limit"] != nil)
    #expect(racing["the same code in the same step"] == nil)

    let dead = await failures(DeadLedger())
    #expect(dead.count >= 10)
    #expect(dead.values.allSatisfy { $0 == "error ledgerUnavailable" })
  }

  @Test func texts() async throws {
    let report = await collectEvidence(
      backend: BrokenBackend(.fixedOffset), kernels: ["one", "<two>"], ledger: MemoryLedger(),
      ledgerName: #"<&">"#, at: time)
    let text = [report].text
    #expect(text.contains("FAIL  standard vectors: "))
    #expect(text.contains("pass  refused replays: "))
    #expect(text.contains(", with wrong codes and locks\n") || text.hasSuffix(" and locks"))
    #expect(text.contains("at 1970-01-15T06:56:07Z (1234567)\n"))
    #expect(text.contains("  swift-otp \(SwiftBackend.version) on "))
    #expect(text.contains("\n  kernel for one\n  kernel for <two>\n"))
    #expect(text.contains("RFC 6238 appendix B, SHA256, time 59: another code"))
    let junit = [report].junit
    #expect(junit.contains(#"value="&lt;&amp;&quot;&gt;""#))
    let failed = report.cases.filter { !$0.hasPassed }.count
    #expect(junit.components(of: "<failure ") == failed)
    #expect(junit.components(of: "<testcase ") == report.cases.count)
    #expect(junit.components(of: "<testsuite ") == 3)
    #expect(junit.components(of: " timestamp=\"1970-01-15T06:56:07\"") == 3)
    #expect(junit.components(of: #"<property name="time" value="1970-01-15T06:56:07Z"/>"#) == 3)
    #expect(junit.components(of: #"<property name="kernel" value="&lt;two&gt;"/>"#) == 3)
    #expect(
      junit.components(of: #"<property name="version" value="\#(SwiftBackend.version)"/>"#) == 3)
    // The totals are the suites' and theirs the cases'.
    let lines = junit.split(separator: "\n")
    let totals = try #require(lines.first { $0.hasPrefix("<testsuites ") })
    let suites = lines.filter { $0.contains("<testsuite ") }
    let cases = lines.filter { $0.contains("<testcase ") }
    for name in ["tests", "failures"] {
      let sum = try suites.map { try #require(attribute(name, of: $0)) }.reduce(0, +)
      #expect(try #require(attribute(name, of: totals)) == sum)
    }
    #expect(attribute("tests", of: totals) == Double(cases.count))
    #expect(attribute("failures", of: totals) == Double(failed))
    let seconds = try cases.map { try #require(attribute("time", of: $0)) }
    #expect(seconds.allSatisfy { $0 >= 0 } && seconds.contains { $0 > 0 })
    let total = try #require(attribute("time", of: totals))
    let ofSuites = try suites.map { try #require(attribute("time", of: $0)) }.reduce(0, +)
    // Each is cut off after its sixth decimal.
    #expect(total >= ofSuites - 1e-9 && total <= ofSuites + 3e-6)
    #expect(total >= seconds.reduce(0, +) - 1e-9)
    #expect(![EvidenceReport]().contains { $0.hasPassed })
  }
}

/// A number that an XML element's attribute has.
private func attribute(_ name: String, of line: some StringProtocol) -> Double? {
  guard let start = line.firstRange(of: " \(name)=\"") else { return nil }
  return Double(line[start.upperBound...].prefix { $0 != "\"" })
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}

/// The pure Swift backend with a fault.
struct BrokenBackend: HMACBackend {
  enum Fault {
    case none, fixedOffset, narrowCounter, wrongDigest, missingAlgorithm
  }

  private let sound = SwiftBackend()
  let fault: Fault

  init(_ fault: Fault) { self.fault = fault }

  var information: BackendInformation { sound.information }

  func authenticationCode(
    for message: Span<UInt8>, key: Span<UInt8>, algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt8] {
    var mac = sound.authenticationCode(for: message, key: key, algorithm: algorithm)
    if fault == .wrongDigest, algorithm == .sha512 { mac[0] ^= 1 }
    if fault == .missingAlgorithm, algorithm == .sha256 {
      throw OTPError(.unsupportedAlgorithm, "not here")
    }
    return mac
  }

  func makeKeyring(
    _ secrets: [Secret], algorithm: HashAlgorithm
  ) throws(OTPError) -> BrokenKeyring {
    BrokenKeyring(
      secrets: secrets, keyring: sound.makeKeyring(secrets, algorithm: algorithm), fault: fault)
  }
}

struct BrokenKeyring: HMACKeyring {
  var secrets: [Secret]
  var keyring: SwiftKeyring
  let fault: BrokenBackend.Fault

  var algorithm: HashAlgorithm { keyring.algorithm }
  var count: Int { keyring.count }

  mutating func append(_ secrets: [Secret]) {
    self.secrets += secrets
    keyring.append(secrets)
  }

  mutating func replace(_ key: Int, with secret: Secret) throws(OTPError) {
    try keyring.replace(key, with: secret)
    secrets[key] = secret
  }

  func truncatedValues(
    keys: Span<Int>, counters: Span<UInt64>, into output: inout MutableSpan<UInt32>
  ) throws(OTPError) {
    try keyring.truncatedValues(keys: keys, counters: counters, into: &output)
    for index in keys.indices {
      switch fault {
      case .fixedOffset:
        let movingFactor = (0..<8).map {
          UInt8(truncatingIfNeeded: counters[index] >> (56 - 8 * $0))
        }
        let mac = try SwiftBackend().authenticationCode(
          for: movingFactor, key: secrets[keys[index]].bytes, algorithm: algorithm)
        let offset = Int(mac[19] & 15)
        output[index] = mac[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
      case .narrowCounter where counters[index] > UInt64(UInt32.max): output[index] ^= 1
      case .wrongDigest where algorithm == .sha512: output[index] ^= 1
      default: break
      }
    }
  }
}

/// A ledger that accepts every match and counts nothing.
private struct ForgetfulLedger: Ledger {
  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    group.map { settlement in
      var state = CredentialState()
      return state.settle(settlement)
    }
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    ids.map { _ in CredentialState() }
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {}
}

/// A ledger with a gap between reading a state and writing it.
private final class RacingLedger: Ledger {
  private let kept = Locked([CredentialID: CredentialState]())
  private let arrivals = Locked([CredentialID: Int]())

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for settlement in group {
      var state = kept.withLock { $0[settlement.id] } ?? CredentialState()
      await waitForAnother(settlement.id)
      outcomes.append(state.settle(settlement))
      let settled = state
      kept.withLock { $0[settlement.id] = settled }
    }
    return outcomes
  }

  /// Waits until another attempt of the credential has read its state; an attempt alone goes on after a while.
  private func waitForAnother(_ id: CredentialID) async {
    func arrived(_ more: Int) -> Int {
      arrivals.withLock {
        $0[id, default: 0] += more
        return $0[id, default: 0]
      }
    }
    let own = arrived(1)
    for _ in 0..<1000 where arrived(0) == own {
      // Away from the threads of tasks, whatever this one's priority is: the others need them.
      await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .background).async { continuation.resume() }
      }
    }
  }

  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    kept.withLock { kept in ids.map { kept[$0] ?? CredentialState() } }
  }

  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {}
}

/// A ledger that is never there.
private struct DeadLedger: Ledger {
  private let error = OTPError(.ledgerUnavailable, "switched off")

  func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] { throw error }
  func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] { throw error }
  func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) { throw error }
}
