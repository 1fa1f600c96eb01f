import Foundation
import Instructions
import Synchronization
import Testing

/// Counts of a program whose costs are known.
@Suite struct CountingTests {
  @Test func instructionsAreThoseOfTheBody() throws {
    let counts = try counted(["loop/1000", "loop/3000"])
    let (short, long) = try (#require(counts["loop/1000"]), #require(counts["loop/3000"]))
    #expect(short.items == 1000)
    // Two instructions a round; what is around them is the same.
    #expect(long.instructions - short.instructions == 2 * 2000)
    // What is around them: a call of a closure, no start of a program.
    #expect(short.instructions - 2 * 1000 < 100)
  }

  /// Whatever else is counted, and however often.
  @Test func countsAreTheSameEachTime() throws {
    let names = ["objects/500", "set-order/500"]
    let first = try counted(names)
    #expect(first.count == 2)
    let again = try counted(["c-allocations/77"] + names.reversed())
    for name in names {
      #expect(again[name] == first[name])
      let alone = try counted([name])
      #expect(alone[name] == first[name])
    }
  }

  @Test(arguments: [("loop", 0), ("c-allocations", 5), ("objects", 1), ("aligned-memory", 1)])
  func allocationsAreCounted(work: String, each: Int) throws {
    #expect(try counted(["\(work)/700"])["\(work)/700"]?.allocations == 700 * each)
  }

  /// Arrays grow by what the allocator gives them, which must not depend on what was allocated before.
  @Test func whatWasAllocatedBeforeChangesNothing() throws {
    let counts = try counted(["growing-arrays/50", "growing-arrays-later/50"])
    #expect(counts["growing-arrays-later/50"] == counts["growing-arrays/50"])
    #expect(counts["growing-arrays/50"]?.allocations ?? 0 >= 50 * 5)
  }

  @Test func anotherInstructionInTheInnerLoopIsFound() throws {
    let loops = ["loop/100000", "loop-with-one-more/100000"]
    let counts = try counted(loops)
    let (before, after) = try (#require(counts[loops[0]]), #require(counts[loops[1]]))
    #expect(after.instructions - before.instructions == 100_000)
    let thresholds = Thresholds(conditions: [], counts: ["a/loop": Thresholds.Recorded(before)])
    #expect(ThresholdCheck(["a/loop": before], against: thresholds).findings.isEmpty)
    let findings = ThresholdCheck(["a/loop": after], against: thresholds).findings
    try #require(findings.count == 1, "\(findings)")
    #expect(findings[0].kind == .regression)
    #expect(findings[0].name == "a/loop")
    #expect(findings[0].detail == "2.00 -> 3.00 instructions per item")
    #expect(abs(findings[0].size - 0.5) < 0.001)
  }

  @Test(arguments: [
    ("fail", "it fails as it should"), ("crash", "it died of signal 6"),
    ("hang", "it did not end within 5 s"), ("none", "there is no work of this name"),
  ])
  func whatFailsIsNamed(work: String, reason: String) throws {
    let done = Mutex<[String]>([])
    let fault = #expect(throws: InstructionsFault.self) {
      try counted(["loop/1", work, "loop/2"]) { name in done.withLock { $0.append(name) } }
    }
    let text = fault?.description ?? ""
    #expect(text.hasPrefix("\(work): "), "\(text)")
    #expect(text.contains(reason), "\(text)")
    #expect(done.withLock { $0 } == ["loop/1"])
  }

  @Test func aProgramThatCountsNothingIsAFault() throws {
    #expect(throws: InstructionsFault("loop/1: it was not counted")) {
      try withCallgrind { callgrind in
        try callgrind.counts([.init(["loop/1"], arguments: ["silent"], secondsEach: 5)]) { _ in }
      }
    }
  }

  @Test func requestsAreCountedInTheirOrder() throws {
    try withCallgrind { callgrind in
      let names = (1...6).map { "loop/\($0)" }
      let done = Mutex<[String]>([])
      let counts = try callgrind.counts(
        names.map { .init([$0], arguments: [], secondsEach: 5) }
      ) { name in done.withLock { $0.append(name) } }
      #expect(counts.map { Array($0.keys) } == names.map { [$0] })
      #expect(counts.map { $0.values.first?.items } == Array(1...6))
      #expect(done.withLock { $0.sorted() } == names)
    }
  }

  @Test func aProgramThatIsNotThereIsAFault() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: InstructionsFault.self) {
      try Callgrind(program: folder.appendingPathComponent("none"), folder: folder)
    }
  }

  private func counted(
    _ names: [String], progress: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> [String: Count] {
    try withCallgrind { callgrind in
      try callgrind.counts([.init(names, arguments: [], secondsEach: 5)], progress: progress)[0]
    }
  }
}

private func temporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("instructions-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  return folder
}

/// Lends callgrind with the program of these tests, which lies beside the test bundle.
private func withCallgrind<R>(_ body: (Callgrind) throws -> R) throws -> R {
  let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
  let program = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    .appendingPathComponent("CountedProgram")
  try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path)")
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(try Callgrind(program: program, folder: folder))
}
