import BenchmarkReport
import BenchmarkResults
import Foundation
import Testing

@Suite struct PictureTests {
  private func svg(_ benchmarks: [BenchmarkResult]) throws -> String {
    String(decoding: try Picture(results(benchmarks)).svg(), as: UTF8.self)
  }

  @Test func coloursAreClassesAndMarksSayTheirValues() throws {
    let file = try svg([
      benchmark("verify/warm/sha1/w1+1/swift/t1", rate: 2e6),
      benchmark("verify/warm/sha1/w1+1/openssl/t1", rate: 1e6),
    ])
    #expect(!file.contains("rgb("))
    #expect(file.contains("<title>swift: 2.00\u{A0}M</title>"))
    #expect(file.contains("<title>openssl: 1.00\u{A0}M</title>"))
    #expect(file.contains("swift 2.00\u{A0}M, openssl 1.00\u{A0}M."))
    #expect(file.contains("<title id=\"title\">Verification without a ledger, prepared keys"))
    // Nothing of gnuplot's own, of which two drawings on one page would have the same.
    #expect(!file.contains("gnuplot") && !file.contains("href"))
  }

  /// gnuplot's own language has quotes, commands in backquotes, escapes, formats, variables and words.
  @Test(arguments: [
    "it's", "''", "`touch here`", "a\"b", "back\\slash\\n", "100 % %s %d", "$x @y #z",
    "{-Bold x}^2_3", "<script>alert(1)</script>", "&amp;", "`", "\\", "ä 中文 🔑", "END",
  ])
  func namesAreDrawnAsTheyAre(name: String) throws {
    let text: HTML = "<text>\(name)</text>"
    let bars = try svg([benchmark("code/sha1/\(name)", rate: 1e6)])
    #expect(bars.contains(text.markup))
    let lines = try svg([
      benchmark("code/sha1/\(name)/t1", rate: 1e6), benchmark("code/sha1/\(name)/t2", rate: 2e6),
    ])
    #expect(lines.contains(text.markup))
  }

  @Test func controlCharactersAndLongNamesAreHarmless() throws {
    let file = try svg([
      benchmark("code/sha1/]]>", rate: 1e6),
      benchmark("code/sha1/a\nset output 'x'\u{7}", rate: 1e6),
      benchmark("code/sha1/b\u{FFFF}\u{FFFE}", rate: 1e6),
      benchmark("code/sha1/\(String(repeating: "long", count: 200))", rate: 1e6),
    ])
    #expect(file.contains("<text>a set output &#39;x&#39; </text>"))
    #expect(file.contains("<text>b  </text>"))
    #expect(file.contains("<text>longlong"))
    #expect(file.contains("<text>]]\u{200B}&gt;</text>"))
    #expect(file.contains("…"))
    #expect(!file.contains(String(repeating: "long", count: 50) + "</text>"))
  }

  @Test func whatDiffersInTheBatchAloneIsALine() throws {
    let file = try svg(
      [1, 16, 256].map { benchmark("verify/warm/sha1/w1+1/swift/b\($0)/t1", rate: 1e6) })
    #expect(file.contains(">attempts in a call, logarithmic</text>"))
    for batch in ["1", "16", "256"] { #expect(file.contains("<title>swift, \(batch) attempts")) }
  }

  @Test func ofSeveralKindsOfWorkTheFirstIsShown() throws {
    let file = try svg([
      benchmark("prepare/sha1/swift", rate: 1e6),
      benchmark("verify/warm/sha1/w1+1/swift/t1", rate: 1e6),
    ])
    #expect(file.contains("Verification") && !file.contains("preparation"))
  }

  @Test func aPNGIsOne() throws {
    let png = try Picture(results([benchmark("code/sha1/swift", rates: [1e6])])).png()
    #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(throws: ReportError.self) { try Picture(results([])) }
  }
}
