import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element with those inside it.
struct XMLElements {
  let name: String
  fileprivate let attributes: [String: String]
  fileprivate(set) var children: [XMLElements] = []

  /// What is written in it, but not in those inside it.
  fileprivate(set) var text = ""

  subscript(attribute: String) -> String? { attributes[attribute] }

  static func root(of data: Data) throws(ReportError) -> XMLElements {
    let parser = XMLParser(data: data)
    let reader = Reader()
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else {
      let reason = parser.parserError?.localizedDescription ?? "it is empty"
      throw ReportError("gnuplot wrote no SVG, in line \(parser.lineNumber): \(reason)")
    }
    return root
  }
}

private final class Reader: NSObject, XMLParserDelegate {
  private(set) var root: XMLElements?
  private var open: [XMLElements] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(XMLElements(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if !open.isEmpty { open[open.count - 1].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }
}
