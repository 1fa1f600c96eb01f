import BenchmarkTestSupport
import Foundation
import Testing

/// `otp-bench instructions` with one short benchmark.
@Suite struct InstructionsCommandTests {
  private static let name = "base32/encode/otp"

  @Test(arguments: [
    ([], "needs a word more: 'record', 'check' and 'stages'; see"), (["fly"], "'fly'"),
    (["check", "--fly"], "--fly"), (["check", "fly"], "'fly'"),
    (["record", "--strict"], "--strict"), (["check", "--filter"], "--filter"),
    (["check", "--filter", "("], "'('"), (["check", "--filter", "no such benchmark"], "filter"),
    (["check", "--filter", "liboath"], "filter"),
    (["check", "--credentials", "1"], "--credentials"),
    (["stages", "--credentials", "0"], "--credentials"), (["stages", "--folder", "x"], "--folder"),
    (["count"], "'count'"),
  ])
  func wrongUsageIsRefusedByName(arguments: [String], named: String) throws {
    let run = try BenchRun(["instructions"] + arguments)
    #expect(run.isRefusal, "\(run.status): \(run.errors)")
    #expect(run.errors.contains(named), "\(run.errors)")
  }

  /// Somebody copies the one program and not the other.
  @Test(arguments: ["record", "check", "stages"])
  func whatIsMissingIsNamedWithTheWayToGetIt(action: String) throws {
    try withFolder { folder in
      try FileManager.default.copyItem(
        atPath: BenchRun.program.path, toPath: folder + "/otp-bench")
      let run = try BenchRun(["instructions", action], program: folder + "/otp-bench")
      #expect(run.isRefusal, "\(run.status): \(run.errors)")
      #expect(run.errors.contains("/otp-bench-count is missing"))
      #expect(run.errors.contains("--product otp-bench-count"))
    }
  }

  @Test func anUnwritableFolderIsRefusedBeforeCounting() throws {
    try withFolder { folder in
      try Data().write(to: URL(fileURLWithPath: folder + "/file"))
      let run = try BenchRun(["instructions", "record", "--folder", folder + "/file/thresholds"])
      #expect(run.isRefusal, "\(run.status): \(run.errors)")
      #expect(run.errors.contains("/file/thresholds cannot be made"), "\(run.errors)")
    }
  }

  @Test func helpSaysTheStatuses() throws {
    let run = try BenchRun(["instructions", "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("5 nothing to compare with"))
    #expect(run.lines.allSatisfy { $0.count <= 120 })
  }

  @Test func whatWasRecordedIsAsItWas() throws {
    try withThresholds { thresholds in
      let before = thresholds.text
      let check = try thresholds.check()
      #expect(check.status == 0, "\(check.errors)")
      #expect(check.output == "the 1 benchmark is as recorded\n")
      #expect(try thresholds.record().status == 0)
      #expect(thresholds.text == before)
    }
  }

  @Test func onePercentMoreIsARegressionWithTheBenchmarksName() throws {
    try withThresholds { thresholds in
      let old = try thresholds.scale(by: 1 / 1.01)
      let check = try thresholds.check()
      #expect(check.status == 2)
      try #require(check.lines.count == 2, "\(check.output)")
      #expect(
        check.lines[0].hasPrefix("regression: +1.00 % swift: \(Self.name): \(old) -> "),
        "\(check.output)")
      #expect(check.lines[0].hasSuffix(" instructions per item"), "\(check.output)")
      #expect(
        check.lines[1]
          == "1 regression, the worst +1.00 % \(Self.name): if the change was meant, run 'otp-bench "
          + "instructions record --folder \(thresholds.folder.path)' and review what it changes")
    }
  }

  @Test func onePercentLessIsToldAndFailsOnlyStrictly() throws {
    try withThresholds { thresholds in
      try thresholds.scale(by: 1 / 0.99)
      let check = try thresholds.check()
      #expect(check.status == 0)
      #expect(check.lines.count == 1)
      #expect(check.output.hasPrefix("1 improvement (--strict names what became less): "))
      let strict = try thresholds.check("--strict")
      #expect(strict.status == 4)
      #expect(strict.output.hasPrefix("improvement: -1.00 % swift: \(Self.name): "))
    }
  }

