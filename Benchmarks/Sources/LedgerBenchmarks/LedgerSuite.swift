import Foundation
import OTPPostgreSQL
import OTPRedis
import OTPSQLite
import OTPVerification

/// All benchmarks of ledgers that can run here, on ledgers that hold their credentials.
package final class LedgerSuite {
  package private(set) var benchmarks: [LedgerBenchmark] = []
  package private(set) var comparisons: [Comparison] = []

  /// What to know of the figures, a line each.
  package private(set) var notes: [String] = []

  private let credentialCount: Int
  private let folder: URL

  /// - Parameters:
  ///   - folder: where a folder for the SQLite file is made.
  ///   - environment: has the servers, see ``redisVariable`` and ``postgreSQLVariable``.
  package init(folder: String, credentialCount: Int, environment: [String: String]) throws {
    self.credentialCount = credentialCount
    self.folder = URL(fileURLWithPath: folder).appendingPathComponent("otp-bench-\(UUID())")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
    notes.append("Each ledger holds \(credentialCount) credentials.")
    try addMemory()
    try addSQLite()
    if let url = Self.value(of: Self.redisVariable, in: environment) {
      try addRedis(url)
    } else {
      notes.append("Redis: not measured, since \(Self.redisVariable) names no server.")
    }
    if let connection = Self.value(of: Self.postgreSQLVariable, in: environment) {
      try addPostgreSQL(connection)
    } else {
      notes.append("PostgreSQL: not measured, since \(Self.postgreSQLVariable) names no server.")
    }
  }

  /// Removes the file.
  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  package static let redisVariable = "OTP_BENCH_REDIS"
  package static let postgreSQLVariable = "OTP_BENCH_POSTGRESQL"

  private static func value(of variable: String, in environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func addMemory() throws {
    let workload = try SettleWorkload(credentialCount: credentialCount)
    let memory = SettleBenchmarks("memory", MemoryLedger())
    try memory.fill(workload)
    add(memory.one(workload, items: 4096))
    add(memory.groups("group1024") { workload.acceptances() })
    try add(memory.concurrent(workload))
  }

  private func addSQLite() throws {
    let path = folder.appendingPathComponent("ledger").path
    if let system = FileSystem(of: folder.path) {
      let warning =
        system.isMemory ? ", where syncing costs nothing and the factors mean nothing" : ""
      notes.append("SQLite: a file on \(system.type) (\(system.device))\(warning).")
    } else {
      notes.append("SQLite: a file on a file system of unknown type.")
    }
    let workload = try SettleWorkload(credentialCount: credentialCount)
    let sqlite = SettleBenchmarks("sqlite", try waiting { try await SQLiteLedger(path: path) })
    try sqlite.fill(workload)
    let one = sqlite.path("one")
    let disk = try DiskReference(path: folder.appendingPathComponent("pages").path)
    benchmarks.append(disk.benchmark(one + "/reference", items: 16))
    add(sqlite.one(workload, items: 16), reference: one + "/reference")
    add(
      sqlite.groups("group1024") { workload.acceptances() }, reference: one, target: 80)
    let loop = try SQLiteReference(path: folder.appendingPathComponent("loop").path, workload)
    let group = sqlite.path("group1024")
    benchmarks.append(loop.benchmark(group + "/reference"))
    comparisons.append(Comparison(name: group, reference: group + "/reference", target: nil))
    try add(sqlite.concurrent(workload), reference: one, target: 20)
  }

  private func addRedis(_ url: String) throws {
    let workload = try SettleWorkload(credentialCount: credentialCount)
    // Keys of an earlier run, with later steps, would be replays: each run has keys of its own.
    let prefix = "otp-bench-\(UInt32.random(in: .min ... .max)):"
    let ledger = try RedisLedger(
      url: url + (url.contains("?") ? "&" : "?") + "prefix=\(prefix)")
    let redis = SettleBenchmarks("redis", ledger)
    try redis.fill(workload)
    add(redis.one(workload, items: 256))
    try add(redis.concurrent(workload))
    let name = redis.path("p1024/reference")
    let reference = try RedisReference(url: url, ledger: ledger, workload)
    benchmarks.append(reference.benchmark(name))
    add(redis.groups("p1024") { workload.acceptances() }, reference: name, target: 1)
  }

  private func addPostgreSQL(_ connection: String) throws {
    let workload = try SettleWorkload(credentialCount: credentialCount)
    let schema = "otp_bench"
    try PostgreSQLReference.drop(schema: schema, connection: connection)
    let ledger = try PostgreSQLLedger(connection: connection, schema: schema)
    try waiting { try await ledger.migrate() }
    let postgreSQL = SettleBenchmarks("postgresql", ledger)
    try postgreSQL.fill(workload)
    add(postgreSQL.one(workload, items: 64))
    try add(postgreSQL.concurrent(workload))
    let reference = try PostgreSQLReference(connection: connection, schema: schema, workload)
    let (acceptances, replays) = ("group1024", "group1024/replays")
    benchmarks.append(reference.acceptances(postgreSQL.path(acceptances + "/reference")))
    benchmarks.append(reference.replays(postgreSQL.path(replays + "/reference")))
    add(
      postgreSQL.groups(acceptances) { workload.acceptances() },
      reference: postgreSQL.path(acceptances + "/reference"), target: 0.7)
    add(
      postgreSQL.groups(replays, expecting: .replayed) { workload.replays() },
      reference: postgreSQL.path(replays + "/reference"), target: 0.7)
  }

  private func add(
    _ benchmark: LedgerBenchmark, reference: String? = nil, target: Double? = nil
  ) {
    benchmarks.append(benchmark)
    comparisons.append(Comparison(name: benchmark.name, reference: reference, target: target))
  }
}

/// A row of the table: a benchmark, what its rate is measured against, and the ratio that it should have.
package struct Comparison {
  package let name: String
  package let reference: String?
  package let target: Double?

  package init(name: String, reference: String?, target: Double?) {
    self.name = name
    self.reference = reference
    self.target = target
  }
}
