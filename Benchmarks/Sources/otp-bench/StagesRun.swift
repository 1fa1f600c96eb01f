import BackendBenchmarks
import Foundation
import Instructions

/// One run of `instructions stages`.
struct StagesRun {
  private static let work = BulkVerification.warm

  /// Ten million credentials take minutes to prepare.
  private static let secondsEach = 3600

  /// - Parameter credentials: in the table, of each run.
  /// - Returns: a table: instructions per verification by stages, a column for each run.
  static func table(credentials: [Int]) throws -> String {
    let folder = try TemporaryFolder()
    let callgrind = try Callgrind.ofBenchmarks(folder)
    var columns: [[String]] = []
    let request = Callgrind.Request(
      credentials.map(String.init), arguments: ["stages"],
      environment: [("OTP_KERNEL", kernel)], secondsEach: secondsEach)
    try callgrind.run(request) { counted in
      let costs = try StageCosts(counted.profile).instructions
      if columns.isEmpty { columns.append([""] + costs.map(\.stage)) }
      columns.append(
        ["n\(counted.name)"] + costs.map { decimal(Double($0.count) / Double(counted.items)) })
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
