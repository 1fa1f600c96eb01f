import BackendChoice
import Testing

@Suite struct AdviceTests {
  private func advice(_ rates: [(String, Double)], rounds: Int = 7) -> String {
    let ranking = Ranking(
      rates.map { name, rate in
        Candidate(
          name: name, rates: (0..<rounds).map { rate * (1 + Double($0) / 1e6) }, bytes: 100 * rate)
      },
      reference: rates[0].0)
    return Advice(ranking, rounds: rounds).recommendation
  }

  @Test func theFastestAndItsLead() {
    #expect(
      advice([("openssl", 1e6), ("swift", 2e6), ("multibuffer", 5e6)])
        == "Take multibuffer: it verifies 2.5 times as much as swift, the next one.")
    // A lead that was called is not "1.0 times as much".
    #expect(advice([("openssl", 1e6), ("gcrypt", 1.04e6)]).contains("1.04 times as much"))
    #expect(advice([("swift", 1e6)]) == "Take swift: there is no other.")
  }

  @Test func closeOnesAreNamedWithTheSmallest() {
    let advice = advice([("openssl", 1e6), ("gcrypt", 1.01e6), ("swift", 0.5e6)])
    #expect(advice.hasPrefix("Too close to call between gcrypt, openssl: take openssl, "))
  }

  /// However far apart they are: the reason is not that they are close.
  @Test(arguments: [(1, "1 round is"), (5, "5 rounds are")])
  func tooFewRoundsAreTheReason(rounds: Int, text: String) {
    let advice = advice([("openssl", 1e6), ("multibuffer", 5e6)], rounds: rounds)
    #expect(advice.hasPrefix("\(text) too few to tell the backends apart"))
    #expect(advice.contains("need 6 or more (--rounds)"))
    #expect(!advice.contains("close"))
    #expect(!advice.contains("Take"))
  }

  @Test func fewerCredentialsAreTold() throws {
    #expect(
      Advice.credentials(1_500_000, of: 20_000_000)
        == "1,500,000 credentials in a table and not the 20,000,000 asked for")
    let text = try #require(Advice.fewerCredentials(1_500_000, of: 20_000_000))
    #expect(text.hasPrefix("Measured with 1,500,000 credentials and not with 20,000,000:"))
    #expect(Advice.credentials(999, of: 999) == "999 credentials in a table")
    #expect(Advice.credentials(1, of: 1) == "1 credential in a table")
    #expect(Advice.fewerCredentials(999, of: 999) == nil)
  }
}
