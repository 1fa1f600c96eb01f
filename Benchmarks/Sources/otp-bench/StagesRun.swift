import BackendBenchmarks
import BenchmarkRegistry
import Foundation
import Instructions

/// One run of `instructions stages`.
struct StagesRun {
  private static let work = BulkVerification.warm

  /// What runs under callgrind.
  static func benchmark(credentials: Int) throws -> Benchmark {
    let backends = try Backends()
    return work.with { $0.credentials = credentials }.readingBenchmark(
      backends.multiBuffer, backends, VerificationWorkloads(leastAttempts: work.batch))
  }

  /// - Parameter credentials: in the table, of each run.
  /// - Returns: a table: instructions per verification by stages, a column for each run.
  static func table(credentials: [Int]) throws -> String {
    let folder = try TemporaryFolder()
    var callgrind = try Callgrind.ofThisProgram(folder)
    // Ten million credentials take minutes to prepare.
    callgrind.secondsPerBenchmark = 3600
    var columns: [[String]] = []
    for count in credentials {
      let (items, profile) = try callgrind.profile(
        ["instructions", "count-stages", "\(count)"], environment: [("OTP_KERNEL", kernel)])
      let costs = try StageCosts(profile).instructions
      if columns.isEmpty { columns.append([""] + costs.map(\.stage)) }
      columns.append(["n\(count)"] + costs.map { decimal(Double($0.count) / Double(items)) })
    }
    let rows = columns[0].indices.map { row in columns.map { $0[row] } }
    return """
      Instructions per verification: \(work.algorithm.name), window of one step back and one forward, batches of
      \(work.batch), keys in a table, kernel \(kernel), ledger in memory.

      \(aligned(rows, textColumns: [0]))
      """
  }

  private static let kernel = ProcessInfo.processInfo.environment["OTP_KERNEL"] ?? "avx2"
}
