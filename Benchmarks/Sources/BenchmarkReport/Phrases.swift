/// What names mean, in words.
extension BenchmarkPath.Family {
  /// A heading.
  var title: String {
    var parts = [subjectTitle]
    parts += words.filter { !namedBySubject.contains($0) }.map(Self.manner)
    if let window { parts.append("window \(window)") }
    if let credentials {
      parts.append(
        "\(Figures.grouped(Double(credentials))) credential\(credentials == 1 ? "" : "s")")
    }
    if let batch { parts.append("batches of \(Figures.grouped(Double(batch)))") }
    if let threads { parts.append(threads == 1 ? "one thread" : "\(threads) threads") }
    return parts.joined(separator: ", ")
  }

  private var subjectTitle: String {
    switch subject {
    case "verify" where words.contains("warm") && credentials == nil:
      "Verification without a ledger, prepared keys"
    case "verify" where words.contains("warm"): "Verification, prepared keys"
    case "verify" where words.contains("cold"): "Verification, keys prepared each time"
    case "verify" where words.contains("concurrent"): "Verification, concurrent single calls"
    case "verify": "Verification"
    case "latency": "Single verification"
    case "table": "Table of credentials"
    case "base32": "Base32"
    case "uri": "otpauth URIs"
    case "codes" where words.contains("shared"): "Codes of one counter"
    case "codes" where words.contains("different"): "Codes, each of its own counter"
    case "codes" where words.contains("three"): "Three codes a key"
    case "codes": "Codes in bulk"
    case "code": "One code at a time"
    case "prepare": "Key preparation"
    case "settle": "Settling in a ledger"
    default: subject.isEmpty ? "(no name)" : subject
    }
  }

  private var namedBySubject: Set<String> {
    switch subject {
    case "verify": ["warm", "cold", "concurrent"]
    case "codes": ["shared", "different", "three"]
    default: []
    }
  }

  private static func manner(_ word: String) -> String {
    switch word {
    case "alone", "one": return "one attempt at a time"
    case "scattered": return "a time step for each attempt"
    default:
      for (prefix, phrase) in [
        "c": "at once", "group": "in a group", "p": "in a pipeline", "verify": "calls at once",
      ]
      where word.hasPrefix(prefix) {
        if let count = Int(word.dropFirst(prefix.count)) {
          return "\(Figures.grouped(Double(count))) \(phrase)"
        }
      }
      return word
    }
  }

  /// What is counted, one and many.
  var items: (one: String, many: String) {
    switch subject {
    case "verify", "latency": ("verification", "verifications")
    case "code", "codes": ("code", "codes")
    case "prepare": ("key", "keys")
    case "table": ("credential", "credentials")
    case "uri": ("URI", "URIs")
    case "base32": ("text", "texts")
    case "settle": ("attempt", "attempts")
    default: ("item", "items")
    }
  }
}

/// The order of a page: the work that the suite is for, then its parts, then what is around it.
extension BenchmarkPath.Family: Comparable {
  private static let order = [
    "verify/warm", "verify/cold", "verify/concurrent", "verify", "latency", "codes/shared",
    "codes/different", "codes", "code", "prepare", "table", "settle", "base32", "uri",
  ]

  private var rank: Int {
    let subjects = words.first.map { ["\(subject)/\($0)", subject] } ?? [subject]
    return subjects.lazy.compactMap { Self.order.firstIndex(of: $0) }.first ?? Self.order.count
  }

  package static func < (first: Self, second: Self) -> Bool {
    guard first.rank == second.rank else { return first.rank < second.rank }
    func key(_ family: Self) -> (Int, String, Int, String) {
      // The usual window is the first.
      (
        family.words.count, family.words.joined(separator: "/"), family.credentials ?? 0,
        family.window == "1+1" ? "" : family.window ?? ""
      )
    }
    let (keys, others) = (key(first), key(second))
    guard keys == others else { return keys < others }
    return (first.batch ?? 0, first.threads ?? 0, first.subject)
      < (second.batch ?? 0, second.threads ?? 0, second.subject)
  }
}

/// How an algorithm is written.
func algorithmTitle(_ name: String) -> String {
  switch name {
  case "sha1": "SHA-1"
  case "sha256": "SHA-256"
  case "sha512": "SHA-512"
  default: name
  }
}
