public import OTP
public import OTPVerification

/// A ledger in a PostgreSQL database, version 13 or later, that any number of processes and machines share.
///
/// A group of attempts is one statement, and so one transaction. There is one connection, made when it is
/// first needed and again after an error. It must be a session of its own: a pooler has to pool sessions,
/// not transactions.
///
/// An acceptance is answered when the server has committed it. With `synchronous_commit` at `on`, the
/// server's default, it then lies on the primary's disk and, if `synchronous_standby_names` names any, on
/// that of a standby: it survives a crash, and a fail-over to that standby. `remote_apply` promises the
/// same; `remote_write` lacks the standby's disk, `local` all of the standby. The ledger turns `off` into
/// `on` for itself. A fail-over to an asynchronous standby forgets the acceptances and failures that had
/// not reached it: those codes can be used again, while they are in the window.
///
/// The database's role needs `USAGE` on the schema, `SELECT` on its tables, and `INSERT`, `UPDATE` and, to
/// prune, `DELETE` on `credential`; to migrate it must own the schema, or be allowed to create it.
public final class PostgreSQLLedger: Ledger {
  private let session: Confined<Session>

  /// A ledger that connects when it is first asked.
  ///
  /// - Parameters:
  ///   - connection: a connection string as libpq takes it: a URI, `postgresql://...`, or `key=value`
  ///     pairs. What it leaves out comes from libpq's environment variables and defaults. With several
  ///     hosts, `connect_timeout` should leave time for each; without it, it is `connectTimeout` for every
  ///     address.
  ///   - schema: the PostgreSQL schema for the ledger's tables: 1 to 63 ASCII letters, digits and
  ///     underscores, no digit first.
  ///   - connectTimeout: milliseconds that a call waits for a connection, 100 ... 600,000.
  ///   - statementTimeout: milliseconds that a call waits for an answer, 100 ... 600,000, and no more than
  ///     that for earlier calls. The server ends its work after three quarters of it.
  ///
  /// So a call ends within `connectTimeout` and twice `statementTimeout`, whatever the server does.
  /// - Throws: `invalidArgument`.
  public init(
    connection: String, schema: String = "otp", connectTimeout: Int = 5_000,
    statementTimeout: Int = 5_000
  ) throws(OTPError) {
    for (name, timeout) in [("connect", connectTimeout), ("statement", statementTimeout)]
    where !(100...600_000).contains(timeout) {
      throw OTPError(
        .invalidArgument, "the \(name) timeout must be 100 to 600,000 ms, not \(timeout)")
    }
    session = Confined(
      Session(
        target: try ConnectionTarget(
          connection: connection, timeout: .milliseconds(connectTimeout)),
        schema: try Schema(name: schema), connectTimeout: .milliseconds(connectTimeout),
        statementTimeout: .milliseconds(statementTimeout)),
      label: "PostgreSQLLedger")
  }

  /// Makes the ledger's tables and function, unless they are there. Several may do so at once.
  /// - Throws: `ledgerUnavailable`, also when they are of another version; `ledgerUncertain`, upon which it
  ///   may be done again.
  public func migrate() async throws(OTPError) {
    let start = ContinuousClock.now
    try await session.run { (session) throws(OTPError) in try session.migrate(from: start) }
  }

  public func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    if group.isEmpty { return [] }
    try checkCount(group.count)
    return try await run(.settle, settleParameters(group)) { answer in
      guard let values = answer.integers(0, 0), values.count == group.count else { return nil }
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(values.count)
      for value in values {
        guard let outcome = Outcome(stored: value) else { return nil }
        outcomes.append(outcome)
      }
      return outcomes
    }
  }

  public func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    if ids.isEmpty { return [] }
    try checkCount(ids.count)
    var parameters = Parameters()
    parameters.append(array: ids.lazy.map(\.bytes))
    return try await run(.states, parameters) { answer in
      guard answer.rowCount == ids.count else { return nil }
      return (0..<answer.rowCount).map { row in
        var state = CredentialState()
        state.lastStep = answer.integer(row, 0, Int64.self).map { UInt64(signedOrder: $0) }
        state.failures = answer.integer(row, 1, Int64.self).map { UInt32(clamping: $0) } ?? 0
        state.lockedUntil = answer.integer(row, 2, Int64.self) ?? 0
        state.drift = answer.integer(row, 3, Int32.self) ?? 0
        return state
      }
    }
  }

  public func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    var parameters = Parameters()
    parameters.append(id.bytes)
    let statement: Statement =
      switch part {
      case .throttle: .resetThrottle
      case .everything: .resetEverything
      }
    try await run(statement, parameters) { _ in () }
  }

  /// Deletes the states that need not be kept any more: those of TOTP credentials that no attempt has changed
  /// for longer than their retention, and whose lock is over. Those of HOTP credentials are kept for ever.
  ///
  /// It reads the whole table, a part at a time (which PostgreSQL does well from version 14 on), and gets on
  /// with the ledger's other work and that of other processes in between.
  ///
  /// - Parameter time: now, or earlier.
  /// - Returns: how many were deleted.
  /// - Throws: `ledgerUnavailable` or `ledgerUncertain`. What was deleted stays deleted, and it may be
  ///   called again.
  public func prune(before time: UnixTime) async throws(OTPError) -> Int {
    let pages = try await run(.pageCount, Parameters()) { $0.integer(0, 0, Int64.self) }
    let part = 1024
    var count = 0
    for page in stride(from: 0, to: Int(pages), by: part) {
      var parameters = Parameters()
      parameters.append(time.seconds)
      parameters.append(Int64(page))
      parameters.append(Int64(page + part))
      count += try await run(.prune, parameters) { $0.integer(0, 0, Int64.self).map { Int($0) } }
    }
    return count
  }

  /// A request has to stay below PostgreSQL's limit of a gigabyte.
  private func checkCount(_ count: Int) throws(OTPError) {
    guard count <= 1_000_000 else {
      throw OTPError(.ledgerUnavailable, "a group of \(count) is more than 1,000,000")
    }
  }

  private func run<R: Sendable>(
    _ statement: Statement, _ parameters: Parameters,
    _ read: @escaping @Sendable (borrowing Answer) -> R?
  ) async throws(OTPError) -> R {
    let start = ContinuousClock.now
    return try await session.run { (session) throws(OTPError) in
      try session.run(statement, parameters, from: start, read)
    }
  }
}

/// Nothing of the connection string shows.
extension PostgreSQLLedger: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
