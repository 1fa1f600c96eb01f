import Testing

import BenchmarkReport

@Suite struct FigureTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567.4, "1,234,567"), (-1234, "−1,234"),
    (.nan, "–"), (.infinity, "–"),
  ])
  func thousandsAreSetApart(value: Double, text: String) {
    #expect(Figures.grouped(value) == text)
  }

  @Test(arguments: [
    (0.7812, "0.781"), (0.9996, "1.00"), (7.8149, "7.81"), (9.996, "10.0"), (78.149, "78.1"),
    (99.96, "100"), (781.49, "781"), (999.6, "1,000"), (7812, "7,812"),
  ])
  func threeDigitsAreShown(value: Double, text: String) {
    #expect(Figures.significant(value) == text)
  }

  @Test(arguments: [
    (12, "12.0 ns"), (999.4, "999 ns"), (999.6, "1.00 µs"), (2510, "2.51 µs"), (1.5e6, "1.50 ms"),
    (2e9, "2.00 s"),
  ])
  func durationsHaveTheirUnit(nanoseconds: Double, text: String) {
    #expect(Figures.duration(nanoseconds: nanoseconds).replacing("\u{A0}", with: " ") == text)
  }

  @Test(arguments: [
    (999, "999 B"), (2048, "2.05 kB"), (257e6, "257 MB"), (1.9e9, "1.90 GB"),
  ])
  func bytesHaveTheirUnit(bytes: Double, text: String) {
    #expect(Figures.bytes(bytes).replacing("\u{A0}", with: " ") == text)
  }

  @Test(arguments: [(0.0512, "+5.1 %"), (-0.2, "−20.0 %"), (-0.0001, "0.0 %"), (.nan, "–")])
  func changesHaveTheirSign(share: Double, text: String) {
    #expect(Figures.change(share).replacing("\u{A0}", with: " ") == text)
  }

  @Test(arguments: [
    ("2026-11-30T10:44:09+00:00", "2026-11-30 10:44 UTC"),
    ("2026-11-30T10:44:09+01:00", "2026-11-30 10:44 +01:00"),
    ("2026-11-30T10:44:09Z", "2026-11-30 10:44 UTC"), ("yesterday", "yesterday"), ("", ""),
  ])
  func datesAreReadable(date: String, text: String) {
    #expect(readable(date) == text)
  }

  @Test(
    arguments: [
      (7.9, [0, 2, 4, 6, 8]), (8, [0, 2, 4, 6, 8]), (0.3, [0, 0.1, 0.2, 0.3]),
      (2100, [0, 1000, 2000, 3000]),
    ] as [(Double, [Double])])
  func ticksAreRound(maximum: Double, expected: [Double]) {
    let ticks = NiceTicks(upTo: maximum, steps: 4).values
    #expect(ticks.count == expected.count)
    for (tick, value) in zip(ticks, expected) { #expect(abs(tick - value) < 1e-9) }
  }

  @Test(
    arguments: [
      (2.5, 30, [2, 5, 10, 20, 50]), (5, 5, [5, 10]),
      (2, 2e6, [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]),
    ] as [(Double, Double, [Double])])
  func logarithmicTicksEncloseTheValues(low: Double, high: Double, expected: [Double]) {
    let ticks = NiceTicks(logarithmicFrom: low, upTo: high).values
    #expect(ticks.count == expected.count)
    for (tick, value) in zip(ticks, expected) { #expect(abs(tick / value - 1) < 1e-9) }
  }

  @Test func textIsEscapedAndMarkupIsNot() {
    let text = "<a href=\"x\">'&'</a>\u{0}\u{202E}"
    let inner: HTML = "<b>\(text)</b>"
    let html: HTML = "<p>\(inner)\([inner])</p>"
    let escaped =
      "<b>&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\u{FFFD}\u{FFFD}</b>"
    #expect(html.markup == "<p>\(escaped)\(escaped)</p>")
  }

  @Test func whoIsKnownKeepsTheColourWhoeverElseIsThere() {
    let small = Palette(["openssl"])
    let large = Palette(["a", "b", "openssl", "multibuffer", "ipsec-mb/avx2", "ipsec-mb/sse"])
    #expect(small["openssl"] == large["openssl"])
    #expect(large["ipsec-mb/avx2"] == large["ipsec-mb/sse"])
    #expect(Set(["openssl", "multibuffer", "a"].map { large[$0] }).count == 3)
    // There are more names than colours.
    #expect(large["b"] == .other)
  }
}
