import COTPSQLite
import OTP
import OTPVerification

/// A connection with the statements that the ledger runs. It is used by one thread at a time.
struct SQLiteDatabase: ~Copyable {
  private var connection: OpaquePointer?
  private var begin: OpaquePointer?
  private var commit: OpaquePointer?
  private var rollback: OpaquePointer?
  private var select: OpaquePointer?
  private var upsert: OpaquePointer?

  deinit {
    for statement in [begin, commit, rollback, select, upsert] { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  mutating func open(_ path: String, busyTimeout: Int32) throws(OTPError) {
    // One thread at a time uses the connection, so SQLite needs no lock of its own.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2(path, &connection, flags, nil)
    guard status == SQLITE_OK else { throw .sqlite("opening the file", status) }
    sqlite3_extended_result_codes(connection, 1)
    sqlite3_busy_timeout(connection, busyTimeout)
  }

  /// What the file's `application_id` says of a ledger: "OTPl" in ASCII.
  private static let applicationID: Int64 = 0x4F54_506C

  /// The layout that this version reads and writes, in the file's `user_version`.
  private static let schemaVersion: Int64 = 1

  private static let table = """
    CREATE TABLE otp_state (
      id BLOB PRIMARY KEY NOT NULL,
      last_step INTEGER,
      failures INTEGER NOT NULL,
      locked_until INTEGER NOT NULL,
      drift INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """

  mutating func prepareSchema(busyTimeout: Int32) throws(OTPError) {
    try execute("PRAGMA synchronous = FULL")
    // Ids come in no order, so that a group touches pages all over the file. SQLite's own two megabytes of cache
    // are too few for that: up to 64 MiB are taken when the file is so large.
    try execute("PRAGMA cache_size = -65536")
    // Each row of a group is in another page, and the whole page goes into the log: small ones, in a new file.
    try execute("PRAGMA page_size = 1024")
    // A page that many groups change is copied from the log to the file once for all of them: every 16 MiB, not
    // every 4.
    try execute("PRAGMA wal_autocheckpoint = 16384")
    begin = try prepare("BEGIN IMMEDIATE")
    commit = try prepare("COMMIT")
    rollback = try prepare("ROLLBACK")
    // Whose file it is comes before anything is written to it.
    try transaction { (database) throws(OTPError) in
      let id = try database.integer("PRAGMA application_id")
      let version = try database.integer("PRAGMA user_version")
      let objects = try database.integer("SELECT count(*) FROM sqlite_schema")
      if id == 0, version == 0, objects == 0 {
        try database.execute(Self.table)
        try database.execute("PRAGMA application_id = \(Self.applicationID)")
        try database.execute("PRAGMA user_version = \(Self.schemaVersion)")
        return
      }
      guard id == Self.applicationID else {
        throw OTPError(.ledgerUnavailable, "the SQLite file is another program's")
      }
      guard version == Self.schemaVersion else {
        throw OTPError(.ledgerUnavailable, "the SQLite file is a ledger of another version")
      }
      // A trigger or a table of somebody else's could change what is stored.
      guard objects == 1 else {
        throw OTPError(.ledgerUnavailable, "the SQLite file has more in it than a ledger")
      }
    }
    try enterWriteAheadLog(busyTimeout: busyTimeout)
    select = try prepare(
      "SELECT last_step, failures, locked_until, drift FROM otp_state WHERE id = ?1")
    upsert = try prepare(
      """
      INSERT INTO otp_state (id, last_step, failures, locked_until, drift)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (id) DO UPDATE SET last_step = excluded.last_step,
        failures = excluded.failures, locked_until = excluded.locked_until, drift = excluded.drift
      """)
  }

  /// Switches the file to its write-ahead log, where it is not yet. SQLite does not wait for other processes
  /// that do so at the same time, so it is asked again until the timeout.
  private func enterWriteAheadLog(busyTimeout: Int32) throws(OTPError) {
    let deadline = ContinuousClock.now + .milliseconds(Int64(busyTimeout))
    while true {
      let status = sqlite3_exec(connection, "PRAGMA journal_mode = WAL", nil, nil, nil)
      // Where there is no shared memory, SQLite keeps its old journal, which is as durable.
      if status == SQLITE_OK { return }
      guard status & 0xFF == SQLITE_BUSY, ContinuousClock.now < deadline else {
        throw .sqlite("entering the write-ahead log", status)
      }
      sqlite3_sleep(5)
    }
  }

  /// Runs `body` in a transaction that excludes all other writers from its start.
  mutating func transaction<R>(
    _ body: (inout SQLiteDatabase) throws(OTPError) -> R
  ) throws(OTPError) -> R {
    try run(begin, "beginning a transaction")
    do throws(OTPError) {
      let result = try body(&self)
      try checkFile()
      try endTransaction()
      return result
    } catch {
      if sqlite3_get_autocommit(connection) == 0 { try? run(rollback, "rolling back") }
      throw error
    }
  }

  /// SQLite goes on in a file that was deleted or moved away, where nobody else looks: a code would be accepted there
  /// and, in the file that took its place, once more. (It asks the system for what lies at the path.)
  private func checkFile() throws(OTPError) {
    var hasMoved: Int32 = 0
    let status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard status == SQLITE_OK else { throw .sqlite("looking for the file", status) }
    guard hasMoved == 0 else {
      throw OTPError(
        .ledgerUnavailable, "the SQLite file was deleted, moved or replaced since it was opened")
    }
  }

  private mutating func endTransaction() throws(OTPError) {
    let status = sqlite3_step(commit)
    sqlite3_reset(commit)
    if status == SQLITE_DONE { return }
    let error = OTPError.sqlite("committing", status)
    // While the transaction is still open, nothing was stored, and on a full disk SQLite has undone it; else
    // the disk failed in the middle of it.
    if sqlite3_get_autocommit(connection) == 0 || status & 0xFF == SQLITE_FULL { throw error }
    throw OTPError(.ledgerUncertain, error.message)
  }

  // MARK: States

  mutating func state(of id: CredentialID) throws(OTPError) -> CredentialState {
    defer { sqlite3_reset(select) }
    var state = CredentialState()
    // The bytes are read before the statement is reset, so that SQLite needs no copy of them.
    let status = id.bytes.withUnsafeBytes { bytes in
      sqlite3_bind_blob(select, 1, bytes.baseAddress, Int32(bytes.count), nil)
      return sqlite3_step(select)
    }
    if status == SQLITE_DONE { return state }
    guard status == SQLITE_ROW else { throw .sqlite("reading a state", status) }
    if sqlite3_column_type(select, 0) != SQLITE_NULL {
      state.lastStep = UInt64(signedOrder: sqlite3_column_int64(select, 0))
    }
    state.failures = UInt32(truncatingIfNeeded: sqlite3_column_int64(select, 1))
    state.lockedUntil = sqlite3_column_int64(select, 2)
    state.drift = Int32(truncatingIfNeeded: sqlite3_column_int64(select, 3))
    return state
  }

  mutating func store(_ state: CredentialState, of id: CredentialID) throws(OTPError) {
    defer { sqlite3_reset(upsert) }
    if let lastStep = state.lastStep {
      sqlite3_bind_int64(upsert, 2, lastStep.signedOrder)
    } else {
      sqlite3_bind_null(upsert, 2)
    }
    sqlite3_bind_int64(upsert, 3, Int64(state.failures))
    sqlite3_bind_int64(upsert, 4, state.lockedUntil)
    sqlite3_bind_int64(upsert, 5, Int64(state.drift))
    let status = id.bytes.withUnsafeBytes { bytes in
      sqlite3_bind_blob(upsert, 1, bytes.baseAddress, Int32(bytes.count), nil)
      return sqlite3_step(upsert)
    }
    guard status == SQLITE_DONE else { throw .sqlite("writing a state", status) }
  }

  // MARK: Statements

  private func prepare(_ sql: String) throws(OTPError) -> OpaquePointer? {
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let status = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
    guard status == SQLITE_OK else { throw .sqlite("preparing a statement", status) }
    return statement
  }

  private func run(_ statement: OpaquePointer?, _ action: StaticString) throws(OTPError) {
    let status = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard status == SQLITE_DONE else { throw .sqlite(action, status) }
  }

  private func execute(_ sql: String) throws(OTPError) {
    let status = sqlite3_exec(connection, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw .sqlite("preparing the file", status) }
  }

  /// A setting of the connection, as SQLite spells it.
  func setting(_ name: String) throws(OTPError) -> String? {
    let statement = try prepare("PRAGMA \(name)")
    defer { sqlite3_finalize(statement) }
    let status = sqlite3_step(statement)
    guard status == SQLITE_ROW else { throw .sqlite("reading a setting", status) }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  private func integer(_ sql: String) throws(OTPError) -> Int64 {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    let status = sqlite3_step(statement)
    guard status == SQLITE_ROW else { throw .sqlite("reading the file's layout", status) }
    return sqlite3_column_int64(statement, 0)
  }
}

extension OTPError {
  /// The failure of a call, with SQLite's words for its status. The statement and its values, and the
  /// path, are left out.
  fileprivate static func sqlite(_ action: StaticString, _ status: Int32) -> OTPError {
    let reason = sqlite3_errstr(status).map { String(cString: $0) } ?? "no reason given"
    return OTPError(.ledgerUnavailable, "SQLite failed at \(action): \(reason) (\(status))")
  }
}
