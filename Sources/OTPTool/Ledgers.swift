import OTP
import OTPPostgreSQL
import OTPRedis
import OTPSQLite
import OTPVerification

extension Option {
  static let ledger = Option(
    name: "ledger", argument: "LEDGER",
    help: "memory (forgets all at the end), sqlite:PATH, redis://HOST,\n"
      + "unix:///PATH (Redis), or postgresql://HOST/DATABASE\n(default: memory)")

  static let ledgerFile = Option(
    name: "ledger-file", argument: "FILE",
    help: "read LEDGER from this file, so that no other user sees a\npassword in it")
}

extension Arguments {
  /// The ledger that was asked for. A PostgreSQL one gets its tables where they are missing.
  func ledger() async throws -> any Ledger {
    let text = try ledgerText()
    switch text.prefix(while: { $0 != ":" }) {
    case "memory" where text == "memory":
      return MemoryLedger()
    case "sqlite" where text != "sqlite":
      return try await SQLiteLedger(path: String(text.dropFirst("sqlite:".count)))
    case "redis" where text != "redis", "unix" where text != "unix":
      return try RedisLedger(url: text)
    case "postgresql" where text != "postgresql", "postgres" where text != "postgres":
      let ledger = try PostgreSQLLedger(connection: text)
      try await ledger.migrate()
      return ledger
    default:
      throw ToolError(
        "--ledger must be memory, sqlite:PATH, redis://..., unix:///... or postgresql://...")
    }
  }

  /// The ledger's kind, which tells nothing of where it is.
  func ledgerKind() throws -> String {
    String(try ledgerText().prefix { $0 != ":" })
  }

  private func ledgerText() throws -> String {
    try requireAtMostOne(of: "ledger", "ledger-file")
    guard let path = value(of: "ledger-file") else { return value(of: "ledger") ?? "memory" }
    return try readSecretFile(path, of: "ledger-file").withBytes { bytes in
      String(decoding: bytes.trimmingLineEnd(), as: UTF8.self)
    }
  }
}
