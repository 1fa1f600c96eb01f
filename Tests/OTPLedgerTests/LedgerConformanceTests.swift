import OTP
import OTPTestSupport
import OTPVerification
import Testing

/// What every ledger must do, whatever it stores in.
@Suite struct LedgerConformanceTests {
  /// Random groups of random attempts: each ledger decides what the rule in Swift decides.
  @Test(arguments: allLedgers)
  func followsTheRule(_ tested: TestedLedger) async throws {
    var generator = SeededGenerator(for: "ledger \(tested.testDescription)")
    let ledger = try await tested.ledger
    let ids = try (0..<8).map { _ in try freshID() }
    var model: [CredentialID: CredentialState] = [:]
    let throttles = try [
      Throttle.standard, .lockout(after: 2, seconds: 3), .lockout(after: 1, seconds: .max),
      .exponential(factor: 1, cap: 8), .exponential(factor: .max, cap: .max),
      Throttle(.exponential(factor: 1, cap: 2), maximumFailures: 6),
    ]
    let steps: [UInt64] = [
      0, 1, 2, 255, 256, 1 << 31, 1 << 32, 1 << 53, 1 << 53 + 1, 1 << 63 - 1, 1 << 63, 1 << 63 + 1,
      .max - 1, .max,
    ]
    var now: Int64 = 0
    for round in 0..<150 {
      let group = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        // Mostly forward, sometimes back: clocks of several machines.
        now = max(0, now + Int64.random(in: -2...4, using: &generator))
        let id = ids.randomElement(using: &generator) ?? ids[0]
        let claim: Settlement.Claim =
          switch Int.random(in: 0..<6, using: &generator) {
          case 0:
            .match(
              step: steps.randomElement(using: &generator) ?? 0,
              drift: .random(in: -100...100, using: &generator))
          case 1: .match(step: .random(in: 0...300, using: &generator), drift: nil)
          case 2: .noMatchAfter(lastStep: model[id]?.lastStep)
          case 3: .noMatchAfter(lastStep: Bool.random(using: &generator) ? nil : 7)
          default: .noMatch
          }
        return Settlement(
          id: id, time: UnixTime(seconds: now), claim: claim,
          consumes: Int.random(in: 0..<4, using: &generator) > 0,
          throttle: throttles.randomElement(using: &generator) ?? .standard,
          retention: Bool.random(using: &generator) ? nil : 1_000_000)
      }
      let expected = group.map { model[$0.id, default: CredentialState()].settle($0) }
      #expect(try await ledger.settle(group) == expected, "round \(round)")
      if round % 10 == 9 {
        let id = ids[round / 10 % ids.count]
        let part: ResetPart = Bool.random(using: &generator) ? .throttle : .everything
        model[id, default: CredentialState()].reset(part)
        try await ledger.reset(id, part)
      }
      let states = try await ledger.states(of: ids)
      #expect(states == ids.map { model[$0] ?? CredentialState() }, "round \(round)")
      if round % 25 == 24 { now += 1_000_000 }
    }
  }

  @Test(arguments: allLedgers)
  func idsOfAnyBytes(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let salt = Array(try freshID().bytes)
    var ids = [
      Array(repeating: 0xFF, count: 255), salt + [0], salt, salt + [0, 0], [0] + salt,
      salt + Array("'; DROP TABLE x; --\r\n\"\\{}%".utf8), salt + [0xC3, 0x28],
      Array((salt + Array(repeating: 0, count: 255)).prefix(255)),
    ].map { $0 as [UInt8] }
    ids[0].replaceSubrange(0..<16, with: salt)
    let parsed = try ids.map { try CredentialID(bytes: $0) }
    for (index, id) in parsed.enumerated() {
      try await seed(ledger, id, lastStep: UInt64(index))
    }
    #expect(
      try await ledger.states(of: parsed).map(\.lastStep) == parsed.indices.map { UInt64($0) })
    // A single byte is the shortest id; others may use it too, so only that it works is checked.
    _ = try await ledger.states(of: [CredentialID(bytes: [7])])
    #expect(errorCode { try CredentialID(bytes: []) } == .invalidArgument)
    #expect(
      errorCode { try CredentialID(bytes: Array(repeating: 1, count: 256)) } == .invalidArgument)
  }

  @Test(arguments: allLedgers)
  func bigGroup(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let ids = try (0..<3000).map { _ in try freshID() }
    func group(_ step: UInt64) -> [Settlement] {
      ids.map {
        Settlement(
          id: $0, time: UnixTime(seconds: 1), claim: .match(step: step, drift: nil),
          throttle: .standard, retention: 1_000_000)
      }
    }
    #expect(try await ledger.settle(group(5)).allSatisfy { $0 == .accepted })
    #expect(try await ledger.settle(group(5)).allSatisfy { $0 == .replayed })
    #expect(try await ledger.settle(group(6)).allSatisfy { $0 == .accepted })
  }

  /// Two groups with the same credentials in opposite orders, many times at once: no deadlock, and each step
  /// is accepted once.
  @Test(arguments: allLedgers)
  func groupsInOppositeOrders(_ tested: TestedLedger) async throws {
    let ledger = try await tested.ledger
    let ids = try (0..<50).map { _ in try freshID() }
    let accepted = try await withThrowingTaskGroup { tasks in
      for round in 0..<40 {
        let order = round.isMultiple(of: 2) ? ids : ids.reversed()
        tasks.addTask {
          try await ledger.settle(
            order.map {
              Settlement(
                id: $0, time: UnixTime(seconds: 1),
                claim: .match(step: UInt64(round / 2), drift: nil), throttle: .standard,
                retention: 1_000_000)
            }
          ).filter { $0 == .accepted }.count
        }
      }
      return try await tasks.reduce(0, +)
    }
    #expect(accepted >= ids.count)
    #expect(accepted <= ids.count * 20)
    #expect(try await ledger.states(of: ids).allSatisfy { $0.lastStep == 19 })
  }
}
