import COTPSQLite
import Foundation
import OTP
import OTPSQLite
import OTPTestSupport
import OTPVerification
import Testing

@Suite struct SQLiteLedgerTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/ledger" }

  private func match(_ id: CredentialID, _ step: UInt64) -> Settlement {
    Settlement(
      id: id, time: UnixTime(seconds: 1), claim: .match(step: step, drift: nil),
      throttle: .standard,
      retention: nil)
  }

  private func run(_ sql: String, on path: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
  }

  /// The first value that a query finds.
  private func value(of query: String, in path: String) throws -> String? {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK)
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  private func openingError(_ path: String) async -> OTPError? {
    do throws(OTPError) {
      _ = try await SQLiteLedger(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func stateOutlivesTheLedger() async throws {
    let id = try freshID()
    #expect(try await SQLiteLedger(path: path).settle([match(id, .max)]) == [.accepted])
    let ledger = try await SQLiteLedger(path: path)
    #expect(try await ledger.settle([match(id, .max)]) == [.replayed])
    #expect(try await ledger.states(of: [id])[0].lastStep == .max)
  }

  /// Many open a new file at the same time, as the processes of a server do when it starts.
  @Test func openedByManyAtOnce() async throws {
    for round in 0..<20 {
      let path = folder.path + "/new-\(round)"
      let id = try freshID()
      let accepted = try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { try await SQLiteLedger(path: path).settle([match(id, 1)]) == [.accepted] }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(accepted == 1)
    }
  }

  /// A path is a path: what looks like a URI is the name of a file.
  @Test func pathsAreNoURIs() async throws {
    let id = try freshID()
    let name = "file:ledger-\(UUID())?mode=memory"
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: name + end) }
    }
    #expect(try await SQLiteLedger(path: name).settle([match(id, 1)]) == [.accepted])
    #expect(try await SQLiteLedger(path: name).settle([match(id, 1)]) == [.replayed])
    #expect(FileManager.default.fileExists(atPath: name))
  }

  @Test func whatIsNoLedgerIsRefused() async throws {
    for path in ["", ":memory:", "a\0b"] {
      #expect(await openingError(path)?.code == .invalidArgument)
    }
    #expect(await openingError(folder.path)?.code == .ledgerUnavailable)
    #expect(await openingError(folder.path + "/none/ledger")?.code == .ledgerUnavailable)

    let text = folder.path + "/text"
    try Data(String(repeating: "no database ", count: 100).utf8).write(
      to: URL(fileURLWithPath: text))
    #expect(await openingError(text)?.code == .ledgerUnavailable)

    let foreign = folder.path + "/foreign"
    try run("CREATE TABLE other (x)", on: foreign)
    #expect(await openingError(foreign)?.code == .ledgerUnavailable)

    // Refused, and left as it was.
    let header = FileHandle(forReadingAtPath: foreign)?.readData(ofLength: 20)
    #expect(header?.suffix(2) == Data([1, 1]))
    let claimed = folder.path + "/claimed"
    try run("CREATE TABLE other (x); PRAGMA user_version = 1", on: claimed)
    #expect(await openingError(claimed)?.code == .ledgerUnavailable)

    _ = try await SQLiteLedger(path: path)
    try run("CREATE TRIGGER t AFTER INSERT ON otp_state BEGIN DELETE FROM otp_state; END", on: path)
    #expect(await openingError(path)?.code == .ledgerUnavailable)
    try run("DROP TRIGGER t; PRAGMA user_version = 2", on: path)
    let error = await openingError(path)
    #expect(error?.code == .ledgerUnavailable)
    #expect(error?.description.contains(folder.path) == false)
    #expect(
      await { () async -> OTPError.Code? in
        do throws(OTPError) {
          _ = try await SQLiteLedger(path: folder.path + "/other", busyTimeout: 0)
          return nil
        } catch {
          return error.code
        }
      }() == .invalidArgument)
  }

  /// Another process holds the file: an error within the timeout, nothing stored, and then it goes on.
  @Test func lockedByAnother() async throws {
    let id = try freshID()
    let ledger = try await SQLiteLedger(path: path, busyTimeout: 50)
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    try #require(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let error = await #expect(throws: OTPError.self) { try await ledger.settle([match(id, 1)]) }
    #expect(error?.code == .ledgerUnavailable)
    // Reading needs no lock.
    #expect(try await ledger.states(of: [id]) == [CredentialState()])
    try #require(sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    #expect(try await ledger.settle([match(id, 1)]) == [.accepted])
  }

  /// The settings that make an acceptance durable hold on the ledger's own connection.
  @Test func journal() async throws {
    let ledger = try await SQLiteLedger(path: path)
    #expect(try await ledger.settle([match(freshID(), 1)]) == [.accepted])
    #expect(try await ledger.setting("journal_mode") == "wal")
    // FULL: the log is written through to the disk at each commit.
    #expect(try await ledger.setting("synchronous") == "2")
    let header = try #require(FileHandle(forReadingAtPath: path)?.readData(ofLength: 20))
    // Bytes 18 and 19 of the file say that it is written through a log.
    #expect(Array(header.suffix(2)) == [2, 2])
  }

  /// Connections of their own settle the same credentials at once, as processes do: a transaction that reads
  /// first and wants to write later would fail, or write over what another one stored in between.
  @Test func manyConnections() async throws {
    let ids = try (0..<3).map { _ in try freshID() }
    let throttle = try Throttle.lockout(after: 100, seconds: 1)
    var ledgers: [SQLiteLedger] = []
    for _ in 0..<4 { ledgers.append(try await SQLiteLedger(path: path)) }
    let steps: UInt64 = 60
    let outcomes = try await withThrowingTaskGroup { tasks in
      for ledger in ledgers {
        tasks.addTask {
          var outcomes: [Outcome] = []
          for step in 0..<steps {
            outcomes += try await ledger.settle([match(ids[0], step), match(ids[1], step)])
            if step < 24 {
              outcomes += try await ledger.settle([.guess(ids[2], throttle: throttle)])
            }
          }
          return outcomes
        }
      }
      return try await tasks.reduce(into: []) { $0 += $1 }
    }
    let states = try await ledgers[0].states(of: ids)
    #expect(states.map(\.lastStep) == [steps - 1, steps - 1, nil])
    #expect(outcomes.filter { $0 == .accepted }.count <= 2 * Int(steps))
    #expect(outcomes.filter { $0 == .mismatch }.count == 96)
    #expect(states[2].failures == 96)
  }

  /// What lies in the file is read by other versions: steps in the order of signed numbers.
  @Test func storedSteps() async throws {
    let ledger = try await SQLiteLedger(path: path)
    for (step, stored) in [
      (0, "-9223372036854775808"), (1 << 63 - 1, "-1"), (1 << 63, "0"),
      (.max, "9223372036854775807"),
    ] as [(UInt64, String)] {
      let id = try freshID()
      #expect(try await ledger.settle([match(id, step)]) == [.accepted])
      let query = "SELECT last_step FROM otp_state WHERE id = x'\(hex(id))'"
      #expect(try value(of: query, in: path) == stored)
    }
  }

  /// The file is deleted, moved away or replaced under a ledger that has it open: others would not see what the ledger
  /// stores in it from then on.
  @Test(arguments: ["deleted", "moved", "replaced"])
  func fileThatIsGone(how: String) async throws {
    let (id, other) = (try freshID(), try freshID())
    let ledger = try await SQLiteLedger(path: path)
    #expect(try await ledger.settle([match(id, 1)]) == [.accepted])
    let moved = "\(path)-moved"
    for end in ["", "-wal", "-shm"] {
      if how == "deleted" {
        try FileManager.default.removeItem(atPath: path + end)
      } else {
        try FileManager.default.moveItem(atPath: path + end, toPath: moved + end)
      }
    }
    if how == "replaced" {
      #expect(try await SQLiteLedger(path: path).settle([match(other, 1)]) == [.accepted])
    }
    for step in [1, 2] as [UInt64] {
      let error = await #expect(throws: OTPError.self) {
        try await ledger.settle([match(other, step), match(id, 2)])
      }
      #expect(error?.code == .ledgerUnavailable)
    }
    await #expect(throws: OTPError.self) { try await ledger.reset(id, .everything) }
    let again = try await SQLiteLedger(path: path)
    #expect(
      try await again.settle([match(other, 1)]) == [how == "replaced" ? .replayed : .accepted])
    // Nothing was settled in the file that was the ledger's.
    if how != "deleted" {
      #expect(
        try await SQLiteLedger(path: moved).settle([match(id, 2), match(other, 1)])
          == [.accepted, .accepted])
    }
  }

  /// An error in the middle of a group undoes all of it.
  @Test func failedGroupLeavesNothing() async throws {
    let ids = try (0..<3).map { _ in try freshID() }
    let ledger = try await SQLiteLedger(path: path)
    try run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON otp_state WHEN new.id = x'\(hex(ids[2]))'
      BEGIN SELECT raise(ABORT, 'no'); END
      """, on: path)
    await #expect(throws: OTPError.self) { try await ledger.settle(ids.map { match($0, 1) }) }
    #expect(try await ledger.states(of: ids) == ids.map { _ in CredentialState() })
    #expect(try await ledger.settle([match(ids[0], 1)]) == [.accepted])
  }

  private func hex(_ id: CredentialID) -> String {
    id.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
