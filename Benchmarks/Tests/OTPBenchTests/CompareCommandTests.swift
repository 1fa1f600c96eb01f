import BenchmarkTestSupport
import Foundation
import Testing

/// `otp-bench compare` from the command line, with files and with scripts that stand in for executables.
@Suite struct CompareCommandTests {
  @Test func statusesOfFiles() throws {
    try withFolder { folder in
      let base = try results(folder, "base", ["a": 100, "b": 100])
      let same = try results(folder, "same", ["a": 100.1, "b": 99.9])
      let slower = try results(folder, "slower", ["a": 105, "b": 90])
      let faster = try results(folder, "faster", ["a": 95, "b": 100])
      let missing = try results(folder, "missing", ["a": 200])
      let other = try results(folder, "other", ["c": 100])
      let nothing = try results(folder, "nothing", [:])
      func status(_ options: String...) throws -> Int32 {
        try BenchRun(["compare"] + options).status
      }
      #expect(try status(base, same) == 0)
      #expect(try status(base, slower) == 2)
      #expect(try status("--strict", base, slower) == 2)
      #expect(try status("--tolerance", "6", "--filter", "^a$", base, slower) == 0)
      #expect(try status(base, faster) == 0)
      #expect(try status("--strict", base, faster) == 4)
      #expect(try status(base, missing) == 1)
      #expect(try status(base, other) == 1)
      #expect(try status("--filter", "^a$", base, missing) == 2)
      #expect(try status(nothing, base) == 5)
      #expect(try status("--filter", "zzz", base, same) == 5)
    }
  }

