/// A moment until which something may take.
struct Deadline: Sendable {
  private let instant: ContinuousClock.Instant

  init(after duration: Duration, from start: ContinuousClock.Instant = .now) {
    instant = start + duration
  }

  /// The whole milliseconds that are left, rounded up, so that none left means that it is over.
  var millisecondsLeft: Int {
    let (seconds, attoseconds) = (instant - .now).components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
    return Int(
      seconds * 1000 + (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond)
  }
}
