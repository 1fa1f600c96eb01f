/// Benchmarks of one run that differ in nothing but the algorithm, who does it, and up to two more axes.
package struct Contest {
  let family: BenchmarkPath.Family

  /// By algorithm, in the usual order; benchmarks without one come first.
  package let groups: [(algorithm: String?, members: [Measured])]

  /// What the suite is for comes first.
  package static func all(of benchmarks: [Measured], without axes: Set<BenchmarkPath.Axis>)
    -> [Contest]
  {
    Dictionary(grouping: benchmarks) {
      $0.path.family(without: axes.union([.algorithm, .contestant]))
    }
    .map { Contest(family: $0, $1) }
    .sorted { $0.family < $1.family }
  }

  init(family: BenchmarkPath.Family, _ members: [Measured]) {
    self.family = family
    groups = Dictionary(grouping: members) { $0.path.algorithm }
      .sorted { Self.order($0.key) < Self.order($1.key) }
      .map { ($0.key, $0.value.sorted { $0.path.name < $1.path.name }) }
  }

  private static func order(_ algorithm: String?) -> (Int, String) {
    let known = ["sha1", "sha256", "sha512"]
    return (algorithm.map { known.firstIndex(of: $0) ?? known.count } ?? -1, algorithm ?? "")
  }

  package var members: [Measured] { groups.flatMap(\.members) }

  /// Whether it is the work that the suite is for: many attempts with prepared keys and the usual window.
  package var isHeadline: Bool {
    family.subject == "verify" && family.words == ["warm"] && family.window == "1+1"
      && family.credentials == nil
  }

  /// Each algorithm's title with that of the family.
  func title(_ algorithm: String?) -> String {
    [family.title, algorithm.map(algorithmTitle)].compactMap { $0 }.joined(separator: ", ")
  }

  /// The contest without its benchmarks that are there to show how something scales.
  package var plain: Contest {
    struct Setting: Hashable {
      let batch: Int?
      let threads: Int?
    }
    let settings = Dictionary(grouping: members) {
      Setting(batch: $0.path.batch, threads: $0.path.threads)
    }
    // The one that most contestants share, then the fewest threads and the largest batch.
    let chosen = settings.min {
      (-$0.value.count, $0.key.threads ?? 0, -($0.key.batch ?? .max))
        < (-$1.value.count, $1.key.threads ?? 0, -($1.key.batch ?? .max))
    }
    guard let chosen, let first = chosen.value.first else { return self }
    return Contest(
      family: first.path.family(without: [.algorithm, .contestant]), chosen.value)
  }

  /// The form of the names: `verify/warm/*/w1+1/*/t1`.
  package var pattern: String {
    let paths = members.map(\.path)
    guard let first = paths.first else { return family.subject }
    let algorithms = Set(paths.map(\.algorithm))
    let contestants = Set(paths.map(\.contestant))
    return first.form.enumerated().map { place, element in
      switch element {
      case .algorithm: algorithms.count == 1 ? first.algorithm ?? "*" : "*"
      case .contestant: contestants.count == 1 ? first.contestant ?? "*" : "*"
      case .other(let text):
        paths.allSatisfy { $0.form.count <= place || $0.form[place] == element } ? text : "*"
      }
    }.joined(separator: "/")
  }
}

extension Measured {
  /// Who does it, or, where nobody is named, what is done.
  package var contestantTitle: String {
    let title =
      path.contestant ?? (path.words.isEmpty ? path.name : path.words.joined(separator: "/"))
    return title.isEmpty ? "(no name)" : title
  }
}
