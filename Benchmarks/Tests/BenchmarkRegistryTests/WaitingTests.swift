import BenchmarkRegistry
import BenchmarkTestSupport
import Testing

@Suite struct WaitingTests {
  private final class Witness: Sendable {}

  /// What the work holds is gone when its result is there: nobody finds it in the heap's size later.
  @Test func theWorkIsReleased() async throws {
    try await onOwnThread {
      for _ in 0..<10_000 {
        weak var witness: Witness?
        try inScope {
          let strong = Witness()
          witness = strong
          try waiting { _ = strong }
        }
        try #require(witness == nil)
      }
    }
  }

  /// What the work hands out is gone when the caller lets go of it.
  @Test func theResultIsTheCallersAlone() async throws {
    try await onOwnThread {
      for _ in 0..<10_000 {
        weak var witness: Witness?
        try inScope { witness = try waiting { Witness() } }
        try #require(witness == nil)
      }
    }
  }

  /// A scope of its own, at whose end nothing is held.
  @inline(never)
  private func inScope(_ body: () throws -> Void) rethrows { try body() }
}
