import BenchmarkReport
import BenchmarkResults
import BenchmarkTestSupport
import Foundation
import RunComparison
import Testing

/// The page as a browser shows it.
@Suite(.serialized) struct BrowserTests {
  @Test(arguments: [
    (width: 1280, isDark: false), (width: 1280, isDark: true), (width: 400, isDark: false),
    (width: 400, isDark: true), (width: 320, isDark: false),
  ])
  func thePageIsReadable(width: Int, isDark: Bool) throws {
    let browser = try Chromium()
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = URL(fileURLWithPath: folder + "/report.html")
    try Data(Self.report.html().utf8).write(to: file)
    try browser.emulate(width: width, isDark: isDark)
    try browser.open(file)
    try screenshot(browser, "\(width)-\(isDark ? "dark" : "light")")

    // What is folded away must be as good.
    _ = try browser.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    func value<Value>(_ script: String) throws -> Value {
      try #require(browser.evaluate(script) as? Value, "\(script)")
    }
    func number(_ script: String) throws -> Double {
      try #require((browser.evaluate(script) as? NSNumber)?.doubleValue, "\(script)")
    }

    // Every chart that is shown has marks one can see, and every mark says what it is.
    let charts = try number("\(Self.shown).length")
    // Throughput of five kinds of work has 11, scaling 2, latency 3, memory 3, and the trends of all that changed 9.
    #expect(charts == 28)
    let poor: [String] = try value(
      """
      \(Self.shown).filter(chart => {
        const marks = [...chart.querySelectorAll('.plot *:has(> title)')];
        return marks.length == 0 || !marks.every(mark => {
          const box = mark.getBoundingClientRect();
          const fill = getComputedStyle(mark).fill;
          return box.width > 0 && box.height > 0 && /^rgb\\(/.test(fill) && mark.textContent.includes(':');
        });
      }).map(chart => chart.querySelector('title').textContent)
      """)
    #expect(poor.isEmpty)
    // Nor is a label outside of its chart, or on another label.
    let outside: [String] = try value(
      """
      \(Self.shown).flatMap(chart => {
        const frame = chart.getBoundingClientRect();
        return [...chart.querySelectorAll('text')].filter(text => {
          const box = text.getBoundingClientRect();
          return box.left < frame.left - 1 || box.right > frame.right + 1
            || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
        }).map(text => text.textContent);
      })
      """)
    #expect(outside.isEmpty)
    let overlapping: [String] = try value(
      """
      \(Self.shown).flatMap(chart => {
        const texts = [...chart.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
        return texts.flatMap(([name, a], i) => texts.slice(i + 1).filter(([_, b]) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4).map(([other]) => name + ' | ' + other));
      })
      """)
    #expect(overlapping.isEmpty)
    // Text in charts is no smaller than a footnote.
    let smallest = try number(
      """
      Math.min(...\(Self.shown).map(chart =>
        13 * chart.getBoundingClientRect().width / chart.viewBox.baseVal.width))
      """)
    #expect(smallest >= (width < 400 ? 9 : 10.5))

    // The page does not scroll sideways, wide tables do.
    #expect(try number("document.documentElement.scrollWidth") <= Double(width))
    let isContained: Bool = try value(
      "[...document.querySelectorAll('table')].every(t => t.closest('.scroll').tabIndex == 0)")
    #expect(isContained)

    // Who does not see a chart is told what it shows, and finds its numbers in a table.
    let isDescribed: Bool = try value(
      """
      [...document.querySelectorAll('svg')].every(svg =>
        svg.getAttribute('role') == 'img'
          && document.getElementById(svg.getAttribute('aria-labelledby')).textContent.length > 10
          && document.getElementById(svg.getAttribute('aria-describedby')).textContent.length > 10
          && svg.closest('.card').querySelector('table'))
      """)
    #expect(isDescribed)

    // Text and marks stand out from what is behind them: WCAG 2.2, 1.4.3 and 1.4.11.
    #expect(try number(Self.contrast(of: "body", "color")) >= 4.5)
    #expect(try number(Self.contrast(of: ".quiet", "color")) >= 4.5)
    #expect(try number(Self.contrast(of: "svg.chart text", "fill")) >= 4.5)
    #expect(try number(Self.contrast(of: ".plot *:has(> title)", "fill")) >= 3)
    let background: String = try value("getComputedStyle(document.body).backgroundColor")
    let red = try #require(
      background.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
    #expect(isDark ? red < 50 : red > 200)

    // The browser had nothing to complain about and asked nobody.
    let complaints = browser.events.filter {
      ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"].contains($0.method)
    }
    #expect(complaints.isEmpty, "\(complaints)")
    let requests = browser.events.filter { $0.method == "Network.requestWillBeSent" }
      .compactMap { ($0.parameters["request"] as? [String: Any])?["url"] as? String }
    #expect(requests == [file.absoluteString])
  }

