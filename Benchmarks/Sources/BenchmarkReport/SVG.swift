package import Foundation

/// What gnuplot drew, made fit for a page: colours become classes, so that the page's theme decides; names of its own
/// go, of which a page may have each once; marks tell their values; and it says what it shows.
package struct SVG {
  private let drawing: Drawing
  private let content: HTML

  /// - Throws: ``ReportError`` when gnuplot draws in another way than it is known here.
  package init(_ data: Data, _ drawing: Drawing) throws(ReportError) {
    self.drawing = drawing
    var translation = Translation(tips: drawing.tips)
    content = try translation.children(of: XMLElements.root(of: data))
    guard translation.tips.allSatisfy(\.isEmpty) else {
      throw ReportError("gnuplot drew fewer marks than there are values")
    }
  }

  /// For a page that has the style sheet of ``Ink``.
  /// - Parameter id: one that no other element has.
  func inline(id: String) -> HTML {
    """
    <svg class="chart" viewBox="0 0 \(drawing.width) \(drawing.height)" role="img" \
    aria-labelledby="\(id)-title" aria-describedby="\(id)-summary"><title id="\(id)-title">\(drawing.title)</title>\
    <desc id="\(id)-summary">\(drawing.summary)</desc>\(content)</svg>
    """
  }

  /// A file of its own.
  var file: String {
    let svg: HTML = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(drawing.width)" height="\(drawing.height)" \
      viewBox="0 0 \(drawing.width) \(drawing.height)" role="img" aria-labelledby="title" aria-describedby="summary">
      <title id="title">\(drawing.title)</title>
      <desc id="summary">\(drawing.summary)</desc>
      <style>
      \(HTML(markup: Ink.styleSheet))
      \(HTML(markup: Self.styleSheet))
      </style>
      \(content)
      </svg>

      """
    return svg.markup
  }

  static let styleSheet = """
    svg { fill: none; }
    svg text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif;
      font-variant-numeric: tabular-nums; }
    """
}

/// Goes through gnuplot's elements.
private struct Translation {
  /// Those not yet given to a mark, by plot.
  private(set) var tips: [[String]]
  private var plot: Int?

  init(tips: [[String]]) { self.tips = tips }

  mutating func children(of element: XMLElements) throws(ReportError) -> HTML {
    var parts: [HTML] = []
    for child in element.children { parts.append(try translate(child)) }
    return "\(parts)"
  }

  private mutating func translate(_ element: XMLElements) throws(ReportError) -> HTML {
    switch element.name {
    case "g": return try group(element)
    case "text":
      return element.text.isEmpty ? .empty : "<text>\(element.text)</text>"
    case "path":
      // Some only move about.
      guard let data = element["d"], data.contains("L") else { return .empty }
      let shown = Self.attributes(element, ["d", "stroke-dasharray"])
      return "<path\(shown)\(try Self.classes(element))/>"
    case "polygon":
      let shown = Self.attributes(element, ["points"])
      return mark("polygon", "\(shown)\(try Self.classes(element))")
    case "use":
      let symbol = element["xlink:href"] ?? ""
      guard let shape = Self.symbols[symbol], let ink = element["color"].flatMap(Ink.init(svg:))
      else { throw ReportError("gnuplot drew an unknown mark: \(symbol)") }
      let place = Self.attributes(element, ["transform"])
      return mark("path", "\(place) d=\"\(shape)\" class=\"fill-\(ink.name)\"")
    // The size as a rectangle; symbols; gnuplot's own words.
    case "rect", "defs", "title", "desc": return .empty
    case let name: throw ReportError("gnuplot drew an unknown element: \(name)")
    }
  }

  private mutating func group(_ element: XMLElements) throws(ReportError) -> HTML {
    let outer = plot
    defer { plot = outer }
    let prefix = "gnuplot_plot_"
    if let id = element["id"], id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)) {
      plot = number - 1
    }
    let content = try children(of: element)
    guard content != .empty else { return .empty }
    let shown = Self.attributes(
      element, ["transform", "font-size", "text-anchor", "stroke-width", "stroke-linejoin"])
    // Where there is text, it has the colour from its group.
    let classes: HTML =
      plot != outer
      ? " class=\"plot\"" : element["font-size"] != nil ? try Self.classes(element) : .empty
    return shown == .empty && classes == .empty ? content : "<g\(shown)\(classes)>\(content)</g>"
  }

  /// A bar or a point: what stands for a value.
  private mutating func mark(_ name: String, _ attributes: HTML) -> HTML {
    let element = HTML(markup: name)
    guard let plot, tips.indices.contains(plot), !tips[plot].isEmpty else {
      return "<\(element)\(attributes)/>"
    }
    return "<\(element)\(attributes)><title>\(tips[plot].removeFirst())</title></\(element)>"
  }

  private static func attributes(_ element: XMLElements, _ names: [String]) -> HTML {
    let shown = names.compactMap { name in
      element[name].map { " \(HTML(markup: name))=\"\($0)\"" as HTML }
    }
    return "\(shown)"
  }

  private static func classes(_ element: XMLElements) throws(ReportError) -> HTML {
    var names: [String] = []
    for property in ["fill", "stroke"] {
      guard let colour = element[property], colour != "none" else { continue }
      guard let ink = Ink(svg: colour) else {
        throw ReportError("gnuplot drew with an unknown colour: \(colour)")
      }
      names.append("\(property)-\(ink.name)")
    }
    return names.isEmpty ? .empty : " class=\"\(names.joined(separator: " "))\""
  }

  /// gnuplot's full symbols (`pt 5`, `7`, `9`, ...), which are one unit in each direction.
  private static let symbols = [
    "#gpPt4": "M-1,-1 h2 v2 h-2 z",
    "#gpPt6": "M-1.1,0 a1.1,1.1 0 1 0 2.2,0 a1.1,1.1 0 1 0 -2.2,0 z",
    "#gpPt8": "M0,-1.33 L-1.33,0.67 L1.33,0.67 z",
    "#gpPt10": "M0,1.33 L-1.33,-0.67 L1.33,-0.67 z",
    "#gpPt12": "M0,-1.41 L1.41,0 L0,1.41 L-1.41,0 z",
    "#gpPt14": "M0,1.33 L1.26,0.41 L0.78,-1.07 L-0.78,-1.07 L-1.26,0.41 z",
  ]
}
