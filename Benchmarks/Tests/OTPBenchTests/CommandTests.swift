import BenchmarkTestSupport
import Foundation
import Testing

@Suite struct CommandTests {
  @Test(arguments: [
    ([], "no command"), (["fly"], "'fly'"), (["run", "--fly"], "--fly"), (["run", "fly"], "'fly'"),
    (["run", "--filter"], "--filter"), (["run", "--filter", "("], "'('"),
    (["run", "--filter", "no such benchmark"], "no benchmark"),
    (["run", "--peers", "--ledgers"], "exclude"), (["run", "--repetitions", "0"], "--repetitions"),
    (["run", "--repetitions", "-3"], "--repetitions"), (["run", "--seconds", "nan"], "--seconds"),
    (["run", "--seconds", "0"], "--seconds"), (["choose", "--fly"], "--fly"),
    (["choose", "--algorithm", "md5"], "--algorithm"), (["choose", "--window", "1"], "--window"),
    (["choose", "--window", "1,101"], "--window"), (["choose", "--window", "1,-1"], "--window"),
    (["choose", "--credentials", "0"], "--credentials"),
    (["choose", "--threads", "x"], "--threads"),
    (["choose", "--start-up", "fly"], "'fly'"),
  ])
  func wrongUsageIsRefusedByName(arguments: [String], named: String) throws {
    let run = try BenchRun(arguments)
    #expect(run.isRefusal, "\(run.status): \(run.errors)")
    #expect(run.errors.contains(named))
  }

  @Test(arguments: [
    ["--help"], ["run", "--help"], ["choose", "--help"], ["compare", "--help"],
    ["compare-revisions", "--help"], ["report", "--help"], ["chart", "--help"],
  ])
  func helpSaysTheStatuses(arguments: [String]) throws {
    let run = try BenchRun(arguments)
    #expect(run.status == 0)
    #expect(run.output.contains("2 regression"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test func everyNameIsAPathAndTheirOwn() throws {
    let names = try BenchRun(["run", "--full", "--list"]).lines
    #expect(names.count > 200)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.wholeMatch(of: /[a-z0-9]+(\/[a-z0-9+-]+)+/) != nil, "\(name)")
    }
  }

  /// What is compared, and what a filter chooses, are parts of everything.
  @Test(arguments: [
    ([], 60), (["--ledgers"], 8), (["--filter", "^latency/"], 12),
    (["--filter", "verify/warm/sha1/w1+1/multibuffer/b4096/n100000/t1"], 1),
    (["--peers", "--filter", "liboath"], 1),
  ])
  func selections(options: [String], count: Int) throws {
    let all = Set(try BenchRun(["run", "--full", "--list"]).lines)
    let names = try BenchRun(["run", "--list"] + options).lines
    #expect(names.count == count)
    #expect(all.isSuperset(of: names))
  }

  /// How many there are depends on the processor: a library may lack a way to use it.
  @Test func peersArePartsOfEverything() throws {
    let all = Set(try BenchRun(["run", "--full", "--list"]).lines)
    let names = Set(try BenchRun(["run", "--list", "--peers"]).lines)
    #expect(names.isStrictSubset(of: all))
    for algorithm in ["sha1", "sha256", "sha512"] {
      for peer in ["openssl", "gcrypt", "openssl-hmac", "multibuffer"] {
        #expect(names.contains("codes/\(algorithm)/different/\(peer)"), "\(algorithm) \(peer)")
      }
    }
  }

  @Test func theJSONHasWhatWasAskedForAndItsContext() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("otp-bench-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try BenchRun([
      "run", "--filter", "^(prepare|latency)/sha256/.*swift$", "--quick", "--json", file.path,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let context = try #require(json["context"] as? [String: Any])
    for key in [
      "commit", "compiler", "cpu_model", "cpu_features", "kernel_sha1", "kernel_sha512_reason",
      "backend_openssl", "library_liboath", "library_sqlite", "batch_sizes", "date",
    ] {
      #expect((context[key] as? String)?.isEmpty == false, "\(key)")
    }
    let measured = try #require(json["benchmarks"] as? [[String: Any]])
      .filter { $0["run_type"] as? String == "iteration" }
    func runs(_ name: String) -> [[String: Any]] {
      measured.filter { $0["name"] as? String == name }
    }
    #expect(measured.count == 6)
    for run in runs("prepare/sha256/swift") {
      // Two states of 32 bytes, and what the allocator needs beside them, which is not the same in each process.
      let bytes = try #require(run["bytes_per_key"] as? Double)
      #expect((64..<70).contains(bytes), "\(bytes)")
    }
    let latencies = runs("latency/sha256/w1+1/swift")
    #expect(latencies.count == 3)
    for run in latencies {
      let percentiles = ["p50_ns", "p90_ns", "p99_ns", "p999_ns"].compactMap { run[$0] as? Double }
      #expect(percentiles.count == 4)
      #expect(percentiles == percentiles.sorted())
      #expect(percentiles[0] > 0)
    }
  }

  /// Few rounds decide nothing, but everything is measured.
  @Test func chooseMeasuresEveryBackend() throws {
    let run = try BenchRun([
      "choose", "--algorithm", "sha256", "--window", "2,0", "--credentials", "500", "--rounds", "2",
      "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let backends = try #require(json["backends"] as? [[String: Any]])
    #expect(
      Set(backends.compactMap { $0["name"] as? String })
        == ["swift", "openssl", "gcrypt", "multibuffer"])
    for backend in backends {
      for key in [
        "verificationsPerSecond", "ratio", "nanosecondsPerCode", "nanosecondsPerKey", "bytesPerKey",
        "bytesForAll", "startUpSeconds",
      ] {
        #expect(try #require(backend[key] as? Double) > 0, "\(key)")
      }
      for key in ["library", "license", "constantTime"] {
        #expect((backend[key] as? String)?.isEmpty == false, "\(key)")
      }
    }
    #expect((json["tooCloseToCall"] as? [String])?.count == 3)
    #expect((json["work"] as? [String: Any])?["window"] as? [Int] == [2, 0])
  }
}
