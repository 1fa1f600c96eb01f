/// A picture as gnuplot is told it, and as it is told to those who do not see it.
package struct Drawing {
  /// What it shows, in a few words.
  let title: String

  /// What can be seen in it, in a sentence or two.
  let summary: String

  /// In pixels.
  let width: Int
  let height: Int

  /// gnuplot's commands, with the colours of ``Ink``. All text of others in them is ``quoted(_:)``.
  let commands: String

  /// For each of the `plot`s in order, the texts of its marks, in their order.
  let tips: [[String]]

  package init(
    title: String, summary: String, width: Int, height: Int, commands: String, tips: [[String]]
  ) {
    self.title = title
    self.summary = summary
    self.width = width
    self.height = height
    self.commands = commands
    self.tips = tips
  }

  static let fontSize = 13

  /// A gnuplot string. What could be special in it, such as quotes and commands in backquotes, is written as a number.
  static func quoted(_ text: String) -> String {
    // gnuplot writes this as it is, and XML has no place for it.
    let text = text.replacing("]]>", with: "]]\u{200B}>")
    let characters = text.unicodeScalars.map { scalar -> String in
      // XML has no place for noncharacters either.
      if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
        || scalar.properties.isNoncharacterCodePoint
      {
        return " "
      }
      guard scalar.isASCII, scalar != " ", !scalar.properties.isAlphabetic else {
        return String(scalar)
      }
      let octal = String(scalar.value, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }
    return "\"\(characters.joined())\""
  }

  /// The labels of an axis. To gnuplot they are formats for their values.
  static func labels(_ places: [(value: Double, text: String)]) -> String {
    places.map { "\(quoted($0.text.replacing("%", with: "%%"))) \($0.value)" }
      .joined(separator: ", ")
  }

  /// At most so many characters: the middle of a long name says least.
  static func shortened(_ text: String, to count: Int) -> String {
    guard text.count > count else { return text }
    let end = (count - 1) / 2
    return "\(text.prefix(count - 1 - end))…\(text.suffix(end))"
  }

  static let headingHeight = 30

  /// A title at the top.
  static func heading(_ text: String, left: Double, width: Int, height: Int) -> String {
    let size = fontSize + 3
    let room = (Double(width) - 2 * left) / (Self.width(of: "x") * Double(size) / Double(fontSize))
    return """
      set label \(quoted(shortened(text, to: Int(room)))) at screen \(number(left / Double(width))), \
      screen \(number(1 - 12 / Double(height))) left font ',\(size)' textcolor rgb '\(Ink.text.gnuplot)'

      """
  }

  /// About how wide a text is, in pixels: fonts differ.
  static func width(of text: String) -> Double {
    0.56 * Double(fontSize) * Double(text.count)
  }

  /// A block of data by its name, a line for each row. gnuplot takes no empty one, so there must be a use of it
  /// only where there are rows.
  static func data(_ name: String, _ rows: [String]) -> String {
    (["$\(name) << END"] + rows + ["END"]).joined(separator: "\n")
  }

  /// A number with as many digits as a place on paper needs.
  static func number(_ value: Double) -> String {
    let scaled = (value * 1000).rounded() / 1000
    return scaled == scaled.rounded() && abs(scaled) < 1e15 ? "\(Int(scaled))" : "\(scaled)"
  }
}
