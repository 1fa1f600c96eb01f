import BackendBenchmarks
import BackendChoice
import Foundation
import OTP
import RunComparison
import Statistics

/// What `choose` measured, and what follows from it.
struct ChoiceReport {
  private let options: ChooseOptions

  /// Fewer than asked for where the memory does not hold them.
  private let measuredCredentials: Int

  private let figures: [String: Figures]
  private let ranking: Ranking

  /// Backends that lack the algorithm.
  private let unable: [String]

  private let context: RunContext

  /// What was measured of one backend, and what is known of it.
  struct Figures {
    let library: String
    let license: String

    /// The algorithms that it lacks here.
    let lacking: [String]

    let candidate: Candidate
    let nanosecondsPerCode: Double
    let nanosecondsPerKey: Double
    let bytesPerKey: Double

    /// For all credentials that were asked for.
    var bytesForAll: Double { candidate.bytes }

    /// The median of several processes.
    let startUpSeconds: Double

    init(
      _ information: BackendInformation, _ contender: Contender, credentials: Int, startUp: [Double]
    ) {
      library = information.library
      license = information.license
      lacking = HashAlgorithm.allCases.filter { !information.algorithms.contains($0) }
        .map(\.rawValue)
      candidate = Candidate(
        name: information.name, rates: contender.verification.rates,
        bytes: contender.bytesPerCredential * Double(credentials))
      nanosecondsPerCode = contender.code.nanosecondsEach
      nanosecondsPerKey = contender.preparation.nanosecondsEach
      bytesPerKey = contender.bytesPerKey
      startUpSeconds = startUp.median ?? .nan
    }
  }

  init(
    options: ChooseOptions, measuredCredentials: Int, backends: [Figures], unable: [String],
    context: RunContext
  ) {
    self.options = options
    self.measuredCredentials = measuredCredentials
    self.unable = unable
    self.context = context
    figures = Dictionary(uniqueKeysWithValues: backends.map { ($0.candidate.name, $0) })
    // The pure Swift backend is always there.
    let reference = figures["openssl"] == nil ? "swift" : "openssl"
    ranking = Ranking(backends.map(\.candidate), reference: reference)
  }

  /// The backends with their figures, the fastest first.
  private var ranked: [(place: Ranking.Place, figures: Figures)] {
    ranking.places.compactMap { place in figures[place.name].map { (place, $0) } }
  }

  // MARK: Text

  var text: String {
    """
    \(wrapped(heading))

    \(measuredTable)

    \(wrapped(legend))

    \(knownTable)

    \(wrapped("Constant time: " + ConstantTime.common))
    \(ranked.map { wrapped("\($0.place.name): " + ConstantTime.evidence($0.place.name), indent: 2) }
      .joined(separator: "\n"))

    \(advice.map { wrapped($0) }.joined(separator: "\n"))
    """
  }

  /// The work, and how it was measured.
  private var heading: String {
    let work = options.work
    return """
      \(work.algorithm.name), window of \(work.window.back) back and \(work.window.forward) forward, \
      \(Advice.credentials(measuredCredentials, of: work.credentials)), \
      batches of \(grouped(work.batch)), \(counted(work.threads, "thread")). Medians of \
      \(counted(options.rounds, "round")), in each of which every backend was measured once, in random order.
      """
  }

  /// What the columns mean.
  private var legend: String {
    """
    ns/code is for one code by itself, ns/key for preparing a key; MB is for \
    \(grouped(options.work.credentials)) credentials with their states in a ledger in memory; start-up is from \
    nothing to the first code in a new process.
    """
  }

  private var measuredTable: String {
    let heading = [
      "", "verified/s", "vs \(ranking.reference)", "95 % interval", "ns/code", "ns/key",
      "bytes/key", "MB", "start-up ms",
    ]
    return aligned(
      [heading]
        + ranked.map { place, figures in
          [
            place.name, grouped(place.rate), String(format: "%.2f x", place.ratio),
            place.interval.upperBound.isFinite
              ? String(
                format: "%.2f - %.2f", place.interval.lowerBound, place.interval.upperBound)
              : "unbounded",
            grouped(figures.nanosecondsPerCode), grouped(figures.nanosecondsPerKey),
            grouped(figures.bytesPerKey), String(format: "%.1f", figures.bytesForAll / 1e6),
            String(format: "%.2f", figures.startUpSeconds * 1000),
          ]
        }, textColumns: [0])
  }

