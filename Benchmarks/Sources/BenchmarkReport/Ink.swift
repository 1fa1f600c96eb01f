/// A colour by what it is for. Drawings name inks; what an ink looks like depends on the reader's theme.
///
/// gnuplot knows colours alone: each ink has a number of its own there, by which it is found again in what gnuplot
/// wrote.
package struct Ink: Hashable {
  /// The name of the CSS variable.
  let name: String
  let light: String
  let dark: String
  private let number: Int

  /// gnuplot's number of the symbol that points of this ink have, so that colours are not all that tells them apart.
  var symbol: Int {
    guard let place = Self.series.firstIndex(of: self) else { return 7 }
    return [7, 5, 13, 9, 15][place % 5]
  }

  private init(_ number: Int, _ name: String, light: String, dark: String) {
    self.number = number
    self.name = name
    self.light = light
    self.dark = dark
  }

  static let text = Ink(1, "text", light: "#1c1f24", dark: "#eceef1")
  static let muted = Ink(2, "muted", light: "#5c6470", dark: "#a3abb8")
  static let grid = Ink(3, "grid", light: "#e3e6ea", dark: "#30353d")
  static let axis = Ink(4, "axis", light: "#aab1bc", dark: "#5a626e")
  static let regression = Ink(5, "regression", light: "#c4162a", dark: "#ff6b72")

  /// For who is compared, in the order in which they are given away. The lightness differs too, for those who see
  /// fewer colours.
  static let series = [
    Ink(11, "series-1", light: "#2a6fdb", dark: "#5b9cf6"),
    Ink(12, "series-2", light: "#d9601f", dark: "#f08b4b"),
    Ink(13, "series-3", light: "#0f9d8a", dark: "#2fd0b5"),
    Ink(14, "series-4", light: "#5b3fb5", dark: "#b7a0ff"),
    Ink(15, "series-5", light: "#8a6d00", dark: "#e3c04a"),
    Ink(16, "series-6", light: "#9c2a77", dark: "#e07cba"),
    Ink(17, "series-7", light: "#4f8a10", dark: "#8fc64f"),
    Ink(19, "series-8", light: "#7a4a2a", dark: "#cf9d78"),
    Ink(20, "series-9", light: "#3a5f7d", dark: "#86b3d6"),
  ]

  /// For all whom no other colour is left for.
  package static let other = Ink(18, "series-other", light: "#6d747f", dark: "#949ca8")

  static let all = [text, muted, grid, axis, regression] + series + [other]

  /// The colour in gnuplot's commands.
  var gnuplot: String { "#" + digits }

  /// The colour in gnuplot's data.
  var value: String { "0x" + digits }

  private var digits: String {
    let digits = String(number, radix: 16)
    return "0100" + (digits.count == 1 ? "0" : "") + digits
  }

  /// The ink that gnuplot wrote as `rgb(1, 0, number)`.
  init?(svg colour: String) {
    guard colour.hasPrefix("rgb("), colour.hasSuffix(")") else { return nil }
    let parts = colour.dropFirst(4).dropLast().split(separator: ",").map { part in
      Int(part.filter { $0 != " " })
    }
    guard parts.count == 3, parts[0] == 1, parts[1] == 0,
      let ink = Self.all.first(where: { $0.number == parts[2] })
    else { return nil }
    self = ink
  }

  /// The rules of a style sheet by which elements of the classes `fill-NAME` and `stroke-NAME` get their colours.
  static let styleSheet: String = {
    func variables(_ colour: KeyPath<Ink, String>) -> String {
      all.map { "--\($0.name): \($0[keyPath: colour]);" }.joined(separator: " ")
    }
    let rules = all.map { ink in
      ".fill-\(ink.name) { fill: var(--\(ink.name)); } .stroke-\(ink.name) { stroke: var(--\(ink.name)); }"
    }
    return """
      :root { color-scheme: light dark; \(variables(\.light)) }
      @media (prefers-color-scheme: dark) { :root { \(variables(\.dark)) } }
      \(rules.joined(separator: "\n"))
      """
  }()
}

/// Who has which ink: the same on a whole page.
package struct Palette {
  private let inks: [String: Ink]

  /// Who is nearly always there keeps the ink from page to page.
  private static let known = [
    "multibuffer", "openssl", "gcrypt", "swift", "ipsec-mb", "liboath", "openssl-compact",
    "gcrypt-compact",
  ]

  package init(_ contestants: some Sequence<String>) {
    let others = Set(contestants.map(Self.owner)).subtracting(Self.known).sorted()
    inks = Dictionary(
      uniqueKeysWithValues: zip(Self.known + others, Ink.series))
  }

  package subscript(contestant: String) -> Ink { inks[Self.owner(contestant)] ?? .other }

  /// The ways of one library share its ink.
  private static func owner(_ contestant: String) -> String {
    String(contestant.prefix { $0 != "/" })
  }
}
