import OTP

/// Gathers attempts that arrive while the ledger is busy into one group, so that many concurrent
/// verifications cost few round trips. An attempt that comes alone is settled at once: there is no timer.
final class GroupCommit: Sendable {
  private let ledger: any Ledger
  private let queue = Locked(Queue())

  /// Attempts per call of the ledger, at most; a single request with more is not split.
  private static let groupLimit = 1024

  private struct Queue {
    var requests: [Request] = []
    var isSettling = false
  }

  private struct Request {
    let settlements: [Settlement]
    let handOver: @Sendable (Result<[Outcome], OTPError>) -> Void
  }

  init(ledger: any Ledger) {
    self.ledger = ledger
  }

  /// Settles these attempts, in order, together with whatever else is waiting.
  func settle(_ settlements: [Settlement]) async throws(OTPError) -> [Outcome] {
    if settlements.isEmpty { return [] }
    let result = await awaitResult {
      (handOver: @escaping @Sendable (Result<[Outcome], OTPError>) -> Void) in
      let startsSettling = queue.withLock { queue in
        queue.requests.append(Request(settlements: settlements, handOver: handOver))
        defer { queue.isSettling = true }
        return !queue.isSettling
      }
      // A task of its own: the caller's may be cancelled or of low priority, and others wait too. It comes before
      // attempts that are still to be computed, so that the ledger works while they are.
      if startsSettling { Task.detached(priority: .high) { await self.settleWaiting() } }
    }
    return try result.get()
  }

  private func settleWaiting() async {
    while let requests = nextGroup() {
      let result: Result<[Outcome], OTPError>
      do throws(OTPError) {
        let settlements = requests.flatMap(\.settlements)
        let outcomes = try await ledger.settle(settlements)
        guard outcomes.count == settlements.count else {
          throw OTPError(.ledgerUncertain, "the ledger's outcomes are not as many as the attempts")
        }
        result = .success(outcomes)
      } catch {
        result = .failure(error)
      }
      var start = 0
      for request in requests {
        let end = start + request.settlements.count
        request.handOver(result.map { Array($0[start..<end]) })
        start = end
      }
    }
  }

  private func nextGroup() -> [Request]? {
    queue.withLock { queue in
      if queue.requests.isEmpty {
        queue.isSettling = false
        return nil
      }
      var taken = 0
      var attempts = 0
      while taken < queue.requests.count {
        attempts += queue.requests[taken].settlements.count
        if taken > 0, attempts > Self.groupLimit { break }
        taken += 1
      }
      defer { queue.requests.removeFirst(taken) }
      return Array(queue.requests.prefix(taken))
    }
  }
}
