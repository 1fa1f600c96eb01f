import Foundation
import OTP
import OTPPostgreSQL
import OTPTestSupport
import OTPVerification
import Testing

extension PostgreSQLServer {
  /// A ledger in a schema that is there.
  func ledger(
    schema: String = freshSchema(), connectTimeout: Int = 20_000, statementTimeout: Int = 20_000,
    _ more: String = ""
  ) async throws -> PostgreSQLLedger {
    try await PostgreSQLLedger(
      connection: connection(), schema: schema, connectTimeout: 60_000, statementTimeout: 60_000
    ).migrate()
    return try PostgreSQLLedger(
      connection: connection(more), schema: schema, connectTimeout: connectTimeout,
      statementTimeout: statementTimeout)
  }

  /// The backend of the only connection with this application name.
  func backend(of application: String) async throws -> Int32 {
    let pid = try await sql(
      "SELECT pid FROM pg_stat_activity WHERE application_name = '\(application)'")
    return try #require(Int32(pid), "\(pid)")
  }

  /// Whether that connection waits for a lock.
  func isWaiting(_ application: String) async throws -> Bool {
    try await sql(
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = '\(application)' AND wait_event_type = 'Lock'
      """) == "1"
  }
}

/// A schema's name that no other test uses.
func freshSchema() -> String {
  "otp_\(UInt64.random(in: .min ... .max))"
}

extension CredentialID {
  /// The id in an SQL statement.
  var literal: String {
    "'\\x" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
  }
}

/// A transaction that another session has open after a statement, with the locks that it took.
struct OpenTransaction {
  private let input = Pipe()
  private let session = Process()

  init(_ statement: String, on server: PostgreSQLServer) async throws {
    let name = freshSchema()
    session.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
    session.arguments = [
      "-Xq", "-o", "/dev/null", "-d", server.connection("application_name=\(name)"),
    ]
    session.standardInput = input
    try session.run()
    try send("BEGIN; \(statement);")
    try await waitUntil {
      try await server.sql(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = '\(name)' AND state = 'idle in transaction' AND query NOT LIKE 'BEGIN%'
        """) == "1"
    }
  }

  func commit() throws {
    try send("COMMIT;")
    try rollBack()
  }

  func rollBack() throws {
    // Without input it ends, and its locks with it.
    try input.fileHandleForWriting.close()
  }

  private func send(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
  }
}

/// An attempt with the right code of a step.
func match(
  _ id: CredentialID, step: UInt64, consumes: Bool = true, at time: Int64 = 1,
  retention: Int64? = nil
) -> Settlement {
  Settlement(
    id: id, time: UnixTime(seconds: time), claim: .match(step: step, drift: nil),
    consumes: consumes,
    throttle: .standard, retention: retention)
}

/// An attempt with a wrong code.
func mismatch(
  _ id: CredentialID, at time: Int64 = 1, throttle: Throttle = .standard, retention: Int64? = nil
) -> Settlement {
  Settlement(
    id: id, time: UnixTime(seconds: time), claim: .noMatch, throttle: throttle, retention: retention
  )
}

/// The error of an operation that must fail, and how long it took.
func failure<R>(
  _ body: () async throws -> R, sourceLocation: SourceLocation = #_sourceLocation
) async -> (error: OTPError?, duration: Duration) {
  // The time is the operation's, and not that of other tests that keep the shared threads busy.
  await withTaskExecutorPreference(OwnThread()) {
    let start = ContinuousClock.now
    let error = await #expect(throws: OTPError.self, sourceLocation: sourceLocation) {
      _ = try await body()
    }
    return (error, start.duration(to: .now))
  }
}
