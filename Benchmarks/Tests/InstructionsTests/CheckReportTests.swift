import Instructions
import Testing

@Suite struct CheckReportTests {
  private func check(
    _ old: [String: (instructions: Int, allocations: Int)],
    _ new: [String: (instructions: Int, allocations: Int)]
  ) -> ThresholdCheck {
    func counts(_ figures: [String: (instructions: Int, allocations: Int)]) -> [String: Count] {
      figures.mapValues {
        Count(items: 1, instructions: $0.instructions, allocations: $0.allocations)
      }
    }
    return ThresholdCheck(
      counts(new),
      against: Thresholds(
        conditions: [], counts: counts(old).mapValues { Thresholds.Recorded($0) }))
  }

  private func lines(
    _ checks: [(set: String, check: ThresholdCheck)], namesImprovements: Bool = false
  ) -> [String] {
    CheckReport(
      checks, countedBenchmarks: 7, namesImprovements: namesImprovements, recordCommand: "record it"
    ).lines
  }

  /// Their names are in another order, and their sets too.
  private var mixed: [(set: String, check: ThresholdCheck)] {
    [
      (
        "one",
        check(
          ["a": (100, 9), "b": (100, 0), "c": (100, 0), "d": (100, 1), "e": (100, 1)],
          ["a": (90, 8), "b": (102, 0), "c": (50, 0), "d": (100, 2), "new": (5, 0)])
      ),
      ("two", check(["b": (100, 0), "d": (100, 1)], ["b": (150, 0), "d": (100, 5)])),
    ]
  }

  @Test func theWorstIsFirstAndWhatBecameLessIsOnlyCounted() {
    #expect(
      lines(mixed) == [
        "regression: +50.00 % two: b: 100.00 -> 150.00 instructions per item",
        "regression: +2.00 % one: b: 100.00 -> 102.00 instructions per item",
        "more allocations: two: d: 1 -> 5 allocations in a call of 1 item",
        "more allocations: one: d: 1 -> 2 allocations in a call of 1 item",
        "missing: one: e",
        "new: one: new: 5.00 instructions per item",
        "2 regressions, the worst +50.00 % b; 2 with more allocations; 1 missing; 1 new; "
          + "2 improvements; 1 with fewer allocations (--strict names what became less): "
          + "if the change was meant, run 'record it' and review what it changes",
      ])
  }

  @Test func strictlyWhatBecameLessIsNamedApart() {
    let strict = lines(mixed, namesImprovements: true)
    #expect(
      strict.dropFirst(6) == [
        "improvement: -50.00 % one: c: 100.00 -> 50.00 instructions per item",
        "improvement: -10.00 % one: a: 100.00 -> 90.00 instructions per item",
        "fewer allocations: one: a: 9 -> 8 allocations in a call of 1 item",
        "2 regressions, the worst +50.00 % b; 2 with more allocations; 1 missing; 1 new; "
          + "2 improvements; 1 with fewer allocations: "
          + "if the change was meant, run 'record it' and review what it changes",
      ])
  }

  @Test func whatIsAsRecordedTakesOneLine() {
    let same = check(["a": (100, 1)], ["a": (100, 1)])
    #expect(lines([("one", same), ("two", same)]) == ["all 7 benchmarks are as recorded"])
  }
}
