import Foundation

/// The processor, in the system's words.
struct Processor {
  let model: String

  /// Those of its features that a hash function can use, sorted.
  let features: String

  static var current: Processor {
    Processor((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "")
  }

  /// - Parameter information: lines as in Linux' `/proc/cpuinfo`; the first of a kind counts.
  init(_ information: String) {
    func value(_ keys: Set<String>) -> String? {
      for line in information.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2, keys.contains(parts[0].trimmingCharacters(in: .whitespaces)) {
          return parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      return nil
    }
    model = value(["model name", "CPU part"]) ?? "unknown"
    let all = (value(["flags", "Features"]) ?? "").split(separator: " ")
    features = all.filter { name in Self.useful.contains { name.hasPrefix($0) } }.sorted()
      .joined(separator: " ")
  }

  /// Beginnings of names, for x86-64 and ARM.
  private static let useful = [
    "ssse3", "sse4", "avx", "bmi", "sha", "gfni", "neon", "asimd", "sve",
  ]
}
