import Instructions
import Testing

@Suite struct ThresholdTests {
  private let thresholds = Thresholds(
    conditions: [.init("architecture", "x86_64"), .init("compiler", "clang 21 (a = b)")],
    counts: [
      "verify/b4096": .init(Count(items: 4096, instructions: 4_096_041, allocations: 3)),
      "code/a": .init(Count(items: 1, instructions: 1234, allocations: 0)),
      "code/b": .init(Count(items: 1024, instructions: 7, allocations: 0)),
    ])

  @Test func theTextIsSortedAndInColumns() {
    let lines = thresholds.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.filter { !$0.hasPrefix("#") } == [
        "architecture = x86_64",
        "compiler = clang 21 (a = b)",
        "",
        "       1234.00            0        1  code/a",
        "          0.01            0     1024  code/b",
        "       1000.01            3     4096  verify/b4096",
        "",
      ])
    #expect(lines.allSatisfy { $0.utf8.count <= 120 })
  }

  @Test func whatWasWrittenIsRead() throws {
    #expect(try Thresholds(thresholds.text, file: "f") == thresholds)
  }

  /// With the line ends of Windows, in some lines or all. A line must not be lost in the comment before it.
  @Test(arguments: ["# ", "compiler", "       1234", ""])
  func linesMayEndInAnotherWay(start: String) throws {
    let text = thresholds.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      line in
      line.hasPrefix(start) ? "\(line)\r\n" : "\(line)\n"
    }.joined()
    #expect(try Thresholds(text, file: "f") == thresholds)
  }

  @Test(arguments: [
    ("1.00 0 1", "f:2: it has 3 words; a benchmark's line has four"),
    ("1.00 0 1 a b", "f:2: it has 5 words; a benchmark's line has four"),
    ("1 0 1 a", "f:2: it does not begin with instructions, allocations and items"),
    ("1.0 0 1 a", "f:2: it does not begin with instructions, allocations and items"),
    ("-1.00 0 1 a", "f:2: it does not begin with instructions, allocations and items"),
    ("0.00 0 1 a", "f:2: it does not begin with instructions, allocations and items"),
    (".50 0 1 a", "f:2: it does not begin with instructions, allocations and items"),
    (
      "99999999999999999999.00 0 1 a",
      "f:2: it does not begin with instructions, allocations and items"
    ),
    (
      "92233720368547758.08 0 1 a",
      "f:2: it does not begin with instructions, allocations and items"
    ),
    ("1.00 x 1 a", "f:2: it does not begin with instructions, allocations and items"),
    ("1.00 0 0 a", "f:2: it does not begin with instructions, allocations and items"),
    ("<<<<<<< HEAD", "f:2: it has 2 words; a benchmark's line has four"),
    ("1.00 0 1 a\n2.00 0 1 a", "f:3: a is there twice"),
  ])
  func aBrokenLineIsNamed(line: String, message: String) {
    #expect(throws: InstructionsFault(message)) {
      try Thresholds("compiler = c\n\(line)\n", file: "f")
    }
  }

  @Test(arguments: ["", "# nothing\n", "1.00 0 1 a\n"])
  func aFileThatHoldsForNothingIsRefused(text: String) {
    #expect(throws: InstructionsFault("f: it does not say what it holds for")) {
      try Thresholds(text, file: "f")
    }
  }

  // MARK: Check

  private func findings(_ name: String, _ count: Count?) -> [ThresholdCheck.Finding] {
    let recorded = Thresholds(
      conditions: [],
      counts: ["a": .init(Count(items: 1000, instructions: 1_000_000, allocations: 2))])
    return ThresholdCheck(count.map { [name: $0] } ?? [:], against: recorded).findings
  }

  @Test(
    arguments: [
      (1_000_000, 2, []),
      (1_004_900, 2, []),
      (995_100, 2, []),
      (
        1_010_000, 2,
        [.init(.regression, "a", "1000.00 -> 1010.00 instructions per item", size: 0.01)]
      ),
      (
        1_005_100, 2,
        [.init(.regression, "a", "1000.00 -> 1005.10 instructions per item", size: 0.0051)]
      ),
      (
        990_000, 2,
        [.init(.improvement, "a", "1000.00 -> 990.00 instructions per item", size: 0.01)]
      ),
      (
        1_000_000, 3,
        [.init(.moreAllocations, "a", "2 -> 3 allocations in a call of 1000 items", size: 0.001)]
      ),
      (
        1_000_000, 1,
        [.init(.fewerAllocations, "a", "2 -> 1 allocations in a call of 1000 items", size: 0.001)]
      ),
      (
        900_000, 3,
        [
          .init(.improvement, "a", "1000.00 -> 900.00 instructions per item", size: 0.1),
          .init(.moreAllocations, "a", "2 -> 3 allocations in a call of 1000 items", size: 0.001),
        ]
      ),
    ] as [(Int, Int, [ThresholdCheck.Finding])])
  func aChangeIsFound(instructions: Int, allocations: Int, expected: [ThresholdCheck.Finding]) {
    let count = Count(items: 1000, instructions: instructions, allocations: allocations)
    let found = findings("a", count)
    #expect(found.map(\.kind) == expected.map(\.kind))
    #expect(found.map(\.name) == expected.map(\.name))
    #expect(found.map(\.detail) == expected.map(\.detail))
    #expect(zip(found, expected).allSatisfy { abs($0.size - $1.size) < 1e-9 }, "\(found)")
  }

  @Test func anAbsentBenchmarkIsMissing() {
    #expect(findings("a", nil) == [.init(.missing, "a")])
  }

  @Test func aBenchmarkThatDoesOtherWorkIsMissing() {
    let count = Count(items: 999, instructions: 1_000_000, allocations: 2)
    #expect(
      findings("a", count) == [.init(.missing, "a", "with 1000 items in a call; it has 999 now")])
  }

  @Test func anUnknownBenchmarkIsNew() {
    let count = Count(items: 4, instructions: 10, allocations: 0)
    #expect(
      findings("b", count) == [
        .init(.missing, "a"), .init(.new, "b", "2.50 instructions per item"),
      ])
  }
}
