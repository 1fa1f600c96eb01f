import BackendChoice
import BenchmarkRegistry
import Testing

@Suite struct RankingTests {
  /// Rounds on a machine that becomes ever slower, with a little noise of their own.
  private func candidate(
    _ name: String, _ rate: Double, bytes: Double = 100, noise: Double = 0.01, rounds: Int = 15
  ) -> Candidate {
    var generator = SeededGenerator(seed: UInt64(name.utf8.reduce(7) { $0 * 31 + Int($1) }))
    return Candidate(
      name: name,
      rates: (0..<rounds).map { round in
        let drift = 1 - Double(round) / Double(2 * rounds)
        return rate * drift * (1 + noise * Double.random(in: -1...1, using: &generator))
      }, bytes: bytes)
  }

  @Test func theFastestIsFirstAndRecommended() {
    let ranking = Ranking(
      [candidate("openssl", 1e6), candidate("multibuffer", 5e6), candidate("swift", 2e6)],
      reference: "openssl")
    #expect(ranking.places.map(\.name) == ["multibuffer", "swift", "openssl"])
    #expect(ranking.recommended == "multibuffer")
    #expect(ranking.tooCloseToCall == [])
    #expect((4.9...5.1).contains(ranking.places[0].ratio))
    #expect(ranking.places[2].interval == 1...1)
  }

  /// The machine halves its speed meanwhile, and the ratio does not.
  @Test func driftIsInNoRatio() throws {
    let ranking = Ranking(
      [candidate("openssl", 1e6), candidate("swift", 1.1e6)], reference: "openssl")
    let swift = try #require(ranking.places.first { $0.name == "swift" })
    #expect(swift.interval.lowerBound > 1.08)
    #expect(swift.interval.upperBound < 1.12)
    #expect(ranking.tooCloseToCall == [])
  }

  /// However sure it is, a lead of a hundredth is none.
  @Test func aSmallLeadIsTooCloseToCall() {
    let ranking = Ranking(
      [
        candidate("openssl", 1e6, bytes: 400, noise: 0.0001),
        candidate("gcrypt", 1.01e6, bytes: 1700, noise: 0.0001),
      ], reference: "openssl")
    #expect(ranking.places.map(\.name) == ["gcrypt", "openssl"])
    #expect(ranking.places[0].interval.lowerBound > 1)
    #expect(ranking.tooCloseToCall == ["openssl"])
    #expect(ranking.recommended == "openssl")
  }

  /// Five per cent apart, and each round is a tenth off.
  @Test func overlappingIntervalsAreTooCloseToCall() {
    let ranking = Ranking(
      [
        candidate("openssl", 1e6, noise: 0), candidate("gcrypt", 2e6, bytes: 1700, noise: 0.3),
        candidate("swift", 2.1e6, bytes: 40, noise: 0.3),
      ], reference: "openssl")
    #expect(Set(ranking.places.prefix(2).map(\.name)) == ["gcrypt", "swift"])
    #expect(ranking.tooCloseToCall == [ranking.places[1].name])
    #expect(ranking.recommended == "swift")
  }

  /// The third is close to the second, and far from the first.
  @Test func closeIsMeantToTheFirst() {
    let ranking = Ranking(
      [candidate("openssl", 1e6), candidate("gcrypt", 1.01e6), candidate("multibuffer", 5e6)],
      reference: "openssl")
    #expect(ranking.tooCloseToCall == [])
    #expect(ranking.recommended == "multibuffer")
  }

  @Test func tooFewRoundsCallNothing() {
    let ranking = Ranking(
      [candidate("openssl", 1e6, rounds: 3), candidate("multibuffer", 5e6, bytes: 50, rounds: 3)],
      reference: "openssl")
    #expect(ranking.tooCloseToCall == ["openssl"])
    #expect(ranking.recommended == nil)
  }

  /// The least number of rounds is that of the rank test.
  @Test func asManyRoundsAsItSaysAreEnough() {
    #expect(Ranking.fewestRounds == 6)
    for (rounds, recommended) in [(5, nil), (6, "multibuffer")] as [(Int, String?)] {
      let ranking = Ranking(
        [candidate("openssl", 1e6, rounds: rounds), candidate("multibuffer", 5e6, rounds: rounds)],
        reference: "openssl")
      #expect(ranking.recommended == recommended, "\(rounds)")
    }
  }

  @Test(arguments: [1, 6]) func oneBackendNeedsNoChoice(rounds: Int) {
    let ranking = Ranking([candidate("swift", 1e6, rounds: rounds)], reference: "swift")
    #expect(ranking.recommended == "swift")
    #expect(ranking.places.map(\.ratio) == [1])
  }

  @Test func aCloseContenderOfTheSameSizeYieldsToTheFaster() {
    let ranking = Ranking(
      [candidate("openssl", 1e6, noise: 0), candidate("swift", 1.02e6, noise: 0)],
      reference: "openssl")
    #expect(ranking.tooCloseToCall == ["openssl"])
    #expect(ranking.recommended == "swift")
  }
}
