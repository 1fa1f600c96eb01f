import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// The ends of locks, against what was reckoned by hand.
@Suite struct ThrottleTests {
  /// Locks that wrong codes at second 1000 set.
  struct Row: Sendable, CustomTestStringConvertible {
    let throttle: Throttle
    /// The number of the wrong code, and for how many seconds it locks; 0 for no lock, nil for good.
    let locks: [(failure: UInt32, seconds: Int64?)]

    var testDescription: String { "\(throttle.delay), at most \(throttle.maximumFailures)" }
  }

  private static func rows() throws -> [Row] {
    [
      Row(
        throttle: try .lockout(after: 3, seconds: 60),
        locks: [
          (1, 0), (2, 0), (3, 60), (4, 0), (5, 0), (6, 60), (7, 0), (9, 60), (98, 0), (99, 60),
          (100, nil), (101, nil), (102, nil), (.max, nil),
        ]),
      Row(
        throttle: try .lockout(after: 1, seconds: 1), locks: [(1, 1), (2, 1), (99, 1), (100, nil)]),
      Row(
        throttle: try .lockout(after: 100, seconds: 60),
        locks: [(1, 0), (50, 0), (99, 0), (100, nil)]),
      Row(throttle: .standard, locks: [(4, 0), (5, 300), (6, 0), (95, 300), (99, 0), (100, nil)]),
      Row(
        throttle: try Throttle(.lockout(after: 4, seconds: 60), maximumFailures: 4),
        locks: [(3, 0), (4, nil), (5, nil)]),
      Row(
        throttle: try Throttle(.lockout(after: 4, seconds: 60), maximumFailures: 5),
        locks: [(3, 0), (4, 60), (5, nil), (6, nil)]),
      Row(
        throttle: try Throttle(.exponential(factor: 1, cap: 1), maximumFailures: 1),
        locks: [(1, nil), (2, nil)]),
      Row(
        throttle: try .exponential(factor: 1, cap: 3600),
        locks: [
          (1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (11, 1024), (12, 2048), (13, 3600), (14, 3600),
          (62, 3600), (63, 3600), (64, 3600), (65, 3600), (66, 3600), (99, 3600), (100, nil),
        ]),
      Row(
        throttle: try .exponential(factor: 5, cap: 40),
        locks: [(1, 5), (2, 10), (3, 20), (4, 40), (5, 40)]),
      Row(throttle: try .exponential(factor: 3, cap: 7), locks: [(1, 3), (2, 6), (3, 7), (4, 7)]),
      Row(throttle: try .exponential(factor: 9, cap: 2), locks: [(1, 2), (2, 2)]),
      // The doubled delay leaves the range of numbers: from then on it is the cap.
      Row(
        throttle: try .exponential(factor: 1, cap: .max - 2000),
        locks: [
          (61, 1 << 60), (62, 1 << 61), (63, 1 << 62), (64, .max - 2000), (65, .max - 2000),
          (66, .max - 2000), (99, .max - 2000), (100, nil),
        ]),
      Row(
        throttle: try .exponential(factor: 3, cap: .max - 2000),
        locks: [(61, 3 << 60), (62, 3 << 61), (63, .max - 2000), (64, .max - 2000)]),
      // So does the end of the lock: it is for good.
      Row(
        throttle: try .exponential(factor: .max, cap: .max), locks: [(1, nil), (2, nil), (3, nil)]),
      Row(throttle: try .lockout(after: 1, seconds: .max), locks: [(1, nil), (2, nil)]),
      Row(throttle: try .lockout(after: 1, seconds: .max - 999), locks: [(1, nil)]),
      Row(throttle: try .lockout(after: 1, seconds: .max - 1001), locks: [(1, .max - 1001)]),
    ]
  }

  @Test(arguments: try rows())
  func lockEnds(_ row: Row) {
    for (failure, seconds) in row.locks {
      let end: Int64 =
        switch seconds {
        case nil: .max
        case 0: 0
        case let seconds?: 1000 + seconds
        }
      let found = row.throttle.lockEnd(afterFailures: failure, at: UnixTime(seconds: 1000))
      #expect(found == end, "failure \(failure)")
    }
  }
}
