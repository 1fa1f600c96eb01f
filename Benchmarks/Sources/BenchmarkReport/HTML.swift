/// Markup. Text that is interpolated into a literal is escaped; markup is not.
package struct HTML: ExpressibleByStringInterpolation, Equatable {
  package private(set) var markup: String

  static let empty: HTML = ""

  package init(stringLiteral value: String) { markup = value }

  package init(stringInterpolation interpolation: StringInterpolation) {
    markup = interpolation.markup
  }

  /// Markup that another program made.
  init(markup: String) { self.markup = markup }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { markup += literal }

    package mutating func appendInterpolation(_ text: String) { markup += escaped(text) }

    package mutating func appendInterpolation(_ number: Int) { markup += "\(number)" }

    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    package mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }
  }
}

/// Text for an element or for an attribute in quotes. Characters that markup cannot have are replaced, as are those
/// that turn the direction of what follows.
private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
    default:
      let isReplaced =
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
        || scalar.properties.isNoncharacterCodePoint
      result.unicodeScalars.append(isReplaced ? "\u{FFFD}" : scalar)
    }
  }
  return result
}
