import OTP
import OTPSQLite
import OTPVerification

extension Option {
  static let ledger = Option(
    name: "ledger", argument: "LEDGER",
    help: "memory (forgets all at the end) or sqlite:PATH\n(default: memory)")
}

extension Arguments {
  func ledger() async throws -> any Ledger {
    let text = value(of: "ledger") ?? "memory"
    if text == "memory" { return MemoryLedger() }
    if text.hasPrefix("sqlite:") {
      return try await SQLiteLedger(path: String(text.dropFirst("sqlite:".count)))
    }
    throw ToolError("--ledger must be memory or sqlite:PATH")
  }
}
