import Foundation

/// What follows from a ranking, in plain sentences.
package struct Advice: Equatable, Sendable {
  private let ranking: Ranking
  private let rounds: Int

  package init(_ ranking: Ranking, rounds: Int) {
    self.ranking = ranking
    self.rounds = rounds
  }

  package var recommendation: String {
    let first = ranking.places[0]
    guard ranking.places.count > 1 else { return "Take \(first.name): there is no other." }
    guard let recommended = ranking.recommended else {
      return
        "\(rounds) \(rounds == 1 ? "round is" : "rounds are") too few to tell the backends apart: the intervals "
        + "need \(Ranking.fewestRounds) or more (--rounds). \(first.name) was ahead, which may be chance."
    }
    guard ranking.tooCloseToCall.isEmpty else {
      let names = ([first.name] + ranking.tooCloseToCall).joined(separator: ", ")
      return
        "Too close to call between \(names): take \(recommended), which needs the least memory of them, "
        + "or whichever you would rather depend on."
    }
    let second = ranking.places[1]
    let lead = first.ratio / second.ratio
    // Up to here one digit would hide that the first one is ahead.
    let digits = lead < 2 ? 2 : 1
    return
      "Take \(first.name): it verifies \(String(format: "%.\(digits)f", lead)) times as much as \(second.name), "
      + "the next one."
  }

  /// What is said of credentials: how many were measured, where the memory does not hold all that were asked for.
  package static func credentials(_ measured: Int, of wanted: Int) -> String {
    measured < wanted
      ? "\(grouped(measured)) credentials in a table and not the \(grouped(wanted)) asked for"
      : "\(grouped(wanted)) \(wanted == 1 ? "credential" : "credentials") in a table"
  }

  /// Why fewer credentials were measured; nil where none were left out.
  package static func fewerCredentials(_ measured: Int, of wanted: Int) -> String? {
    guard measured < wanted else { return nil }
    return
      "Measured with \(grouped(measured)) credentials and not with \(grouped(wanted)): half of this machine's "
      + "memory holds no more for all backends at once. What the memory of all takes is calculated from these, and "
      + "verification with more may be slower."
  }
}

/// A whole number with its thousands set apart.
package func grouped(_ value: Int) -> String {
  var digits = Array(String(value))
  for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
  return String(digits)
}