  /// What the policy of the page forbids is not even asked for, should text ever get into it as markup.
  @Test func thePageCannotReachTheNetwork() throws {
    let browser = try Chromium()
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = URL(fileURLWithPath: folder + "/injected.html")
    let injected = try Self.report.html().replacing(
      "</main>",
      with: """
        <img src="http://127.0.0.1:9/x.png"><script>document.title = 'run'</script>
        <link rel="stylesheet" href="http://127.0.0.1:9/x.css"></main>
        """)
    try Data(injected.utf8).write(to: file)
    try browser.open(file)
    let blocked = browser.events.filter { $0.method == "Log.entryAdded" }
      .compactMap { ($0.parameters["entry"] as? [String: Any])?["text"] as? String }
      .filter { $0.contains("Content Security Policy") }
    #expect(blocked.count == 3)
    #expect(try browser.evaluate("document.title") as? String != "run")
  }

  /// Kept where REPORT_SCREENSHOTS says, for people to look at.
  private func screenshot(_ browser: Chromium, _ name: String) throws {
    let png = try browser.screenshot()
    #expect(png.count > 20_000)
    guard let folder = ProcessInfo.processInfo.environment["REPORT_SCREENSHOTS"] else { return }
    try png.write(to: URL(fileURLWithPath: "\(folder)/report-\(name).png"))
  }

  /// The charts that this width shows.
  private static let shown =
    "[...document.querySelectorAll('svg.chart')].filter(s => s.getBoundingClientRect().width > 0)"

  /// The least contrast ratio between a colour of elements and the background behind them.
  private static func contrast(of selector: String, _ property: String) -> String {
    """
    (() => {
      const channels = colour => colour.match(/[\\d.]+/g).map(Number);
      const luminance = colour => {
        const [r, g, b] = channels(colour).map(c => c / 255)
          .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const background = element => {
        const colour = getComputedStyle(element).backgroundColor;
        return channels(colour)[3] === 0 ? background(element.parentElement) : colour;
      };
      return Math.min(...[...document.querySelectorAll('\(selector)')]
        .map(element => {
          const [a, b] = [luminance(getComputedStyle(element).\(property)), luminance(background(element))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }));
    })()
    """
  }

  /// With all kinds of benchmarks, one much longer name, and a history with a regression on one of two machines.
  private static var report: Report {
    get throws {
      let backends = ["multibuffer": 8.0, "swift": 3.2, "gcrypt": 1.9, "openssl": 1.7]
      var benchmarks: [BenchmarkResult] = []
      for (backend, speed) in backends {
        for (algorithm, factor) in [("sha1", 1.0), ("sha256", 0.7), ("sha512", 0.4)] {
          let rate = speed * factor * 1e6
          benchmarks.append(
            benchmark("verify/warm/\(algorithm)/w1+1/\(backend)/t1", rate: rate))
          benchmarks.append(
            benchmark(
              "prepare/\(algorithm)/\(backend)", rate: rate * 2,
              counters: ["bytes_per_key": 4000 / speed]))
          benchmarks.append(
            benchmark(
              "latency/\(algorithm)/w1+1/\(backend)", rate: rate / 20,
              counters: [
                "p50_ns": 20e9 / rate, "p90_ns": 21e9 / rate, "p99_ns": 40e9 / rate,
                "p999_ns": 300e9 / rate,
              ]))
        }
        for batch in [1, 16, 256, 4096, 65536] {
          benchmarks.append(
            benchmark(
              "verify/warm/sha1/w1+1/\(backend)/b\(batch)/n1000/t1",
              rate: speed * 1e6 * Double(batch) / Double(batch + 20)))
        }
        benchmarks.append(
          benchmark(
            "verify/warm/sha1/w1+1/\(backend)/b65536/n1000/t2", rate: speed * 1.9e6))
      }
      benchmarks.append(
        benchmark("codes/sha1/shared/\(String(repeating: "long-", count: 60))/t1", rates: [5e7]))
      let history = (1...12).map { day in
        results(
          benchmarks.filter { $0.name.hasPrefix("verify/warm/") }.map { result in
            benchmark(
              result.name,
              rates: result.repetitions.compactMap(\.itemsPerSecond).map {
                $0 * (day > 6 && result.name.contains("swift") ? 0.9 : 1)
              })
          },
          date: "2026-01-\(day < 10 ? "0" : "")\(day)T10:00:00Z",
          commit: String(repeating: "\(day % 10)", count: 40), host: day == 3 ? "beta" : "alpha")
      }
      return Report(
        [results(benchmarks, date: "2026-02-01T10:00:00Z", commit: "head")], history: history,
        tolerance: Tolerance(percent: 3))
    }
  }
}
