import OTP
import OTPVerification
import Testing

/// Attempts on one TOTP credential, one after the other, and what must become of each.
struct SequenceCase: Sendable, CustomTestStringConvertible {
  let id: String
  let key: String
  var window = Window.one
  var throttle = Throttle.standard
  var lastStep: UInt64?
  let events: [Event]
  /// The last step afterwards, where only one is possible.
  var finalStep: UInt64?

  var testDescription: String { id }

  struct Event: Sendable {
    let time: Int64
    let code: String
    let expected: Expectation

    init(_ time: Int64, _ code: String, _ expected: Expectation) {
      self.time = time
      self.code = code
      self.expected = expected
    }
  }
}

/// What a verdict must be.
indirect enum Expectation: Sendable {
  case accepted(UInt64)
  case acceptedAnyOf([UInt64])
  case replayed, mismatch, malformed, throttled
  case throttledUntil(Int64)
  case anyOf([Expectation])

  func isMet(by verdict: Verdict) -> Bool {
    switch (self, verdict) {
    case (.accepted(let wanted), .accepted(let step, _)): step == wanted
    case (.acceptedAnyOf(let wanted), .accepted(let step, _)): wanted.contains(step)
    case (.replayed, .replayed), (.mismatch, .mismatch), (.malformed, .malformed): true
    case (.throttled, .throttled): true
    case (.throttledUntil(let wanted), .throttled(let retryAt)): retryAt.seconds == wanted
    case (.anyOf(let expectations), _): expectations.contains { $0.isMet(by: verdict) }
    default: false
    }
  }
}

func sequenceCases() throws -> [SequenceCase] {
  [
    SequenceCase(
      id: "replay-same-code", key: "H2VI67HGPFSWHKUV7GH27KST655FF6IK",
      events: [
        .init(1650000001, "811030", .accepted(55000000)),
        .init(1650000002, "811030", .replayed),
        .init(1650000031, "811030", .replayed),
        .init(1650000032, "176497", .accepted(55000001)),
      ], finalStep: 55000001),
    SequenceCase(
      id: "replay-older-after-newer", key: "H2VI67HGPFSWHKUV7GH27KST655FF6IK",
      events: [
        .init(1650000005, "811030", .accepted(55000000)),
        .init(1650000006, "837880", .replayed),
        .init(1650000040, "176497", .accepted(55000001)),
        .init(1650000041, "811030", .replayed),
        .init(1650001205, "326175", .mismatch),
      ], finalStep: 55000001),
    SequenceCase(
      id: "replay-collision-adjacent", key: "BIAATEEYRVBUPAQ2MBKXL7QTVH4KFDSB",
      events: [
        .init(1767594033, "373913", .acceptedAnyOf([58919801, 58919802])),
        .init(1767594034, "373913", .replayed),
        .init(1767594063, "373913", .replayed),
        .init(1767594093, "373913", .replayed),
      ]),
    SequenceCase(
      id: "replay-collision-back-only", key: "BIAATEEYRVBUPAQ2MBKXL7QTVH4KFDSB",
      window: try Window(back: 1, forward: 0),
      events: [
        .init(1767594033, "373913", .accepted(58919801)),
        .init(1767594034, "373913", .replayed),
        .init(1767594063, "373913", .anyOf([.replayed, .accepted(58919802)])),
      ]),
    SequenceCase(
      id: "replay-enrolment-code", key: "H2VI67HGPFSWHKUV7GH27KST655FF6IK", lastStep: 55000000,
      events: [
        .init(1650000020, "811030", .replayed),
        .init(1650000021, "837880", .replayed),
        .init(1650000022, "176497", .accepted(55000001)),
      ], finalStep: 55000001),
    SequenceCase(
      id: "throttle-lock-at-n", key: "XY7EHPRRTYF6U2OP6EKMTKWKB6YUD5QI",
      throttle: try .lockout(after: 3, seconds: 20),
      events: [
        .init(1700000011, "104729", .mismatch),
        .init(1700000012, "209458", .mismatch),
        .init(1700000013, "314187", .mismatch),
        .init(1700000014, "507896", .throttledUntil(1700000033)),
        .init(1700000032, "418916", .throttledUntil(1700000033)),
        .init(1700000033, "507896", .accepted(56666667)),
      ]),
    SequenceCase(
      id: "throttle-success-resets", key: "XY7EHPRRTYF6U2OP6EKMTKWKB6YUD5QI",
      throttle: try .lockout(after: 3, seconds: 20),
      events: [
        .init(1700000011, "104729", .mismatch),
        .init(1700000012, "209458", .mismatch),
        .init(1700000013, "507896", .accepted(56666667)),
        .init(1700000014, "314187", .mismatch),
        .init(1700000015, "418916", .mismatch),
        .init(1700000041, "423508", .accepted(56666668)),
      ]),
    SequenceCase(
      id: "throttle-exponential", key: "XY7EHPRRTYF6U2OP6EKMTKWKB6YUD5QI",
      throttle: try .exponential(factor: 1, cap: 3600),
      events: [
        .init(1700000011, "104729", .mismatch),
        .init(1700000011, "507896", .throttledUntil(1700000012)),
        .init(1700000012, "209458", .mismatch),
        .init(1700000013, "507896", .throttledUntil(1700000014)),
        .init(1700000013, "507896", .throttledUntil(1700000014)),
        .init(1700000014, "314187", .mismatch),
        .init(1700000017, "507896", .throttledUntil(1700000018)),
        .init(1700000018, "507896", .accepted(56666667)),
      ]),
    SequenceCase(
      id: "throttle-malformed-and-replay", key: "XY7EHPRRTYF6U2OP6EKMTKWKB6YUD5QI",
      throttle: try .lockout(after: 3, seconds: 20),
      events: [
        .init(1700000011, "507896", .accepted(56666667)),
        .init(1700000012, "507896", .replayed),
        .init(1700000013, "507896", .replayed),
        .init(1700000014, "507896", .replayed),
        .init(1700000042, "abc", .anyOf([.malformed, .throttled])),
        .init(1700000043, "", .anyOf([.malformed, .throttled])),
        .init(1700000044, "12345", .anyOf([.malformed, .throttled])),
        .init(1700000045, "423508", .anyOf([.accepted(56666668), .throttled])),
      ]),
  ]
}

