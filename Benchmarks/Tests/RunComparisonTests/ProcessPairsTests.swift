import BenchmarkResults
import BenchmarkTestSupport
import Foundation
import RunComparison
import Testing

/// Scripts stand in for `otp-bench`: they take its options, and write what they are told.
@Suite struct ProcessPairsTests {
  @Test func processesTakeTurns() throws {
    try withFolder { folder in
      let log = folder + "/log"
      let base = try script(folder, "base", "echo base >> '\(log)'; \(writes("a", time: 10))")
      let head = try script(folder, "head", "echo head >> '\(log)'; \(writes("a", time: 11))")
      var progress: [Int] = []
      let pairs = try ProcessPairs(base: base, head: head, settings).measure(
        least: 3, in: folder, progress: { progress.append($0) }, areEnough: { _ in true })
      #expect(
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
          == ["base", "head", "head", "base", "base", "head"])
      #expect(pairs.map { $0.base["a"]?.times } == [[10], [10], [10]])
      #expect(pairs.map { $0.head["a"]?.times } == [[11], [11], [11]])
      #expect(progress == [0, 1, 2])
      // Of the results' files nothing is left.
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
          "base", "head", "log",
        ])
    }
  }

  /// Asked after 4, 6, 8, 10 pairs, and after 12 no more.
  @Test(arguments: [(4, [4]), (7, [4, 6, 8]), (100, [4, 6, 8, 10])])
  func moreAreMeasuredUntilTheyAreEnough(needed: Int, expected: [Int]) throws {
    try withFolder { folder in
      let executable = try script(folder, "x", writes("a", time: 10))
      var asked: [Int] = []
      let pairs = try ProcessPairs(base: executable, head: executable, settings).measure(
        least: 4, in: folder
      ) { pairs in
        asked.append(pairs.count)
        return pairs.count >= needed
      }
      #expect(asked == expected)
      #expect(pairs.count == (needed == 100 ? 12 : expected.last))
    }
  }

  @Test func optionsAreHandedOn() throws {
    try withFolder { folder in
      let log = folder + "/log"
      let executable = try script(
        folder, "x", #"echo "$* $OTP_KERNEL" >> '\#(log)'; \#(writes("a", time: 10))"#)
      _ = try executable.measure(
        ProcessSettings(filter: "^a b$", repetitions: 4, seconds: 0.25, limit: 60), in: folder)
      let line = try String(contentsOfFile: log, encoding: .utf8)
      #expect(line.hasPrefix("run --full --filter ^a b$ --json \(folder)/"))
      let kernel = ProcessInfo.processInfo.environment["OTP_KERNEL"] ?? "fixed"
      #expect(line.hasSuffix(".json --repetitions 4 --seconds 0.25 \(kernel)\n"))
    }
  }

  @Test func namesAreThoseOfTheList() throws {
    try withFolder { folder in
      let executable = try script(
        folder, "x", #"[ "$*" = "run --full --list" ] && echo a/b && echo c"#)
      #expect(try executable.names(within: 60) == ["a/b", "c"])
    }
  }

  @Test func aFailureEndsThePairs() throws {
    try withFolder { folder in
      let good = try script(folder, "good", writes("a", time: 10))
      let bad = try script(folder, "bad", "echo no >&2; exit 3")
      let error = #expect(throws: ProgramError.self) {
        try ProcessPairs(base: good, head: bad, settings).measure(least: 3, in: folder) { _ in true
        }
      }
      #expect(error?.description == "\(folder)/bad ended with status 3: no")
    }
  }

  @Test(arguments: [
    "", "{", "[]", #"{"context": {}, "benchmarks": [{"name": "a", "run_type": "iteration"}]}"#,
  ])
  func rubbishIsNamed(text: String) throws {
    try withFolder { folder in
      let good = try script(folder, "good", writes("a", time: 10))
      let bad = try script(folder, "bad", #"printf '%s' '\#(text)' > "$file""#)
      let error = #expect(throws: ResultsError.self) {
        try ProcessPairs(base: bad, head: good, settings).measure(least: 3, in: folder) { _ in true
        }
      }
      #expect(error?.description.hasPrefix("the result of \(folder)/bad ") == true)
    }
  }

  @Test func noResultIsAnError() throws {
    try withFolder { folder in
      let none = try script(folder, "none", "true")
      let error = #expect(throws: ResultsError.self) { try none.measure(settings, in: folder) }
      #expect(error?.problem == .unreadable("No such file or directory"))
    }
  }

  /// A benchmark that comes and goes cannot be compared.
  @Test func otherBenchmarksInAnotherProcess() throws {
    try withFolder { folder in
      let steady = try script(folder, "steady", writes("a", time: 10))
      let unsteady = try script(
        folder, "unsteady",
        "if [ -e '\(folder)/flag' ]; then \(writes("b", time: 10)); else \(writes("a", time: 10)); fi; touch '\(folder)/flag'"
      )
      let error = #expect(throws: UnsteadyError.self) {
        try ProcessPairs(base: steady, head: unsteady, settings).measure(least: 3, in: folder) {
          _ in true
        }
      }
      #expect(error?.description.contains("unsteady") == true)
    }
  }

  private let settings = ProcessSettings(filter: "a", repetitions: 1, seconds: 0.01, limit: 60)

  /// - Parameter body: finds the path for its results in `file`.
  private func script(_ folder: String, _ name: String, _ body: String) throws
    -> BenchmarkExecutable
  {
    let path = "\(folder)/\(name)"
    let text = """
      #!/bin/sh
      file=
      for word in "$@"; do
        [ "$last" != --json ] || file=$word
        last=$word
      done
      \(body)

      """
    try writeScript(text, to: path)
    return BenchmarkExecutable(path: path, Programs())
  }

  private func writes(_ name: String, time: Double) -> String {
    let json =
      #"{"context": {}, "benchmarks": [{"name": "\#(name)", "run_type": "iteration", "real_time": \#(time), "cpu_time": \#(time)}]}"#
    return #"printf '%s' '\#(json)' > "$file""#
  }
}
