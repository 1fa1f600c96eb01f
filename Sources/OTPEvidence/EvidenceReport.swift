public import OTP

/// What a release can show for itself: which checks were run against which backend and ledger, and which
/// of them hold. It has the names of cases and no key, no URI and no code.
public struct EvidenceReport: Sendable {
  /// One check.
  public struct Case: Hashable, Sendable {
    public let group: Group
    public let name: String

    /// Nil when it holds; else what happened instead, in fixed words.
    public let failure: String?

    /// How long it took, by a clock that shows no time of day.
    public let duration: Duration

    public var hasPassed: Bool { failure == nil }
  }

  /// The three kinds of evidence.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    case standardVectors = "standard vectors"
    case refusedParameters = "refused parameters"
    case refusedReplays = "refused replays"
  }

  /// swift-otp's own version.
  public let version: String

  /// What it was built for, such as `Linux`.
  public let operatingSystem: String

  /// What it was built for, such as `x86_64`.
  public let architecture: String

  public let backend: BackendInformation

  /// What the caller said of the kernels in use, a line for each.
  public let kernels: [String]

  /// The ledger's name, as the caller gave it.
  public let ledger: String

  /// When the checks were run, as the caller said.
  public let time: UnixTime

  /// The same in ISO 8601, in UTC: `2026-11-30T15:00:00Z`.
  public var timeText: String { time.calendarText + "Z" }

  public internal(set) var cases: [Case] = []

  public var hasPassed: Bool { !cases.isEmpty && cases.allSatisfy(\.hasPassed) }

  init(backend: BackendInformation, kernels: [String], ledger: String, time: UnixTime) {
    version = SwiftBackend.version
    operatingSystem = Platform.operatingSystem
    architecture = Platform.architecture
    self.backend = backend
    self.kernels = kernels
    self.ledger = ledger
    self.time = time
  }

  /// Runs one check. An error of its own that nobody expected is a failure, by its code alone.
  mutating func check(
    _ group: Group, _ name: String, _ body: () async throws -> String?
  ) async {
    let failure: String?
    let beginning = ContinuousClock.now
    do {
      failure = try await body()
    } catch {
      failure = "error \((error as? OTPError)?.code.description ?? "unknown")"
    }
    cases.append(
      Case(
        group: group, name: name, failure: failure, duration: ContinuousClock.now - beginning))
  }
}
