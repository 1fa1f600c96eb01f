/// What the name of a benchmark says: `verify/warm/sha1/w1+1/multibuffer/b1024/t1`.
///
/// A name that follows no known form is a path all the same, whose elements mean nothing.
package struct BenchmarkPath: Equatable {
  package let name: String

  /// What is measured: `verify`, `codes`, `prepare`, ...
  package let subject: String

  /// `sha1`, `sha256` or `sha512`.
  package private(set) var algorithm: String?

  /// Who does it: a backend, with its way where it has several (`ipsec-mb/avx2`), a ledger or its reference, or a
  /// parser.
  package private(set) var contestant: String?

  /// The steps of the window, back and forward: `1+1`.
  package private(set) var window: String?

  /// Attempts in one call.
  package private(set) var batch: Int?

  package private(set) var threads: Int?

  package private(set) var credentials: Int?

  /// All other elements, in their order.
  package private(set) var words: [String] = []

  /// The whole path by what its elements are; a contestant's are one.
  private(set) var form: [Element] = []

  enum Element: Equatable {
    case algorithm, contestant, other(String)
  }

  private static let algorithms: Set = ["sha1", "sha256", "sha512"]

  /// Where a contestant begins that follows no algorithm.
  private static let places = ["settle": 1, "base32": 2]

  /// Elements that say how it is done, where a backend could stand.
  private static let manners: Set = [
    "shared", "different", "three", "alone", "scattered",
  ]

  private static func isManner(_ element: String) -> Bool {
    // `c256`: as many calls at once.
    manners.contains(element) || element.first == "c" && number(element.dropFirst()) != nil
  }

  /// By which Google Benchmark marks the clock. They are no part of what is measured.
  private static let clocks: Set = ["manual_time", "real_time", "process_time"]

  package init(_ name: String) {
    self.name = name
    let elements = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      .filter { !Self.clocks.contains($0) }
    subject = elements.first ?? ""
    form = [.other(subject)]
    // A contestant comes after the algorithm, or, where there is none, at a place of its own.
    var mayBeContestant = false
    for (place, element) in elements.enumerated().dropFirst() {
      if place == Self.places[subject] { mayBeContestant = true }
      if algorithm == nil, Self.algorithms.contains(element) {
        algorithm = element
        mayBeContestant = true
        form.append(.algorithm)
      } else if readParameter(element) {
        form.append(.other(element))
        if contestant != nil { mayBeContestant = false }
      } else if mayBeContestant, !Self.isManner(element) {
        if contestant == nil { form.append(.contestant) }
        contestant = contestant.map { "\($0)/\(element)" } ?? element
        // A ledger's way is what is done with it.
        if subject == "settle" { mayBeContestant = false }
      } else if subject == "settle", element == "reference", let ledger = contestant {
        contestant = "\(ledger)/\(element)"
      } else {
        words.append(element)
        form.append(.other(element))
        if contestant != nil { mayBeContestant = false }
      }
    }
  }

  /// A letter with a number, or a window: `b1024`, `t2`, `n1000`, `w1+1`, `w0`.
  private mutating func readParameter(_ element: String) -> Bool {
    let value = element.dropFirst()
    if element.first == "w", window == nil {
      let steps = value.split(separator: "+", omittingEmptySubsequences: false)
      guard (1...2).contains(steps.count), steps.allSatisfy({ Self.number($0) != nil }) else {
        return false
      }
      window = String(value)
      return true
    }
    guard let number = Self.number(value) else { return false }
    switch element.first {
    case "b" where batch == nil: batch = number
    case "t" where threads == nil: threads = number
    case "n" where credentials == nil: credentials = number
    default: return false
    }
    return true
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.allSatisfy { ("0"..."9").contains($0) } ? Int(digits) : nil
  }

  /// An element that may differ between benchmarks that are shown side by side.
  package enum Axis { case algorithm, contestant, batch, threads }

  /// What benchmarks have in common that differ in nothing but these axes.
  package func family(without axes: Set<Axis>) -> Family {
    Family(
      subject: subject, words: words,
      algorithm: axes.contains(.algorithm) ? nil : algorithm,
      contestant: axes.contains(.contestant) ? nil : contestant, window: window,
      batch: axes.contains(.batch) ? nil : batch, threads: axes.contains(.threads) ? nil : threads,
      credentials: credentials)
  }

  package struct Family: Hashable {
    let subject: String
    let words: [String]
    let algorithm: String?
    let contestant: String?
    let window: String?
    let batch: Int?
    let threads: Int?
    let credentials: Int?
  }
}
