import BenchmarkRegistry
import Testing

@Suite struct RegistryTests {
  /// Counts what is prepared.
  private final class Counts {
    var prepared: [String] = []
  }

  private func registry(_ names: [String], _ counts: Counts = Counts()) -> Registry {
    Registry(
      names.map { name in
        Benchmark(name) {
          counts.prepared.append(name)
          return PreparedBenchmark(items: 1, .plain {})
        }
      })
  }

  @Test func onlyWhatIsAskedForIsPrepared() throws {
    let counts = Counts()
    let registry = registry(["code/sha1/swift", "code/sha1/openssl", "prepare/sha1/swift"], counts)
    let chosen = registry.matching(try NameFilter("^code/.*/openssl$"))
    #expect(chosen.map(\.name) == ["code/sha1/openssl"])
    #expect(counts.prepared == [])
    for benchmark in chosen { _ = try benchmark.prepare() }
    #expect(counts.prepared == ["code/sha1/openssl"])
  }

  @Test(arguments: [
    // A plus is special in regular expressions, and a plain character in names.
    ("verify/warm/sha1/w1+1/swift/t1", ["verify/warm/sha1/w1+1/swift/t1"]),
    ("w1.1", ["verify/warm/sha1/w1+1/swift/t1"]), ("w11", []),
    ("^prepare|t1$", ["prepare/sha1/swift", "verify/warm/sha1/w1+1/swift/t1"]),
  ])
  func filters(text: String, names: [String]) throws {
    let registry = registry(["prepare/sha1/swift", "verify/warm/sha1/w1+1/swift/t1"])
    #expect(registry.matching(try NameFilter(text)).map(\.name) == names)
  }

  @Test func whatIsNoExpressionIsRefused() {
    #expect(throws: BenchmarkFault.self) { try NameFilter("(") }
  }

  @Test func aSharedValueIsMadeOnceAndLate() throws {
    var made = 0
    let shared = Shared {
      made += 1
      return made
    }
    #expect(made == 0)
    #expect(try [shared.get(), shared.get()] == [1, 1])
    #expect(made == 1)
  }

  @Test func whatFailsIsTriedAgain() throws {
    var tries = 0
    let shared = Shared {
      tries += 1
      if tries == 1 { throw BenchmarkFault("not yet") }
      return tries
    }
    #expect(throws: BenchmarkFault.self) { try shared.get() }
    #expect(try shared.get() == 2)
  }
}
