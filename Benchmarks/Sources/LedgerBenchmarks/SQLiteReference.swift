import BenchmarkRegistry
import CPeers
import OTP
import OTPSQLite
import OTPVerification

/// The ledger's statements in a plain C loop, on a file of the same contents: what SQLite and the disk leave to
/// a ledger.
final class SQLiteReference {
  private let loop: OpaquePointer
  private let workload: SettleWorkload

  init(path: String, _ workload: SettleWorkload) throws {
    // The ledger makes the file, and closes it.
    try SettleBenchmarks("sqlite/loop", waiting { try await SQLiteLedger(path: path) }).fill(
      workload)
    guard let loop = cpeers_sqlite_loop_open(path) else {
      throw BenchmarkFault("SQLite does not open the reference's file")
    }
    self.loop = loop
    self.workload = workload
  }

  deinit {
    cpeers_sqlite_loop_close(loop)
  }

  func benchmark() -> PreparedBenchmark {
    PreparedBenchmark(
      items: SettleBenchmarks.groupCount * SettleWorkload.groupSize,
      .timed { [self] in
        let groups = (0..<SettleBenchmarks.groupCount).map { _ in
          (step: workload.advance(), ids: workload.draw(SettleWorkload.groupSize).flatMap(\.bytes))
        }
        let start = ContinuousClock.now
        for group in groups { try settle(group.ids, step: group.step) }
        return start.duration(to: .now).seconds
      })
  }

  /// - Parameter ids: one behind the other, all of the same length.
  private func settle(_ ids: [UInt8], step: UInt64) throws {
    let isSettled = ids.withUnsafeBytes { bytes in
      // The file's integers have a sign, so the ledger flips the top bit of a step.
      cpeers_sqlite_loop_settle(
        loop, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        bytes.count / SettleWorkload.groupSize, SettleWorkload.groupSize,
        Int64(bitPattern: step ^ 1 << 63))
    }
    guard isSettled else { throw BenchmarkFault("SQLite failed in the reference of groups") }
  }
}