  @Test func oneAllocationMoreIsARegression() throws {
    try withThresholds { thresholds in
      let fields = try thresholds.fields()
      let allocations = try #require(Int(fields[1]))
      let less = "\(allocations - 1)"
      thresholds.text.replace(
        try thresholds.line(), with: "\(fields[0]) \(less) \(fields[2]) \(Self.name)")
      let check = try thresholds.check()
      #expect(check.status == 2)
      #expect(
        check.lines.first
          == "more allocations: swift: \(Self.name): \(less) -> \(allocations) allocations in a call of \(fields[2]) items"
      )
    }
  }

  @Test func aBenchmarkThatIsNoMoreFails() throws {
    try withThresholds { thresholds in
      thresholds.text += "          1.00            0        1  base32/encode/otp/gone\n"
      let check = try thresholds.check()
      #expect(check.status == 1)
      #expect(check.lines.first == "missing: swift: base32/encode/otp/gone")
      // Recording drops it.
      #expect(try thresholds.record().status == 0)
      #expect(!thresholds.text.contains("gone"))
    }
  }

  @Test func aBenchmarkThatWasNotRecordedIsTold() throws {
    try withThresholds { thresholds in
      thresholds.text.replace(try thresholds.line(), with: "")
      let check = try thresholds.check()
      #expect(check.status == 0)
      #expect(
        check.lines.first?.hasPrefix("new: swift: \(Self.name): ") ?? false, "\(check.output)")
    }
  }

  @Test func anotherCompilerIsNothingToCompareWith() throws {
    try withThresholds { thresholds in
      try thresholds.scale(by: 0.5)
      thresholds.text.replace("compiler = Swift", with: "compiler = Other")
      let check = try thresholds.check()
      #expect(check.status == 5)
      #expect(check.output.hasPrefix("not compared: swift: its file is for compiler Other"))
      // Half of a file cannot be for one compiler and half for another.
      let record = try thresholds.record()
      #expect(record.status == 1)
      #expect(record.errors.contains("record all of it"))
    }
  }

  /// A gate must not pass in the wrong folder.
  @Test func aMissingFileFailsAndIsNamed() throws {
    try withThresholds { thresholds in
      for missing in [thresholds.file, thresholds.folder] {
        try FileManager.default.removeItem(at: missing)
        let check = try thresholds.check()
        #expect(check.isRefusal, "\(check.status): \(check.output)\(check.errors)")
        #expect(
          check.errors.hasPrefix(
            "otp-bench: \(missing.path) is not there: name the folder with --folder"),
          "\(check.errors)")
      }
    }
  }

  @Test func aBrokenFileIsNamedWithItsLine() throws {
    try withThresholds { thresholds in
      thresholds.text += "<<<<<<< HEAD\n"
      let check = try thresholds.check()
      #expect(check.isRefusal)
      #expect(check.errors.contains("swift.txt:"))
    }
  }

  @Test func anUnreadableFileIsNamedWithTheReason() throws {
    try withThresholds { thresholds in
      try FileManager.default.removeItem(at: thresholds.file)
      try FileManager.default.createDirectory(
        at: thresholds.file, withIntermediateDirectories: false)
      let check = try thresholds.check()
      #expect(check.isRefusal)
      #expect(
        check.errors == "otp-bench: \(thresholds.file.path) cannot be read: Is a directory\n",
        "\(check.errors)")
    }
  }

  @Test func whatTheFilterLeavesOutStaysAsItIs() throws {
    try withThresholds { thresholds in
      let other = "       1234.00            5        6  base32/decode/other"
      thresholds.text += other + "\n"
      let record = try thresholds.record()
      #expect(record.status == 0)
      #expect(thresholds.text.split(separator: "\n").contains { $0 == other })
    }
  }

  /// Nothing is left behind: no file, and no process that would go on for minutes.
  @Test(arguments: [SIGINT, SIGTERM])
  func interruptsTidyUp(signal: Int32) throws {
    try withFolder { folder in
      let process = Process()
      process.executableURL = try BenchRun.program
      process.arguments = ["instructions", "stages", "--credentials", "10000000"]
      process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, try counting(in: folder).isEmpty { usleep(1000) }
      try #require(process.isRunning)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      // What was killed may take a moment to end; what was not takes minutes.
      let deadline = Date().addingTimeInterval(30)
      while try !counting(in: folder).isEmpty, Date() < deadline { usleep(1000) }
      #expect(try counting(in: folder).isEmpty)
    }
  }

  /// The processes that count and write to a folder.
  private func counting(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
      guard Int(process) != nil,
        let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
      else { return false }
      return String(decoding: words, as: UTF8.self).contains("--callgrind-out-file=\(folder)")
    }
  }

  @Test func stagesAddUp() throws {
    let run = try BenchRun(["instructions", "stages", "--credentials", "100"])
    #expect(run.status == 0, "\(run.errors)")
    let rows = run.lines.map { $0.split(separator: " ").map(String.init) }
    let names = ["parse", "look-up", "HMAC", "compare", "settle", "rest"]
    let costs = names.compactMap { name in
      rows.first { $0.first == name && $0.count == 2 }.flatMap { Double($0[1]) }
    }
    let all = try #require(rows.first { $0.first == "all" }.flatMap { Double($0[1]) })
    try #require(costs.count == names.count, "\(run.output)")
    #expect(costs.allSatisfy { $0 > 0 })
    #expect(abs(costs.reduce(0, +) - all) < 0.1)
  }
}

/// A file of counts in a folder of its own.
private struct ThresholdsFile {
  let folder: URL

  var file: URL { folder.appendingPathComponent("swift.txt") }

  var text: String {
    get { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
    nonmutating set {
      do {
        try Data(newValue.utf8).write(to: file)
      } catch {
        Issue.record(error)
      }
    }
  }

  func check(_ more: String...) throws -> BenchRun { try run("check", more) }

  func record() throws -> BenchRun { try run("record", []) }

  private func run(_ action: String, _ more: [String]) throws -> BenchRun {
    try BenchRun(
      ["instructions", action, "--filter", "^base32/encode/otp", "--folder", folder.path] + more)
  }

  /// That of the benchmark.
  func line() throws -> String {
    String(try #require(text.split(separator: "\n").last { !$0.hasPrefix("#") }))
  }

  func fields() throws -> [String] { try line().split(separator: " ").map(String.init) }

  /// Changes the instructions that are recorded.
  /// - Returns: as they are in the file then.
  @discardableResult
  func scale(by factor: Double) throws -> String {
    let old = try fields()[0]
    let new = String(format: "%.2f", try #require(Double(old)) * factor)
    text.replace(old, with: new)
    return new
  }
}

private func withThresholds(_ body: (ThresholdsFile) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("otp-bench-test-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  let thresholds = ThresholdsFile(folder: folder)
  let record = try thresholds.record()
  try #require(record.status == 0, "\(record.errors)")
  try body(thresholds)
}
