/// Benchmarks of one run that differ in nothing but the algorithm, who does it, and up to two more axes.
struct Contest {
  let family: BenchmarkPath.Family

  /// By algorithm, in the usual order; benchmarks without one come first.
  let groups: [(algorithm: String?, members: [Measured])]

  /// In the order in which the benchmarks come.
  static func all(of benchmarks: [Measured], without axes: Set<BenchmarkPath.Axis>) -> [Contest] {
    let members = Dictionary(grouping: benchmarks) {
      $0.path.family(without: axes.union([.algorithm, .contestant]))
    }
    var seen: Set<BenchmarkPath.Family> = []
    return benchmarks.compactMap { benchmark in
      let family = benchmark.path.family(without: axes.union([.algorithm, .contestant]))
      guard seen.insert(family).inserted, let members = members[family] else { return nil }
      return Contest(family: family, members)
    }
  }

  init(family: BenchmarkPath.Family, _ members: [Measured]) {
    self.family = family
    groups = Dictionary(grouping: members) { $0.path.algorithm }
      .sorted { Self.order($0.key) < Self.order($1.key) }
      .map { ($0.key, $0.value) }
  }

  private static func order(_ algorithm: String?) -> (Int, String) {
    let known = ["sha1", "sha256", "sha512"]
    return (algorithm.map { known.firstIndex(of: $0) ?? known.count } ?? -1, algorithm ?? "")
  }

  var members: [Measured] { groups.flatMap(\.members) }

  /// Whether it is the work that the suite is for: many attempts with prepared keys and the usual window.
  var isHeadline: Bool {
    family.subject == "verify" && family.words == ["warm"] && family.window == "1+1"
  }

  /// The contest without its benchmarks that are there to show how something scales.
  var plain: Contest {
    // The fewest threads; no stated batch, or else the one that is nearest to a thousand.
    func distance(_ benchmark: Measured) -> (Int, Int) {
      (benchmark.path.threads ?? 0, benchmark.path.batch.map { abs($0 - 1000) } ?? -1)
    }
    let nearest = members.map(distance).min { $0 < $1 } ?? (0, 0)
    let chosen = members.filter { distance($0) == nearest }
    return Contest(
      family: chosen.first.map { $0.path.family(without: [.algorithm, .contestant]) } ?? family,
      chosen)
  }

  /// The names' form: `verify/warm/*/w1+1/*/t1`.
  var pattern: String {
    let names = members.map { $0.path.name.split(separator: "/", omittingEmptySubsequences: false) }
    guard let first = names.first, names.allSatisfy({ $0.count == first.count }) else {
      return "\(family.subject)/…"
    }
    return first.indices.map { place in
      names.allSatisfy { $0[place] == first[place] } ? String(first[place]) : "*"
    }.joined(separator: "/")
  }
}

extension Measured {
  /// Who does it, or, where nobody is named, what is done.
  var contestantTitle: String {
    path.contestant ?? (path.words.isEmpty ? path.name : path.words.joined(separator: "/"))
  }
}