/// An attempt on an HOTP credential from a fresh state, and the counter that it must match.
let counterCases: [(id: String, counter: UInt64, lookAhead: Int, code: String, matched: UInt64?)] =
  [
    ("hotp-no-look-back/0", 5, 3, "865991", nil),
    ("hotp-no-look-back/1", 5, 3, "487556", nil),
    ("hotp-no-look-back/2", 5, 3, "848874", nil),
    ("hotp-look-ahead-edge/0", 5, 0, "039870", 5),
    ("hotp-look-ahead-edge/1", 5, 0, "222735", nil),
    ("hotp-look-ahead-edge/2", 5, 3, "039870", 5),
    ("hotp-look-ahead-edge/3", 5, 3, "222735", 6),
    ("hotp-look-ahead-edge/4", 5, 3, "614138", 8),
    ("hotp-look-ahead-edge/5", 5, 3, "913680", nil),
  ]

/// Attempts on one HOTP credential with a look-ahead of 5, and the counter that each must match.
let counterSequence: [(code: String, matched: UInt64?)] = [
  ("865991", 0),
  ("865991", nil),
  ("487556", 3),
  ("239903", nil),
  ("487556", nil),
  ("848874", 4),
  ("000000", nil),
  ("708435", nil),
  ("603804", 10),
]

/// Consecutive codes from counter 10 with a look-ahead of 50, and the next counter afterwards.
let resynchronisationCases: [(codes: [String], nextCounter: UInt64?)] = [
  (["560608", "139296"], 42),
  (["127708", "707422"], 62),
  (["707422", "518628"], nil),
  (["560608", "913027"], nil),
  (["139296", "560608"], nil),
  (["560608", "560608"], nil),
  (["913680", "603804"], nil),
  (["603804", "708435"], 12),
  (["560608", "139296", "913027"], 43),
  (["560608", "139296", "956507"], nil),
]

/// The keys of the credentials in ``mixedBatch``; one cannot be decoded.
let mixedBatchKeys: [(id: String, key: String, lastStep: UInt64?)] = [
  ("u0", "4BZJVK6AIUDY3LJGIYARPNWBE27Q77LB", nil),
  ("u1", "TQXPAPZ3ZEPFTXSTOOWOSV42IILVYIGJ", nil),
  ("u2", "FENTSYRJX67XOCCLHSBUFHU2JWYXGC7W", nil),
  ("u3", "U6JAJBBNQMW7G4EO2LBJDNTUCX7AHGOE", nil),
  ("u4", "5PHGEJEYOM2WOFDV5XC625FL22GJUIZN", nil),
  ("broken", "JBSWY3D0", nil),
  ("used", "4BZJVK6AIUDY3LJGIYARPNWBE27Q77LB", 55000000),
]

/// A batch with everything in it; nil where the credential is unknown or broken.
let mixedBatch: [(id: String, time: Int64, code: String, expected: Expectation?)] = [
  ("u0", 1650000010, "534019", .accepted(55000000)),
  ("u0", 1650000010, "534019", .replayed),
  ("u1", 1650000010, "534019", .mismatch),
  ("u1", 1650000010, "052068", .accepted(55000001)),
  ("u1", 1650000010, "487217", .replayed),
  ("u2", 1650000010, "017145", .accepted(54999999)),
  ("u2", 1650000010, "141328", .accepted(55000000)),
  ("u3", 1650000010, "12 34", .malformed),
  ("u3", 1650000041, "782591", .accepted(55000000)),
  ("u4", 1650000071, "222383", .mismatch),
  ("broken", 1650000010, "123456", nil),
  ("nobody", 1650000010, "123456", nil),
  ("used", 1650000010, "534019", .replayed),
]

/// Wrong codes that are submitted at the same time.
let burst = [
  "104729", "209458", "314187", "418916", "523645", "628374", "733103", "837832",
  "942561", "047290", "152019", "256748", "361477", "466206", "570935", "675664",
  "780393", "885122", "989851", "094580",
]
