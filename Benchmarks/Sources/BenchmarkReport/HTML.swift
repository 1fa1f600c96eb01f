/// Markup. Text that is interpolated into a literal is escaped; markup is not.
struct HTML: ExpressibleByStringInterpolation, Equatable {
  private(set) var markup: String

  static let empty: HTML = ""

  init(stringLiteral value: String) { markup = value }

  init(stringInterpolation interpolation: StringInterpolation) { markup = interpolation.markup }

  /// Markup that another program made.
  init(markup: String) { self.markup = markup }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { markup += literal }

    mutating func appendInterpolation(_ text: String) { markup += escaped(text) }

    mutating func appendInterpolation(_ number: Int) { markup += "\(number)" }

    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }
  }
}

/// Text for an element or for an attribute in quotes. Characters that markup cannot have are replaced.
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
      let isControl = scalar.properties.generalCategory == .control
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
  }
  return result
}
