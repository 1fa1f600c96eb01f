extension Page.Tile {
  /// The fastest in the work that the suite is for, for each algorithm.
  static func headlines(_ benchmarks: [Measured]) -> [Page.Tile] {
    guard
      let contest = Contest.all(of: benchmarks, without: [.batch, .threads]).first(
        where: \.isHeadline)
    else { return [] }
    return contest.plain.groups.compactMap { algorithm, members in
      guard let algorithm,
        let best = members.max(by: { $0.rates.median < $1.rates.median })
      else { return nil }
      let ratio = members.first { $0.path.contestant == "openssl" }.map {
        best.rates.median / $0.rates.median
      }
      let name = best.contestantTitle
      return Page.Tile(
        title: algorithmTitle(algorithm), figure: Figures.short(best.rates.median),
        unit: "verifications per second on one thread",
        note: ratio.flatMap { name == "openssl" ? nil : "\(name), \(Figures.ratio($0)) openssl" }
          ?? name)
    }
  }
}
