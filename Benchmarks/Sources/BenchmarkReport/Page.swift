/// The whole document: one file, which needs no network.
struct Page {
  struct Part {
    let run: Run
    let tiles: [Tile]
    let sections: [Section]
  }

  /// A number that is worth a large print.
  struct Tile {
    let title: String
    let figure: String
    let unit: String
    let note: String
  }

  let parts: [Part]

  /// About more than one run. It is part of the only run there is.
  let trend: Section

  func html() throws(ReportError) -> String {
    let isAlone = parts.count == 1
    let parts = parts.map { part in
      guard isAlone else { return part }
      // What lists everything comes last.
      let sections = part.sections.dropLast() + [trend] + part.sections.suffix(1)
      return Part(run: part.run, tiles: part.tiles, sections: Array(sections))
    }
    var renderer = try Renderer(parts.flatMap(\.sections) + (isAlone ? [] : [trend]))
    let content = parts.enumerated().map { index, part -> HTML in
      let prefix = isAlone ? "" : "run-\(index + 1)-"
      let body = renderer.part(part, prefix: prefix)
      return isAlone
        ? body
        : "<div class=\"run\" id=\"run-\(index + 1)\">\n<h2>\(Self.title(part.run))</h2>\n\(body)</div>\n"
    }
    let runs: HTML =
      isAlone
      ? ""
      : """
      <nav aria-label="Runs"><ul>
      \(parts.enumerated().map {
        "<li><a href=\"#run-\($0.offset + 1)\">\(Self.title($0.element.run))</a></li>\n" as HTML
      })<li><a href="#\(trend.id)">\(trend.title)</a></li>
      </ul></nav>

      """
    let last: HTML =
      isAlone ? "" : "<div class=\"run\">\n\(renderer.section(trend, prefix: ""))</div>\n"
    let document: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Benchmarks of one-time passwords</title>
      <style>
      \(HTML(markup: Style.page))
      </style>
      </head>
      <body>
      <div class="sheet">
      <header>
      <h1>Benchmarks of one-time passwords</h1>
      <p class="quiet">\(isAlone ? Self.title(parts[0].run) : "\(parts.count) runs")</p>
      </header>
      \(runs)<main>
      \(content)\(last)</main>
      <footer>
      <p>The numbers are of this machine, these versions and this work. How to read them is written in \
      <code>Benchmarks/README.md</code>.</p>
      </footer>
      </div>
      </body>
      </html>

      """
    return document.markup
  }

  private static func title(_ run: Run) -> String {
    let commit = run.commit.map { "commit \(shortCommit($0)) on " } ?? ""
    return (commit + run.machine.title).capitalizedFirst
  }
}

/// The first characters of a hash; another name stays whole.
func shortCommit(_ commit: String) -> String {
  let hash = commit.prefix { $0.isHexDigit }
  return hash.count == 40 ? "\(hash.prefix(8))\(commit.dropFirst(40))" : commit
}

/// Turns sections into markup. All charts of the page are drawn at once, since starting gnuplot takes longest.
private struct Renderer {
  private var charts: ArraySlice<SVG>
  private var chartCount = 0

  init(_ sections: [Section]) throws(ReportError) {
    let drawings = sections.flatMap(\.blocks).flatMap(\.figures).flatMap(\.drawings)
    var charts: [SVG] = []
    for (data, drawing) in zip(try Gnuplot.svg(drawings), drawings) {
      charts.append(try SVG(data, drawing))
    }
    self.charts = charts[...]
  }

  mutating func part(_ part: Page.Part, prefix: String) -> HTML {
    let tiles = part.tiles.map { tile -> HTML in
      """
      <dl class="card tile"><dt>\(tile.title)</dt><dd class="figure">\(tile.figure)</dd>
      <dd class="unit">\(tile.unit)</dd><dd>\(tile.note)</dd></dl>

      """
    }
    let links = part.sections.map { section -> HTML in
      "<li><a href=\"#\(prefix)\(section.id)\">\(section.title)</a></li>\n"
    }
    var sections: [HTML] = []
    for section in part.sections { sections.append(self.section(section, prefix: prefix)) }
    return """
      <nav aria-label="Sections"><ul>
      \(links)</ul></nav>
      <div class="tiles">
      \(tiles)</div>
      \(Head(part.run).html)
      \(sections)
      """
  }

  mutating func section(_ section: Section, prefix: String) -> HTML {
    var content: [HTML] = []
    var folds: [HTML] = []
    for block in section.blocks {
      let html = self.block(block)
      if block.isFolded { folds.append(html) } else { content.append(html) }
    }
    if !folds.isEmpty { content.append("<div class=\"card folds\">\n\(folds)</div>\n") }
    if content.isEmpty {
      content = ["<div class=\"card empty\"><p>\(section.whenEmpty)</p></div>\n"]
    }
    let title = "\(prefix)\(section.id)"
    return """
      <section id="\(title)" aria-labelledby="\(title)-title">
      <h2 id="\(title)-title">\(section.title)</h2>
      <p class="quiet">\(section.introduction)</p>
      \(content)</section>

      """
  }

  private mutating func block(_ block: Block) -> HTML {
    var figures: [HTML] = []
    for figure in block.figures { figures.append(self.figure(figure)) }
    let isWide = block.figures.contains { $0.narrow != nil }
    let pattern: HTML = block.pattern.map { " <span class=\"path\">\($0)</span>" } ?? ""
    let note: HTML = block.note.map { " <span class=\"note\">\($0)</span>" } ?? ""
    // Beside a single chart there is room for its numbers.
    let isBeside = figures.count == 1 && !isWide
    if isBeside { figures.append(block.table.html) }
    let charts: HTML =
      figures.isEmpty
      ? ""
      : "<div class=\"charts\(isWide ? " wide" : isBeside ? " beside" : "")\">\n\(figures)</div>\n"
    let numbers: HTML =
      isBeside
      ? ""
      : figures.isEmpty
        ? block.table.html
        : "<details class=\"numbers\"><summary>Numbers</summary>\n\(block.table.html)\n</details>"
    return block.isFolded
      ? """
      <details><summary><h3>\(block.title)</h3>\(note)\(pattern)</summary>
      \(charts)\(numbers)
      </details>

      """
      : """
      <div class="card"><h3>\(block.title)</h3>\(pattern)
      \(charts)\(numbers)
      </div>

      """
  }

  private mutating func figure(_ figure: Figure) -> HTML {
    let caption: HTML =
      figure.caption.isEmpty ? "" : "<figcaption><h4>\(figure.caption)</h4></figcaption>"
    guard figure.narrow != nil else { return "<figure>\(caption)\(chart())</figure>\n" }
    return """
      <figure>\(caption)<div class="wide-only">\(chart())</div><div class="narrow-only">\(chart())</div></figure>

      """
  }

  private mutating func chart() -> HTML {
    chartCount += 1
    guard let chart = charts.popFirst() else { return .empty }
    return chart.inline(id: "chart-\(chartCount)")
  }
}

extension Figure {
  fileprivate var drawings: [Drawing] { [drawing] + (narrow.map { [$0] } ?? []) }
}
