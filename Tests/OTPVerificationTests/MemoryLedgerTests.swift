#if os(Linux)
  import Foundation
  import OTP
  import OTPVerification
  import Testing

  @Suite struct MemoryLedgerTests {
    /// A million credentials take no more than 64 bytes each beside their ids: what the process's memory has
    /// grown by, spare room and the allocator's share included.
    @Test(
      .disabled(
        if: isSanitized, "a sanitizer's allocator and shadow memory are larger than the ledger"))
    func memoryForEachCredential() async {
      await #expect(processExitsWith: .success) {
        let count = 1_000_000
        let ledger = MemoryLedger()
        // A first group, so that what every process needs once is there.
        try await settle(0..<1000, in: ledger)
        let before = try privateMemory()
        for start in stride(from: 1000, to: count + 1000, by: 1000) {
          try await settle(start..<start + 1000, in: ledger)
        }
        let bytes = (try privateMemory() - before) / count
        #expect(bytes > 16, "the ledger is somewhere else")
        #expect(bytes <= 16 + 64, "\(bytes) bytes for each credential and its id of 16")
        // All of them are there.
        let last = try id(count + 999)
        #expect(try await ledger.states(of: [last])[0].lastStep == UInt64(count + 999))
      }
    }
  }

  /// Uses a step of each of these credentials.
  private func settle(_ numbers: Range<Int>, in ledger: MemoryLedger) async throws {
    let outcomes = try await ledger.settle(
      numbers.map { number in
        Settlement(
          id: try id(number), time: UnixTime(seconds: 1),
          claim: .match(step: UInt64(number), drift: nil), throttle: .standard, retention: nil)
      })
    #expect(outcomes.allSatisfy { $0 == .accepted })
  }

  /// An id of 16 bytes.
  private func id(_ number: Int) throws -> CredentialID {
    let text = String(number)
    return try CredentialID(String(repeating: "0", count: 16 - text.count) + text)
  }

  /// Bytes of memory that the process has written to and that no file holds.
  private func privateMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  /// Whether this process was built for a sanitizer.
  private let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
#endif
