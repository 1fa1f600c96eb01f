import Foundation
import Statistics

/// What was measured of one backend for the work in question.
package struct Candidate: Equatable, Sendable {
  package let name: String

  /// Verifications per second, one for each round. In a round all candidates are measured shortly after each other,
  /// so that what disturbs the machine for longer disturbs them all.
  package let rates: [Double]

  /// What the credentials and their states take of the heap.
  package let bytes: Double

  package init(name: String, rates: [Double], bytes: Double) {
    self.name = name
    self.rates = rates
    self.bytes = bytes
  }
}

/// Which backend is the fastest, how sure that is, and which one to take.
package struct Ranking: Equatable, Sendable {
  package struct Place: Equatable, Sendable {
    package let name: String

    /// The median of the rounds, in verifications per second.
    package let rate: Double

    /// The rate as a multiple of the reference's.
    package let ratio: Double

    /// Holds the ratio with a probability of ``confidence``; without bounds when there are too few rounds.
    package let interval: ClosedRange<Double>

    /// Whether the first place is not clearly ahead of this one; false for the first.
    package fileprivate(set) var isTooCloseToCall = false
  }

  /// What the ratios are to.
  package let reference: String

  /// The fastest first.
  package private(set) var places: [Place]

  /// The fastest; of several that are too close to call, the one that needs the least memory. Nil when there were too
  /// few rounds to tell one from another.
  package let recommended: String?

  package static let confidence = 0.95

  /// With fewer, no interval has bounds.
  package static let fewestRounds = Shift.fewestPairs(level: 1 - confidence)

  /// A smaller lead is none: the same program differs by as much from one day, compiler or place in memory to
  /// another.
  package static let leastLead = 0.03

  /// - Parameters:
  ///   - candidates: at least one, all with as many rounds.
  ///   - reference: the name of one of them.
  package init(_ candidates: [Candidate], reference: String) {
    guard let base = candidates.first(where: { $0.name == reference }) else {
      preconditionFailure("the reference is none of the candidates")
    }
    self.reference = reference
    places = candidates.map { Self.place($0, base) }.sorted { $0.ratio > $1.ratio }
    for index in places.indices.dropFirst() {
      places[index].isTooCloseToCall = Self.areTooClose(places[0], places[index])
    }
    let contenders = places.prefix(1) + places.filter(\.isTooCloseToCall)
    let bytes = Dictionary(uniqueKeysWithValues: candidates.map { ($0.name, $0.bytes) })
    // Of equals, the first in the ranking.
    recommended =
      candidates.count > 1 && base.rates.count < Self.fewestRounds
      ? nil : contenders.min { (bytes[$0.name] ?? 0) < (bytes[$1.name] ?? 0) }?.name
  }

  /// Those that the first place is not clearly ahead of.
  package var tooCloseToCall: [String] { places.filter(\.isTooCloseToCall).map(\.name) }

  private static func place(_ candidate: Candidate, _ base: Candidate) -> Place {
    precondition(candidate.rates.count == base.rates.count, "each round has all candidates")
    let rate = candidate.rates.median ?? 0
    if candidate.name == base.name {
      return Place(name: candidate.name, rate: rate, ratio: 1, interval: 1...1)
    }
    let logarithms = zip(candidate.rates, base.rates).map { log($0 / $1) }
    guard let shift = Shift(ofDifferences: logarithms, confidence: confidence) else {
      preconditionFailure("there is at least one round")
    }
    return Place(
      name: candidate.name, rate: rate, ratio: exp(shift.estimate),
      interval: exp(shift.interval.lowerBound)...exp(shift.interval.upperBound))
  }

  private static func areTooClose(_ first: Place, _ other: Place) -> Bool {
    first.interval.overlaps(other.interval) || first.ratio < other.ratio * (1 + leastLead)
  }
}
