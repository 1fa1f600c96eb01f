import Testing

/// A text that somebody submits for the code 093255, and whether it is that code.
struct CodeTextCase: Sendable, CustomTestStringConvertible {
  let index: Int
  let text: String
  /// Whether the lenient parser must take it; nil where either is fine.
  let isCode: Bool?

  var testDescription: String { "text-forms/\(index)" }
}

let codeTextCases: [CodeTextCase] = [
  CodeTextCase(index: 0, text: "093255", isCode: true),
  CodeTextCase(index: 1, text: "093 255", isCode: true),
  CodeTextCase(index: 2, text: "093-255", isCode: true),
  CodeTextCase(index: 3, text: " 093255", isCode: true),
  CodeTextCase(index: 4, text: "093255 ", isCode: true),
  CodeTextCase(index: 5, text: "093255\u{A}", isCode: true),
  CodeTextCase(index: 6, text: "093255\u{D}\u{A}", isCode: true),
  CodeTextCase(index: 7, text: "\u{9}093255", isCode: true),
  CodeTextCase(index: 8, text: "093\u{A0}255", isCode: nil),
  CodeTextCase(index: 9, text: "093\u{2009}255", isCode: nil),
  CodeTextCase(index: 10, text: "93255", isCode: false),
  CodeTextCase(index: 11, text: " 93255", isCode: false),
  CodeTextCase(index: 12, text: "+93255", isCode: false),
  CodeTextCase(index: 13, text: "-93255", isCode: false),
  CodeTextCase(index: 14, text: "0093255", isCode: false),
  CodeTextCase(index: 15, text: "0093255", isCode: false),
  CodeTextCase(index: 16, text: "0932550", isCode: false),
  CodeTextCase(index: 17, text: "09325", isCode: false),
  CodeTextCase(index: 18, text: "1", isCode: false),
  CodeTextCase(index: 19, text: "", isCode: false),
  CodeTextCase(index: 20, text: "      ", isCode: false),
  CodeTextCase(index: 21, text: "------", isCode: false),
  CodeTextCase(index: 22, text: "093255abc", isCode: false),
  CodeTextCase(index: 23, text: "abc093255", isCode: false),
  CodeTextCase(index: 24, text: "09325a", isCode: false),
  CodeTextCase(index: 25, text: "093255.0", isCode: false),
  CodeTextCase(index: 26, text: "093,255", isCode: false),
  CodeTextCase(index: 27, text: "093_255", isCode: false),
  CodeTextCase(index: 28, text: "0x3255", isCode: false),
  CodeTextCase(index: 29, text: "093255\u{0}", isCode: false),
  CodeTextCase(index: 30, text: "09325\u{0}", isCode: false),
  CodeTextCase(index: 31, text: "\u{FF10}\u{FF19}\u{FF13}\u{FF12}\u{FF15}\u{FF15}", isCode: false),
  CodeTextCase(index: 32, text: "\u{660}\u{669}\u{663}\u{662}\u{665}\u{665}", isCode: false),
  CodeTextCase(index: 33, text: "\u{6F0}\u{6F9}\u{6F3}\u{6F2}\u{6F5}\u{6F5}", isCode: false),
  CodeTextCase(index: 34, text: "09325\u{FF15}", isCode: false),
  CodeTextCase(index: 35, text: "093255\u{301}", isCode: false),
  CodeTextCase(
    index: 36,
    text:
      "0\u{FE0F}\u{20E3}9\u{FE0F}\u{20E3}3\u{FE0F}\u{20E3}2\u{FE0F}\u{20E3}5\u{FE0F}\u{20E3}5\u{FE0F}\u{20E3}",
    isCode: false),
  CodeTextCase(index: 37, text: "\u{200B}093255", isCode: nil),
  CodeTextCase(index: 38, text: "\u{202A}093255\u{202C}", isCode: nil),
]