  private var knownTable: String {
    aligned(
      [["", "library as loaded", "licence", "algorithms missing"]]
        + ranked.map { place, figures in
          [
            place.name, figures.library, figures.license,
            figures.lacking.isEmpty ? "none" : figures.lacking.joined(separator: " "),
          ]
        }, textColumns: [0, 1, 2, 3])
  }

  // MARK: Advice

  /// Plain sentences, the recommendation first.
  private var advice: [String] {
    [Advice(ranking, rounds: options.rounds).recommendation]
      + [Advice.fewerCredentials(measuredCredentials, of: options.work.credentials)].compactMap(
        \.self)
      + unable.map { "\($0) does not have \(options.work.algorithm.name) here." }
      + [fipsAdvice]
  }

  private var fipsAdvice: String {
    guard let algorithms = Backends.openSSLAlgorithmsUnderFIPS else {
      return
        "Where a validated provider is prescribed, take openssl with the properties fips=yes, or openssl-compact "
        + "if HMAC as a whole must be its; this machine has no such provider loaded, and one may lack SHA-1."
    }
    let lacking = HashAlgorithm.allCases.filter { !algorithms.contains($0) }.map(\.name)
    return
      "Where a validated provider is prescribed, take openssl with the properties fips=yes, or openssl-compact if "
      + "HMAC as a whole must be its"
      + (lacking.isEmpty ? "." : "; \(lacking.joined(separator: ", ")) is lacking here.")
  }

  // MARK: JSON

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(record), as: UTF8.self)
    }
  }

  private var record: Record {
    let work = options.work
    return Record(
      work: Record.Work(
        algorithm: work.algorithm.rawValue, window: [work.window.back, work.window.forward],
        credentials: work.credentials, measuredCredentials: measuredCredentials, batch: work.batch,
        threads: work.threads),
      rounds: options.rounds, confidence: Ranking.confidence, reference: ranking.reference,
      backends: ranked.map { place, figures in
        Record.Backend(
          name: place.name, library: figures.library, license: figures.license,
          algorithmsMissing: figures.lacking, constantTime: ConstantTime.evidence(place.name),
          verificationsPerSecond: place.rate, ratio: place.ratio,
          // JSON has no infinity.
          ratioInterval: place.interval.upperBound.isFinite
            ? [place.interval.lowerBound, place.interval.upperBound] : nil,
          tooCloseToCall: place.isTooCloseToCall, nanosecondsPerCode: figures.nanosecondsPerCode,
          nanosecondsPerKey: figures.nanosecondsPerKey, bytesPerKey: figures.bytesPerKey,
          bytesForAll: figures.bytesForAll, startUpSeconds: figures.startUpSeconds)
      },
      lackingAlgorithm: unable, recommended: ranking.recommended,
      tooFewRounds: ranking.recommended == nil,
      tooCloseToCall: ranking.tooCloseToCall, advice: advice,
      constantTime: ConstantTime.common,
      context: Dictionary(uniqueKeysWithValues: context.values))
  }

  private struct Record: Encodable {
    let work: Work
    let rounds: Int
    let confidence: Double
    let reference: String
    /// The fastest first.
    let backends: [Backend]
    let lackingAlgorithm: [String]
    /// None with too few rounds.
    let recommended: String?
    let tooFewRounds: Bool
    let tooCloseToCall: [String]
    let advice: [String]
    /// Of every backend.
    let constantTime: String
    let context: [String: String]

    struct Work: Encodable {
      let algorithm: String
      let window: [Int]
      let credentials: Int
      let measuredCredentials: Int
      let batch: Int
      let threads: Int
    }

    struct Backend: Encodable {
      let name: String
      let library: String
      let license: String
      let algorithmsMissing: [String]
      let constantTime: String
      let verificationsPerSecond: Double
      let ratio: Double
      let ratioInterval: [Double]?
      let tooCloseToCall: Bool
      let nanosecondsPerCode: Double
      let nanosecondsPerKey: Double
      let bytesPerKey: Double
      let bytesForAll: Double
      let startUpSeconds: Double
    }
  }
}
