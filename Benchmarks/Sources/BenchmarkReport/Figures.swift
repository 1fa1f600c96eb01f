import Foundation

/// Numbers as they are read.
package enum Figures {
  /// A whole number with its thousands set apart.
  package static func grouped(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    let rounded = Int(value.rounded())
    var digits = Array(String(abs(rounded)))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return (rounded < 0 ? "−" : "") + String(digits)
  }

  /// Three digits: 0.781, 7.81, 78.1, 781, and 7,810.
  package static func significant(_ value: Double) -> String {
    let magnitude = abs(value)
    guard magnitude < 999.5 else { return grouped(value) }
    let places = magnitude < 0.9995 ? 3 : magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0
    return String(format: "%.\(places)f", value)
  }

  /// A short form of a large number: 7.81 M.
  static func short(_ value: Double) -> String {
    Scale(for: value).text(value)
  }

  /// A duration.
  package static func duration(nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<999.5: "\(significant(nanoseconds))\u{A0}ns"
    case ..<999.5e3: "\(significant(nanoseconds / 1e3))\u{A0}µs"
    case ..<999.5e6: "\(significant(nanoseconds / 1e6))\u{A0}ms"
    default: "\(significant(nanoseconds / 1e9))\u{A0}s"
    }
  }

  /// A duration that is a power of ten.
  static func round(nanoseconds: Double) -> String {
    for (limit, unit) in [(1e3, "ns"), (1e6, "µs"), (1e9, "ms")] where nanoseconds < limit {
      return "\(Drawing.number(nanoseconds / limit * 1e3))\u{A0}\(unit)"
    }
    return "\(Drawing.number(nanoseconds / 1e9))\u{A0}s"
  }

  /// An amount of memory, in powers of ten.
  package static func bytes(_ bytes: Double) -> String {
    for (limit, unit) in [(1e3, "B"), (1e6, "kB"), (1e9, "MB")] where bytes < 0.9995 * limit {
      return "\(significant(bytes / limit * 1e3))\u{A0}\(unit)"
    }
    return "\(significant(bytes / 1e9))\u{A0}GB"
  }

  /// How many times as much.
  static func ratio(_ ratio: Double) -> String {
    ratio.isFinite ? String(format: "%.2f\u{A0}×", ratio) : "–"
  }

  /// A share as a percentage: 0.123 is 12.3 %.
  static func percent(_ share: Double) -> String {
    share.isFinite ? String(format: "%.1f\u{A0}%%", share * 100) : "–"
  }

  /// A share to both sides.
  static func spread(_ share: Double?) -> String { share.map { "±\u{A0}\(percent($0))" } ?? "–" }

  /// A change as a percentage, with its sign.
  package static func change(_ share: Double) -> String {
    guard share.isFinite else { return "–" }
    let text = String(format: "%.1f\u{A0}%%", abs(share) * 100)
    return text.hasPrefix("0.0") ? "0.0\u{A0}%" : (share < 0 ? "−" : "+") + text
  }

  /// By what the numbers of an axis are divided.
  struct Scale: Equatable {
    let factor: Double
    let word: String
    let letter: String

    init(for maximum: Double) {
      (factor, word, letter) =
        switch abs(maximum) {
        case ..<1e4: (1, "", "")
        case ..<1e6: (1e3, "thousand", "k")
        case ..<1e9: (1e6, "million", "M")
        default: (1e9, "billion", "G")
        }
    }

    /// A value with the letter.
    func text(_ value: Double) -> String {
      significant(value / factor) + (letter.isEmpty ? "" : "\u{A0}\(letter)")
    }

    /// The title of an axis: its unit, with the factor before it.
    func title(_ unit: String) -> String { word.isEmpty ? unit : "\(word)\u{A0}\(unit)" }
  }
}
