package import BenchmarkRegistry
package import Foundation
import OTPPostgreSQL
import OTPRedis
import OTPSQLite
import OTPVerification

/// All benchmarks of ledgers that can run here. A ledger is made, and filled with its credentials, when the first of
/// its benchmarks is prepared.
package final class LedgerSuite {
  package private(set) var benchmarks: [Benchmark] = []
  package private(set) var comparisons: [Comparison] = []

  /// What to know of the figures, a line each.
  package private(set) var notes: [String] = []

  private let credentialCount: Int

  /// The folder with all files, which are there for this run alone.
  package let files: URL

  /// That folder, made when it is needed.
  private let folder: Shared<URL>

  /// - Parameters:
  ///   - folder: where a folder for the SQLite file is made.
  ///   - environment: has the servers, see ``redisVariable`` and ``postgreSQLVariable``.
  package init(folder: String, credentialCount: Int, environment: [String: String]) {
    self.credentialCount = credentialCount
    let files = URL(fileURLWithPath: folder).appendingPathComponent("otp-bench-\(UUID())")
    self.files = files
    self.folder = Shared {
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
      return files
    }
    notes.append("Each ledger holds \(credentialCount) credentials.")
    addMemory()
    addSQLite(FileSystem(of: URL(fileURLWithPath: folder).path))
    if let url = Self.value(of: Self.redisVariable, in: environment) {
      addRedis(url)
    } else {
      notes.append("Redis: not measured, since \(Self.redisVariable) names no server.")
    }
    if let connection = Self.value(of: Self.postgreSQLVariable, in: environment) {
      addPostgreSQL(connection)
    } else {
      notes.append("PostgreSQL: not measured, since \(Self.postgreSQLVariable) names no server.")
    }
  }

  /// Removes the files.
  deinit {
    try? FileManager.default.removeItem(at: files)
  }

  package static let redisVariable = "OTP_BENCH_REDIS"
  package static let postgreSQLVariable = "OTP_BENCH_POSTGRESQL"

  private static func value(of variable: String, in environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A ledger that has its credentials, and the attempts for them.
  private struct Filled {
    let ledger: any Ledger
    let settle: SettleBenchmarks
    let workload: SettleWorkload
  }

  private func filled(
    _ name: String, _ make: @escaping () throws -> any Ledger
  ) -> Shared<Filled> {
    Shared { [credentialCount] in
      let ledger = try make()
      let workload = try SettleWorkload(credentialCount: credentialCount)
      let settle = SettleBenchmarks(name, ledger)
      try settle.fill(workload)
      return Filled(ledger: ledger, settle: settle, workload: workload)
    }
  }

  private func addMemory() {
    let memory = filled("memory") { MemoryLedger() }
    add("settle/memory/one") {
      let memory = try memory.get()
      return memory.settle.one(memory.workload, items: 4096)
    }
    addGroup("settle/memory/group1024", memory)
    addConcurrent("settle/memory/verify256", memory)
  }

  private func addSQLite(_ system: FileSystem?) {
    if let system {
      let warning =
        system.isMemory ? ", where syncing costs nothing and the factors mean nothing" : ""
      notes.append("SQLite: a file on \(system.type) (\(system.device))\(warning).")
    } else {
      notes.append("SQLite: a file on a file system of unknown type.")
    }
    let sqlite = filled("sqlite") { [folder] in
      let path = try folder.get().appendingPathComponent("ledger").path
      return try waiting { try await SQLiteLedger(path: path) }
    }
    let one = "settle/sqlite/one"
    let disk = one + "/reference"
    benchmarks.append(
      Benchmark(disk) { [folder] in
        try DiskReference(path: folder.get().appendingPathComponent("pages").path)
          .benchmark(items: 16)
      })
    add(one, reference: disk) {
      let sqlite = try sqlite.get()
      return sqlite.settle.one(sqlite.workload, items: 16)
    }
    let group = "settle/sqlite/group1024"
    addGroup(group, sqlite, reference: one, target: 80)
    let loop = group + "/reference"
    benchmarks.append(
      Benchmark(loop) { [folder] in
        try SQLiteReference(
          path: folder.get().appendingPathComponent("loop").path, sqlite.get().workload
        ).benchmark()
      })
    comparisons.append(Comparison(name: group, reference: loop, target: nil))
    addConcurrent("settle/sqlite/verify256", sqlite, reference: one, target: 20)
  }

  private func addRedis(_ url: String) {
    // Keys of an earlier run, with later steps, would be replays: each run has keys of its own.
    let prefix = "otp-bench-\(UInt32.random(in: .min ... .max)):"
    let redis = filled("redis") {
      try RedisLedger(url: url + (url.contains("?") ? "&" : "?") + "prefix=\(prefix)")
    }
    add("settle/redis/one") {
      let redis = try redis.get()
      return redis.settle.one(redis.workload, items: 256)
    }
    addConcurrent("settle/redis/verify256", redis)
    let name = "settle/redis/p1024"
    let reference = name + "/reference"
    benchmarks.append(
      Benchmark(reference) {
        let redis = try redis.get()
        return try RedisReference(url: url, ledger: redis.ledger, redis.workload).benchmark()
      })
    addGroup(name, redis, reference: reference, target: 1)
  }

  private func addPostgreSQL(_ connection: String) {
    let schema = "otp_bench"
    let postgreSQL = filled("postgresql") {
      try PostgreSQLReference.drop(schema: schema, connection: connection)
      let ledger = try PostgreSQLLedger(connection: connection, schema: schema)
      try waiting { try await ledger.migrate() }
      return ledger
    }
    let inside = Shared {
      try PostgreSQLReference(
        connection: connection, schema: schema, try postgreSQL.get().workload)
    }
    add("settle/postgresql/one") {
      let postgreSQL = try postgreSQL.get()
      return postgreSQL.settle.one(postgreSQL.workload, items: 64)
    }
    addConcurrent("settle/postgresql/verify256", postgreSQL)
    let acceptances = "settle/postgresql/group1024"
    benchmarks.append(
      Benchmark(acceptances + "/reference") { try inside.get().acceptances() })
    addGroup(acceptances, postgreSQL, reference: acceptances + "/reference", target: 0.7)
    let replays = acceptances + "/replays"
    benchmarks.append(Benchmark(replays + "/reference") { try inside.get().replays() })
    add(replays, reference: replays + "/reference", target: 0.7) {
      let postgreSQL = try postgreSQL.get()
      return postgreSQL.settle.groups(expecting: .replayed) {
        postgreSQL.workload.replays()
      }
    }
  }

  private func addGroup(
    _ name: String, _ filled: Shared<Filled>, reference: String? = nil, target: Double? = nil
  ) {
    add(name, reference: reference, target: target) {
      let filled = try filled.get()
      return filled.settle.groups { filled.workload.acceptances() }
    }
  }

  private func addConcurrent(
    _ name: String, _ filled: Shared<Filled>, reference: String? = nil, target: Double? = nil
  ) {
    add(name, reference: reference, target: target) {
      let filled = try filled.get()
      return try filled.settle.concurrent(filled.workload, items: 256)
    }
  }

  private func add(
    _ name: String, reference: String? = nil, target: Double? = nil,
    _ prepare: @escaping () throws -> PreparedBenchmark
  ) {
    benchmarks.append(Benchmark(name, prepare: prepare))
    comparisons.append(Comparison(name: name, reference: reference, target: target))
  }
}
