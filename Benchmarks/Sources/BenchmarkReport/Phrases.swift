/// What names mean, in words.
extension BenchmarkPath.Family {
  /// A heading.
  var title: String {
    var parts = [subjectTitle]
    parts += words.filter { !namedBySubject.contains($0) }.map { Self.manners[$0] ?? $0 }
    if let window { parts.append("window \(window)") }
    if let credentials {
      parts.append("\(Figures.grouped(Double(credentials))) credential\(credentials == 1 ? "" : "s")")
    }
    if let batch { parts.append("batches of \(Figures.grouped(Double(batch)))") }
    if let threads { parts.append(threads == 1 ? "one thread" : "\(threads) threads") }
    return parts.joined(separator: ", ")
  }

  private var subjectTitle: String {
    switch subject {
    case "verify" where words.contains("warm"): "Verification, prepared keys"
    case "verify" where words.contains("cold"): "Verification, keys prepared each time"
    case "verify": "Verification"
    case "codes" where words.contains("shared"): "Codes of one counter"
    case "codes" where words.contains("different"): "Codes, each of its own counter"
    case "codes" where words.contains("three"): "Three codes a key"
    case "codes": "Codes in bulk"
    case "code": "One code at a time"
    case "prepare": "Key preparation"
    case "settle": "Settling in a ledger"
    default: subject
    }
  }

  private var namedBySubject: Set<String> {
    switch subject {
    case "verify": ["warm", "cold"]
    case "codes": ["shared", "different", "three"]
    default: []
    }
  }

  private static let manners = [
    "alone": "one attempt at a time", "scattered": "a time step for each attempt",
    "single": "single calls", "concurrent": "concurrent calls", "one": "one attempt at a time",
  ]

  /// What is counted, one and many.
  var items: (one: String, many: String) {
    switch subject {
    case "verify": ("verification", "verifications")
    case "code", "codes": ("code", "codes")
    case "prepare": ("key", "keys")
    case "settle": ("attempt", "attempts")
    default: ("item", "items")
    }
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
