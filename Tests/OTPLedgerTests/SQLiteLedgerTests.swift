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

  /// The settings that make an acceptance durable hold on the connection in use.
  @Test func journal() async throws {
    _ = try await SQLiteLedger(path: path).settle([match(freshID(), 1)])
    let header = try #require(FileHandle(forReadingAtPath: path)?.readData(ofLength: 20))
    // Bytes 18 and 19 of the file say that it is written through a log.
    #expect(Array(header.suffix(2)) == [2, 2])
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
