import OTP

/// The one connection of a ledger, made when it is needed. After an error it is not used again.
struct Session: ~Copyable, Sendable {
  private let target: ConnectionTarget
  private let schema: Schema
  private let connectTimeout: Duration
  private let statementTimeout: Duration
  private var attempt: ConnectionAttempt?
  private var connection: Connection?

  init(
    target: ConnectionTarget, schema: Schema, connectTimeout: Duration, statementTimeout: Duration
  ) {
    self.target = target
    self.schema = schema
    self.connectTimeout = connectTimeout
    self.statementTimeout = statementTimeout
  }

  /// Runs a statement and reads its answer.
  /// - Parameters:
  ///   - start: when it was asked for.
  ///   - read: nil for an answer of another form.
  mutating func run<R>(
    _ statement: Statement, _ parameters: Parameters, from start: ContinuousClock.Instant,
    _ read: (borrowing Answer) -> R?
  ) throws(OTPError) -> R {
    try checkTurn(from: start)
    var connection = try readyConnection()
    let deadline = Deadline(after: statementTimeout)
    do throws(StatementFault) {
      try connection.prepare(statement, in: schema, until: deadline)
    } catch {
      throw error.ledgerError(mayHaveChanged: false)
    }
    let result: R
    do throws(StatementFault) {
      let answer = try connection.run(statement, parameters, until: deadline)
      guard let value = read(answer) else { throw .unanswered("the answer has another form") }
      result = value
    } catch {
      throw error.ledgerError(mayHaveChanged: statement.writes)
    }
    self.connection = consume connection
    return result
  }

  /// Makes the schema, unless it is there.
  mutating func migrate(from start: ContinuousClock.Instant) throws(OTPError) {
    try checkTurn(from: start)
    let connection = try newConnection(until: Deadline(after: connectTimeout))
    let deadline = Deadline(after: statementTimeout)
    do throws(StatementFault) {
      // One at a time, among all processes. What is given up midway, the server rolls back.
      let answer = try connection.run(
        """
        BEGIN ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog;
        SET LOCAL statement_timeout = \(serverTimeout);
        SELECT pg_advisory_xact_lock(\(Schema.migrationLock));
        SELECT to_regnamespace('"\(schema.name)"'), to_regclass('\(schema.qualified("version"))')
        """, until: deadline)
      if answer.isNull(0, 1) {
        _ = try connection.run(
          schema.creation(includingSchema: answer.isNull(0, 0)), until: deadline)
      }
    } catch {
      throw error.ledgerError(mayHaveChanged: false)
    }
    try checkVersion(on: connection, until: deadline)
    do throws(StatementFault) {
      _ = try connection.run("COMMIT", until: deadline)
    } catch {
      throw error.ledgerError(mayHaveChanged: true)
    }
  }

  /// Whoever waited for earlier calls for as long as one may take does not begin, so that many of them do
  /// not add up.
  private func checkTurn(from start: ContinuousClock.Instant) throws(OTPError) {
    guard Deadline(after: statementTimeout, from: start).millisecondsLeft > 0 else {
      throw OTPError(.ledgerUnavailable, "earlier statements took too long")
    }
  }

  /// The connection as it is, or a new one that is ready for statements; it has to be given back.
  private mutating func readyConnection() throws(OTPError) -> Connection {
    if let connection = connection.take(), connection.isOpen { return connection }
    let deadline = Deadline(after: connectTimeout)
    let connection = try newConnection(until: deadline)
    // The function relies on `READ COMMITTED`, and on the index, however small the table was when its plan
    // was made. An acceptance is answered when it is stored for good: nothing less than the server's own
    // default will do.
    let settings = """
      SELECT pg_catalog.set_config(name, value, false) FROM (VALUES
        ('search_path', 'pg_catalog'),
        ('statement_timeout', '\(serverTimeout)'),
        ('default_transaction_isolation', 'read committed'),
        ('synchronous_commit',
          pg_catalog.replace(pg_catalog.current_setting('synchronous_commit'), 'off', 'on')),
        ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('jit', 'off')
      ) AS setting (name, value)
      """
    let isStandby: Bool
    do throws(StatementFault) {
      _ = try connection.run(settings, until: deadline)
      isStandby =
        try connection.run("SELECT pg_is_in_recovery()", until: deadline).text(0, 0) == "t"
    } catch {
      throw error.ledgerError(mayHaveChanged: false)
    }
    // It knows acceptances only after a while, and cannot store any.
    if isStandby {
      throw OTPError(
        .ledgerUnavailable,
        "the PostgreSQL server is a standby; target_session_attrs=read-write finds its primary")
    }
    try checkVersion(on: connection, until: deadline)
    return connection
  }

  private mutating func newConnection(until deadline: Deadline) throws(OTPError) -> Connection {
    connection = nil
    let attempt = attempt ?? ConnectionAttempt(target)
    self.attempt = attempt
    let made: Connection?
    do throws(OTPError) {
      made = try attempt.connection(until: deadline)
    } catch {
      self.attempt = nil
      throw error
    }
    // It goes on, and the next call waits for it.
    guard let made else {
      throw OTPError(.ledgerUnavailable, "PostgreSQL could not be reached in time")
    }
    self.attempt = nil
    return made
  }

  private func checkVersion(
    on connection: borrowing Connection, until deadline: Deadline
  ) throws(OTPError) {
    let version: Int64?
    do throws(StatementFault) {
      let query = "SELECT version FROM \(schema.qualified("version"))"
      version = try connection.run(query, until: deadline).text(0, 0).flatMap { Int64($0) }
    } catch {
      throw error.ledgerError(mayHaveChanged: false)
    }
    guard version == Schema.version else {
      let found = version.map { "version \($0)" } ?? "no version"
      throw OTPError(
        .ledgerUnavailable,
        "the schema has \(found) and not \(Schema.version): migrate it, or use the library that made it"
      )
    }
  }

  /// The server ends a statement in time to say so, in milliseconds.
  private var serverTimeout: Int64 {
    let (seconds, attoseconds) = (statementTimeout * 3 / 4).components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
