public import OTP
public import OTPVerification

/// A ledger in an SQLite file: the durable one for servers on a single machine. Several processes may use
/// one file at once.
///
/// A group of attempts is one immediate transaction, and an acceptance is on the disk before it is
/// answered (write-ahead log, `synchronous` FULL). A process that dies loses nothing that was answered.
/// The file must be on a local disk: SQLite's locks do not work over most network file systems.
///
/// When the file is deleted, moved or replaced while it is open, each further change is refused with
/// `ledgerUnavailable`: a new ledger has to be opened. (A symbolic link is followed when the file is opened, and not
/// looked at again.)
///
/// The state of a credential is kept until it is reset.
public final class SQLiteLedger: Ledger {
  private let database: Confined<SQLiteDatabase>

  /// Opens the file, or makes it.
  ///
  /// - Parameters:
  ///   - path: the file. Beside it, SQLite keeps `path-wal` and `path-shm` while it is in use.
  ///   - busyTimeout: milliseconds to wait for another process's transaction, at least 1.
  /// - Throws: `invalidArgument` for an empty path or timeout; `ledgerUnavailable` when the file cannot be
  ///   opened, is no database, or is one of another program or a newer version.
  public init(path: String, busyTimeout: Int32 = 5000) async throws(OTPError) {
    guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
      throw OTPError(.invalidArgument, "an SQLite ledger needs the path of a file")
    }
    // SQLite would take "file:..." for a URI, whose parameters can turn off what makes a ledger safe.
    let path = path.hasPrefix("/") ? path : "./" + path
    guard busyTimeout >= 1 else {
      throw OTPError(.invalidArgument, "the busy timeout must be at least 1 ms")
    }
    database = Confined(SQLiteDatabase(), label: "OTPSQLite")
    try await database.run { (database) throws(OTPError) in
      try database.open(path, busyTimeout: busyTimeout)
      try database.prepareSchema(busyTimeout: busyTimeout)
    }
  }

  public func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    if group.isEmpty { return [] }
    return try await database.run { (database) throws(OTPError) in
      try database.transaction { (database) throws(OTPError) in
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(group.count)
        for settlement in group {
          let before = try database.state(of: settlement.id)
          var state = before
          outcomes.append(state.settle(settlement))
          if state != before { try database.store(state, of: settlement.id) }
        }
        return outcomes
      }
    }
  }

  public func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    try await database.run { (database) throws(OTPError) in
      var states: [CredentialState] = []
      for id in ids { states.append(try database.state(of: id)) }
      return states
    }
  }

  public func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    try await database.run { (database) throws(OTPError) in
      try database.transaction { (database) throws(OTPError) in
        var state = try database.state(of: id)
        state.reset(part)
        try database.store(state, of: id)
      }
    }
  }

  /// A setting of the ledger's own connection, the value of `PRAGMA name`: for tests of its durability.
  package func setting(_ name: String) async throws(OTPError) -> String? {
    try await database.run { (database) throws(OTPError) in try database.setting(name) }
  }
}