  @Test(arguments: ["compare", "compare-revisions"])
  func helpExplainsEveryVerdict(command: String) throws {
    let help = try BenchRun([command, "--help"]).output
    for (verdict, status) in [
      ("missing", "1"), ("regression", "2"), ("improvement", "4 with --strict, otherwise 0"),
      ("no change", "0"), ("inconclusive", "0"), ("new", "0"),
    ] {
      #expect(
        help.split(separator: "\n").contains {
          $0.hasPrefix("  \(verdict)  ") && $0.hasSuffix(": \(status)")
        }, "\(verdict): \(help)")
    }
  }

  /// Two repetitions a side prove nothing, which is no failure, but the way out is told.
  @Test func tooFewRepetitionsAreTold() throws {
    try withFolder { folder in
      let base = try results(folder, "base", ["a": 100], repetitions: 2)
      let slower = try results(folder, "slower", ["a": 200], repetitions: 2)
      let run = try BenchRun(["compare", base, slower])
      #expect(run.status == 0)
      #expect(run.output.contains("1 inconclusive"))
      #expect(run.output.contains("4 repetitions or more on each side"), "\(run.output)")
    }
  }

  @Test func reportsAreWritten() throws {
    try withFolder { folder in
      let base = try results(folder, "base", ["a": 100])
      let head = try results(folder, "head", ["a": 105])
      let run = try BenchRun([
        "compare", "--markdown", folder + "/x.md", "--json", folder + "/x.json", base, head,
      ])
      #expect(run.output.contains("regression"))
      #expect(try text(folder + "/x.md").contains("**regression**"))
      #expect(try text(folder + "/x.json").contains(#""verdict" : "regression""#))
    }
  }

  /// Nothing is measured for a file that cannot be written.
  @Test(arguments: ["--json", "--markdown"])
  func unwritableFilesAreRefusedBeforeMeasuring(option: String) throws {
    try withFolder { folder in
      let started = folder + "/started"
      let program = try script(
        folder, "program", time: 100, list: "touch '\(started)'; echo a")
      for (file, reason) in [
        ("\(folder)/none/x", "there is no folder \(folder)/none"), (folder, "it is a folder"),
        ("\(program)/x", "Not a directory"),
      ] {
        for command in [
          ["compare", "--filter", "a", program, program], ["compare-revisions", "HEAD"],
        ] {
          let run = try BenchRun(command + [option, file])
          #expect(run.isRefusal, "\(run.status): \(run.errors)")
          #expect(
            run.errors == "otp-bench: \(file) cannot be written: \(reason)\n", "\(run.errors)")
        }
      }
      #expect(!FileManager.default.fileExists(atPath: started))
    }
  }

  @Test func wrongUsageIsRefusedByName() throws {
    try withFolder { folder in
      let file = try results(folder, "file", ["a": 100])
      let program = try script(folder, "program", time: 10)
      for (arguments, named) in [
        ([file], "BASE and HEAD"), ([file, file, "more"], "'more'"), ([file, program], "two"),
        ([program, program], "--filter"), (["--fly", file, file], "--fly"),
        (["--tolerance", "-1", file, file], "--tolerance"),
        (["--pairs", "0", file, file], "--pairs"),
        ([file, folder + "/none"], "/none cannot be read"), ([folder, file], "cannot be read"),
        (["--filter", "(", file, file], "'('"), (["--filter", "(", program, program], "'('"),
      ] {
        let run = try BenchRun(["compare"] + arguments)
        #expect(run.isRefusal, "\(arguments): \(run.status) \(run.errors)")
        #expect(run.errors.contains(named), "\(arguments): \(run.errors)")
      }
    }
  }

  @Test func executablesAreMeasured() throws {
    try withFolder { folder in
      let base = try script(folder, "base", time: 100)
      let slower = try script(folder, "slower", time: 105)
      let run = try BenchRun(["compare", "--filter", "a", "--pairs", "8", base, slower])
      #expect(run.status == 2, "\(run.output)\(run.errors)")
      #expect(run.output.contains("8 pairs of processes"))
      #expect(try BenchRun(["compare", "--filter", "a", "--pairs", "8", base, base]).status == 0)
    }
  }

  @Test func nothingToCompareWith() throws {
    try withFolder { folder in
      let program = try script(folder, "program", time: 100)
      let old = try script(folder, "old", time: 100, list: "echo there is no option >&2; exit 1")
      let empty = try script(folder, "empty", time: 100, list: "true")
      for (arguments, status, text) in [
        ([old, program], 5, "old cannot list its benchmarks"),
        ([empty, program], 5, "empty has no benchmark that matches 'a'"),
        ([program, empty], 1, "empty has no benchmark that matches 'a'"),
        ([program, old], 1, "there is no option"),
      ] {
        let run = try BenchRun(["compare", "--filter", "a", "--pairs", "6"] + arguments)
        #expect(run.status == Int32(status), "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
      }
    }
  }

  @Test func programsThatHangAreEnded() throws {
    try withFolder { folder in
      let program = try script(folder, "program", time: 100)
      let hanging = try script(folder, "hanging", time: 100, list: "echo a", run: "sleep 1000")
      let run = try BenchRun([
        "compare", "--filter", "a", "--pairs", "6", "--limit", "1", program, hanging,
      ])
      #expect(run.isRefusal)
      #expect(run.errors.contains("hanging did not end within 1.0 seconds"), "\(run.errors)")
    }
  }

  /// What was interrupted ends as the signal ends a program, and leaves nothing behind.
  @Test(arguments: [SIGINT, SIGTERM])
  func interruptsTidyUp(signal: Int32) throws {
    try withFolder { folder in
      let started = folder + "/started"
      let hanging = try script(
        folder, "hanging", time: 100, list: "echo a", run: "touch '\(started)'; exec sleep 1000")
      let temporary = folder + "/temporary"
      let process = try startComparison(of: hanging, temporary: temporary, until: started)
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).count == 1)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }
  }

  /// A long comparison goes on after its terminal is gone, where `nohup` has it so.
  @Test func aHangUpThatIsIgnoredEndsNothing() throws {
    try withFolder { folder in
      let json = json(["a": 100])
      let program = try script(
        folder, "program", time: 100, run: "kill -HUP $PPID; printf '%s' '\(json)' > \"$file\"")
      let command =
        "'\(try BenchRun.program.path)' compare --filter a --pairs 6 '\(program)' '\(program)'"
      let nohup = try BenchRun(["-c", "trap '' HUP; exec \(command)"], program: "/bin/sh")
      #expect(nohup.status == 0, "\(nohup.errors)")
      #expect(nohup.output.contains("1 no change"))
      let other = try BenchRun(["-c", "\(command) || exit 7"], program: "/bin/sh")
      #expect(other.status == 7)
    }
  }

  // MARK: compare-revisions

  /// Of a repository with a small package in the place of the benchmarks.
  @Test func revisionsAreBuiltAndCompared() throws {
    try withFolder { folder in
      try writePackage(folder, time: 100)
      try git(folder, "init", "--quiet")
      try commitAll(folder)
      try writePackage(folder, time: 105)
      func compare(_ options: String...) throws -> BenchRun {
        try BenchRun(["compare-revisions", "--filter", "a", "--pairs", "8"] + options, in: folder)
      }
      let working = try compare("HEAD")
      #expect(working.status == 2, "\(working.output)\(working.errors)")
      #expect(working.output.contains("BASE HEAD, HEAD the files as they are"))
      let commit = try git(folder, "rev-parse", "HEAD").prefix(7)
      #expect(
        working.errors.replacing(/\d+ s\n/, with: "N s\n")
          .replacing(/\d+ of \d+ bench/, with: "M of N bench") == """
            building HEAD (\(commit)) ... N s
            building HEAD, the files as they are ... N s
            measuring M of N benchmarks, 8 pairs of processes or more ... N s

            """, "\(working.errors)")
      // The files would be found slower if they were built.
      let built = try script(folder, "built", time: 100)
      let given = try compare("--head-executable", built, "HEAD")
      #expect(given.status == 0, "\(given.output)\(given.errors)")
      let twice = try compare("--head-executable", built, "HEAD", "HEAD")
      #expect(twice.isRefusal)
      #expect(twice.errors.contains("exclude each other"))
      let same = try compare("HEAD", "HEAD")
      #expect(same.status == 0, "\(same.output)\(same.errors)")
      #expect(same.errors.split(separator: "building HEAD (\(commit)) ... ").count == 2)
      let unknown = try compare("nowhere")
      #expect(unknown.isRefusal)
      #expect(unknown.errors.contains("there is no commit 'nowhere'"))
      #expect(try git(folder, "worktree", "list").split(separator: "\n").count == 1)
    }
  }

  /// Nothing is built for what is misspelt: here is not even a repository.
  @Test func aFilterThatMatchesNothingIsRefusedBeforeBuilding() throws {
    try withFolder { folder in
      let run = try BenchRun(["compare-revisions", "--filter", "verfy", "HEAD"], in: folder)
      #expect(run.status == 5, "\(run.errors)")
      #expect(
        run.errors.hasPrefix(
          "otp-bench: nothing to compare: no benchmark matches the filter 'verfy'"),
        "\(run.errors)")
    }
  }

  @Test func aBaseWithoutBenchmarks() throws {
    try withFolder { folder in
      try "none".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
      try git(folder, "init", "--quiet")
      try commitAll(folder)
      let run = try BenchRun(["compare-revisions", "HEAD"], in: folder)
      #expect(run.status == 5)
      #expect(run.errors.contains("HEAD has no package of benchmarks"))
      #expect(try git(folder, "worktree", "list").split(separator: "\n").count == 1)
    }
  }

  /// A hook is told where the index is that git is about to commit. It must be none of ours to write.
  @Test func aHookThatComparesLeavesTheIndexAlone() throws {
    try withFolder { folder in
      try "none".write(toFile: folder + "/old", atomically: false, encoding: .utf8)
      try git(folder, "init", "--quiet")
      try commitAll(folder)
      let tree = folder + "/tree"
      try git(folder, "worktree", "add", "--quiet", "--detach", tree)
      try writeScript(
        """
        #!/bin/sh
        '\(try BenchRun.program.path)' compare-revisions HEAD 2>>'\(folder)/compared'
        [ $? -eq 5 ]

        """, to: folder + "/.git/hooks/pre-commit")
      for place in [folder, tree] {
        try "new".write(toFile: place + "/new", atomically: false, encoding: .utf8)
        try git(place, "add", "new")
        try commit(place, "--all")
        #expect(try git(place, "show", "--format=", "--name-status") == "A\tnew\n")
      }
      #expect(
        try text(folder + "/compared").split(separator: "\n").count {
          $0.contains("HEAD has no package of benchmarks")
        } == 2)
    }
  }

  /// What a build started may live on in a group of its own and write for a while.
  @Test func whatIsWrittenWhileAnInterruptTidiesUpIsRemovedToo() throws {
    try withFolder { folder in
      let (started, temporary) = (folder + "/started", folder + "/temporary")
      let write = """
        directory=$(dirname "$file")/build
        mkdir "$directory"
        export directory
        for writer in a b c d e f g h; do
          setsid sh -c 'n=0; touch "$0"
            while [ $n -lt 30000 ] && : > "$directory/$1$n"; do n=$((n + 1)); done' '\(started)' $writer &
        done
        exec sleep 1000
        """
      let hanging = try script(folder, "hanging", time: 100, list: "echo a", run: write)
      let process = try startComparison(of: hanging, temporary: temporary, until: started)
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }
  }

  /// A comparison of a program with itself that is under way.
  /// - Parameters:
  ///   - temporary: a new folder for what is temporary.
  ///   - started: a file that the program makes.
  private func startComparison(
    of program: String, temporary: String, until started: String
  ) throws -> Process {
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = try BenchRun.program
    process.arguments = ["compare", "--filter", "a", "--limit", "60", program, program]
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: started) { usleep(1000) }
    return process
  }

  private func writePackage(_ folder: String, time: Double) throws {
    let sources = folder + "/Benchmarks/Sources/otp-bench"
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(name: "small", targets: [.executableTarget(name: "otp-bench")])
    """.write(
      toFile: folder + "/Benchmarks/Package.swift", atomically: false, encoding: .utf8)
    try """
    import Foundation
    let words = CommandLine.arguments
    if words.contains("--list") {
      print("a")
    } else if let place = words.firstIndex(of: "--json") {
      try #"\(json(["a": time]))"#.write(toFile: words[place + 1], atomically: false, encoding: .utf8)
    }
    """.write(toFile: sources + "/main.swift", atomically: false, encoding: .utf8)
  }

  private func commitAll(_ folder: String) throws {
    try git(folder, "add", "--all")
    try commit(folder)
  }

  private func commit(_ folder: String, _ words: String...) throws {
    try git(
      folder,
      [
        "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgSign=false",
        "commit", "--quiet", "--message", "test",
      ] + words)
  }

  @discardableResult
  private func git(_ folder: String, _ words: String...) throws -> String {
    try git(folder, words)
  }

  @discardableResult
  private func git(_ folder: String, _ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + words
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Making results

  /// Repetitions around each time.
  private func json(_ times: [String: Double], repetitions: Int = 9) -> String {
    let runs = times.flatMap { name, time in
      (0..<repetitions).map { number in
        let time = time * (1 + Double(number) / 10_000)
        return
          #"{"name": "\#(name)", "run_type": "iteration", "repetition_index": \#(number), "real_time": \#(time), "cpu_time": \#(time)}"#
      }
    }
    return #"{"context": {}, "benchmarks": [\#(runs.joined(separator: ", "))]}"#
  }

  private func results(
    _ folder: String, _ name: String, _ times: [String: Double], repetitions: Int = 9
  ) throws -> String {
    let path = "\(folder)/\(name).json"
    try json(times, repetitions: repetitions).write(
      toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  /// - Parameters:
  ///   - list: what it does when it is asked for the names.
  ///   - run: what it does instead of writing results.
  private func script(
    _ folder: String, _ name: String, time: Double, list: String = "echo a", run: String? = nil
  ) throws -> String {
    let path = "\(folder)/\(name)"
    let text = """
      #!/bin/sh
      for word in "$@"; do
        case $word in --list) \(list); exit ;; esac
        [ "$last" != --json ] || file=$word
        last=$word
      done
      \(run ?? "printf '%s' '\(json(["a": time]))' > \"$file\"")

      """
    try writeScript(text, to: path)
    return path
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }
}
