import BenchmarkResults
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
    (["run", "--seconds", "0"], "--seconds"), (["run", "--seconds", "1e300"], "up to 3600"),
    (["run", "--repetitions", "100000"], "--repetitions must be a whole number from 1 to 1000"),
    (["choose", "--fly"], "--fly"),
    (["choose", "--algorithm", "md5"], "--algorithm"), (["choose", "--window", "1"], "--window"),
    (["choose", "--window", "1,101"], "--window must be two whole numbers from 0 to 100"),
    (["choose", "--window", "1,-1"], "--window"),
    (
      ["choose", "--credentials", "0"], "--credentials must be a whole number from 1 to 1000000000"
    ),
    (["choose", "--credentials", "99999999999999"], "--credentials"),
    (["choose", "--threads", "x"], "--threads"), (["choose", "--threads", "0"], "--threads"),
    (
      ["choose", "--threads", "10000"],
      "--threads must be a whole number from 1 to \(ProcessInfo.processInfo.activeProcessorCount)"
    ),
    (["choose", "--rounds", "0"], "--rounds must be a whole number from 1 to 1000"),
    (["compare", "--pairs", "1001"], "--pairs must be a whole number from 1 to 1000"),
    (["compare", "--tolerance", "inf"], "--tolerance must be a number above 0, up to 1000"),
    (["compare", "--limit", "-1"], "--limit"),
    (["choose", "--start-up", "fly"], "'fly'"),
  ])
  func wrongUsageIsRefusedByName(arguments: [String], named: String) throws {
    let run = try BenchRun(arguments)
    #expect(run.isRefusal, "\(run.status): \(run.errors)")
    #expect(run.errors.contains(named))
  }

  /// An existing file stays as it is, and none is made, until there are results.
  @Test func filesThatCannotBeWrittenAreRefusedBeforeMeasuring() throws {
    try withFolder { folder in
      for (arguments, reason) in [
        (["--json", folder + "/none/x.json"], "there is no folder \(folder)/none"),
        (["--json", folder], "it is a folder"),
        (["--folder", folder + "/none"], "there is no folder \(folder)/none"),
      ] {
        // A measurement would take hours.
        let run = try BenchRun(["run", "--filter", "^uri/parse", "--seconds", "3600"] + arguments)
        #expect(run.isRefusal, "\(run.status): \(run.errors)")
        #expect(run.errors.hasSuffix(": \(reason)\n"), "\(run.errors)")
      }
      let run = try BenchRun(["run", "--json", folder + "/x.json", "--filter", "no such benchmark"])
      #expect(run.isRefusal)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  /// What is lost on a full disk is said, and none of it is taken for a result.
  @Test func fullDisksFail() throws {
    let filter = "base32/decode/otp/lenient"
    for arguments in [
      ["run", "--quick", "--filter", filter, "--json", "/dev/full"],
      ["run", "--quick", "--filter", filter, ">/dev/full"],
      ["run", "--list", ">/dev/full"], ["run", "--list", ">&-"], ["--help", ">/dev/full"],
    ] {
      let command = "exec '\(try BenchRun.program.path)' \(arguments.joined(separator: " "))"
      let run = try BenchRun(["-c", command], program: "/bin/sh")
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errors.contains("cannot be written"), "\(arguments): \(run.errors)")
    }
  }

  /// The files of a ledger are large.
  @Test func anInterruptLeavesNoFiles() throws {
    try withFolder { folder in
      let process = Process()
      process.executableURL = try BenchRun.program
      process.arguments = [
        "run", "--filter", "settle/sqlite/one", "--seconds", "3600", "--folder", folder,
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
      }
      while process.isRunning, try files().count < 2 { usleep(1000) }
      try #require(process.isRunning)
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(try files().isEmpty)
    }
  }

  /// Google Benchmark's own variables are for other programs.
  @Test(arguments: [
    "REPORT_AGGREGATES_ONLY=1", "DISPLAY_AGGREGATES_ONLY=1", "LIST_TESTS=1", "FILTER=none",
    "REPETITIONS=1", "OUT=other.json", "OUT_FORMAT=csv", "FORMAT=csv",
  ])
  func variablesOfTheLibraryChangeNothing(variable: String) throws {
    try withFolder { folder in
      let run = try BenchRun(
        [
          "BENCHMARK_\(variable)", try BenchRun.program.path, "run", "--quick", "--filter",
          "base32/decode/otp/lenient", "--json", "x.json",
        ], in: folder, program: "/usr/bin/env")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains(#/base32/decode/otp/lenient +\d/#), "\(run.output)")
      #expect(try Results(contentsOf: folder + "/x.json").benchmarks[0].repetitions.count == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x.json"])
    }
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

  /// Percentiles go up from left to right.
  @Test func percentilesAreInOrder() throws {
    let run = try BenchRun(["run", "--filter", "latency/sha1/w1+1/swift", "--quick"])
    let line = try #require(run.lines.last)
    #expect(
      line.contains(/p50_ns [\d,]+, p90_ns [\d,]+, p99_ns [\d,]+, p999_ns [\d,]+$/), "\(line)")
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
    ([], 60), (["--ledgers"], 8), (["--filter", "^latency/"], 18),
    (["--filter", "verify/warm/sha1/w1+1/multibuffer/b4096/n100000/t1"], 1),
    (["--peers", "--filter", "liboath"], 1),
  ])
  func selections(options: [String], count: Int) throws {
    let all = Set(try BenchRun(["run", "--full", "--list"]).lines)
    let names = try BenchRun(["run", "--list"] + options).lines
    #expect(names.count == count)
    #expect(all.isSuperset(of: names))
  }

  /// What takes minutes and gigabytes is measured only when it is asked for.
  @Test func largeOnesAreNoPartOfEverything() throws {
    let all = Set(try BenchRun(["run", "--full", "--list"]).lines)
    let names = try BenchRun(["run", "--large", "--list"]).lines
    #expect(names.contains("table/sha1/multibuffer/n10000000"))
    #expect(names.filter { $0.hasSuffix("/t1/reading") }.count == 3)
    #expect(all.isDisjoint(with: names))
    #expect(try BenchRun(["run", "--list", "--filter", "n10000000"]).status == 1)
    #expect(try BenchRun(["run", "--large", "--peers", "--list"]).isRefusal)
  }

  @Test func readingIsChecked() throws {
    let run = try BenchRun(["run", "--large", "--filter", "n1000/t1/reading", "--quick"])
    #expect(run.status == 0, "\(run.errors)")
    let line = try #require(run.lines.last)
    #expect(line.contains(/\/n1000\/t1\/reading +[\d,]{7,} +±/), "\(line)")
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
    #expect(context["otp_build_type"] as? String == "release")
    let measured = try #require(json["benchmarks"] as? [[String: Any]])
      .filter { $0["run_type"] as? String == "iteration" }
    func runs(_ name: String) -> [[String: Any]] {
      measured.filter { $0["name"] as? String == name }
    }
    #expect(measured.count == 6)
    for run in runs("prepare/sha256/swift") {
      // Two states of 32 bytes, and a share of what a keyring has beside its 1,024 keys.
      let bytes = try #require(run["bytes_per_key"] as? Double)
      #expect((64...68).contains(bytes))
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
        == [
          "swift", "openssl", "openssl-compact", "gcrypt", "gcrypt-compact", "multibuffer",
        ])
    for backend in backends {
      for key in [
        "verificationsPerSecond", "ratio", "nanosecondsPerCode", "nanosecondsPerKey", "bytesPerKey",
        "bytesForAll", "startUpSeconds",
      ] {
        let figure = try #require(backend[key] as? Double)
        #expect(figure > 0, "\(key)")
      }
      for key in ["library", "license", "constantTime"] {
        #expect((backend[key] as? String)?.isEmpty == false, "\(key)")
      }
    }
    #expect((json["tooCloseToCall"] as? [String])?.count == 5)
    let work = try #require(json["work"] as? [String: Any])
    #expect(work["window"] as? [Int] == [2, 0])
    #expect(work["measuredCredentials"] as? Int == 500)
    // With too few rounds, none is recommended.
    #expect(json["recommended"] == nil)
    #expect(json["tooFewRounds"] as? Bool == true)
    #expect((json["advice"] as? [String])?.first?.hasPrefix("2 rounds are too few") == true)
  }

  /// What a terminal of 100 columns shows, and meanwhile a line that says what is under way.
  @Test func chooseFitsATerminalAndShowsItsProgress() throws {
    try withFolder { folder in
      let command = try "'\(BenchRun.program.path)' choose --credentials 500 --rounds 2"
      // Debian's bsdutils, which every system has: a terminal for standard error alone.
      let terminal = try BenchRun(
        ["-qec", "\(command) > '\(folder)/output'", "/dev/null"], program: "/usr/bin/script")
      #expect(terminal.status == 0)
      for text in ["preparing multibuffer", "round 1 of 2", "round 2 of 2, "] {
        #expect(terminal.output.contains(text), "\(terminal.output)")
      }
      // The line is cleared at the end.
      #expect(terminal.output.hasSuffix("\r\u{1B}[K"))
      let text = try String(contentsOfFile: folder + "/output", encoding: .utf8)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(text)")
      #expect(text.contains("unbounded") && !text.contains("inf "))
    }
    #expect(try BenchRun(["choose", "--credentials", "500", "--rounds", "1"]).errors.isEmpty)
  }
}
