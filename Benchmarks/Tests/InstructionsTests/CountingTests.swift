import Foundation
import Instructions
import Testing

/// Counts of a program whose costs are known.
@Suite struct CountingTests {
  private func counted(_ arguments: String...) throws -> Count {
    try withCallgrind { try $0.count(arguments) }
  }

  @Test func instructionsAreThoseOfTheBody() throws {
    try withCallgrind { callgrind in
      let short = try callgrind.count(["loop", "1000"])
      let long = try callgrind.count(["loop", "3000"])
      #expect(short.items == 1000)
      // Two instructions a round; what is around them is the same.
      #expect(long.instructions - short.instructions == 2 * 2000)
      // What is around them: a call of a closure, no start of a program.
      #expect(short.instructions - 2 * 1000 < 100)
    }
  }

  @Test func countsAreTheSameEachTime() throws {
    try withCallgrind { callgrind in
      for work in ["objects", "set-order"] {
        let first = try callgrind.count([work, "500"])
        for _ in 0..<3 { #expect(try callgrind.count([work, "500"]) == first) }
      }
    }
  }

  @Test(arguments: [("loop", 0), ("c-allocations", 5), ("objects", 1), ("aligned-memory", 1)])
  func allocationsAreCounted(work: String, each: Int) throws {
    #expect(try counted(work, "700").allocations == 700 * each)
  }

  @Test func anotherInstructionInTheInnerLoopIsFound() throws {
    try withCallgrind { callgrind in
      let before = try callgrind.count(["loop", "100000"])
      let after = try callgrind.count(["loop-with-one-more", "100000"])
      #expect(after.instructions - before.instructions == 100_000)
      let thresholds = Thresholds(conditions: [], counts: ["a/loop": Thresholds.Recorded(before)])
      let again = try callgrind.count(["loop", "100000"])
      #expect(ThresholdCheck(["a/loop": again], against: thresholds).findings.isEmpty)
      let findings = ThresholdCheck(["a/loop": after], against: thresholds).findings
      guard findings.count == 1, case .regression(let text)? = findings.first else {
        Issue.record("\(findings)")
        return
      }
      #expect(text.hasPrefix("a/loop: 2.00 -> 3.00 instructions per item (+50.0"))
    }
  }

  @Test(arguments: [
    ("fail", "status 1: counted-program: it fails as it should"), ("crash", "signal 6"),
    ("silent", "did not say how many items"),
  ])
  func aProgramThatFailsIsNamed(work: String, reason: String) throws {
    try withCallgrind { callgrind in
      let fault = #expect(throws: InstructionsFault.self) {
        try callgrind.counts([.init("the/name", arguments: [work])]) { _, _ in }
      }
      let text = fault?.description ?? ""
      #expect(text.hasPrefix("the/name: "))
      #expect(text.contains(reason), "\(text)")
    }
  }

  @Test func aProgramThatHangsIsStopped() throws {
    try withCallgrind { callgrind in
      var impatient = callgrind
      impatient.secondsPerBenchmark = 1
      #expect(throws: InstructionsFault("valgrind did not end within 1 s")) {
        try impatient.count(["hang"])
      }
    }
  }

  @Test func manyAreCountedInTheirOrder() throws {
    try withCallgrind { callgrind in
      let sizes = Array(1...6)
      let names = NamesSeen()
      let results = try callgrind.counts(
        sizes.map { .init("size \($0)", arguments: ["loop", "\($0)"]) }
      ) { done, name in names.add(done, name) }
      #expect(results.map(\.items) == sizes)
      #expect(names.names.sorted() == sizes.map { "size \($0)" })
      #expect(names.done == sizes)
    }
  }

  @Test func aProgramThatIsNotThereIsAFault() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: InstructionsFault.self) {
      try Callgrind(program: folder.appendingPathComponent("none"), folder: folder)
    }
  }
}

/// What progress tells, one after the other.
private final class NamesSeen: @unchecked Sendable {
  // Never told twice at the same time, and read after all is done.
  private(set) var names: [String] = []
  private(set) var done: [Int] = []

  func add(_ done: Int, _ name: String) {
    self.done.append(done)
    names.append(name)
  }
}

private func temporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("instructions-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  return folder
}

/// Lends callgrind with the program of these tests, which lies beside the test bundle.
func withCallgrind<R>(_ body: (Callgrind) throws -> R) throws -> R {
  let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
  let program = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    .appendingPathComponent("CountedProgram")
  try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path)")
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(try Callgrind(program: program, folder: folder))
}
