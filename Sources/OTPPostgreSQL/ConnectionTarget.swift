import COTPLibpq
import OTP

/// Where a ledger connects to. The connection string may hold a password: it goes to libpq alone.
struct ConnectionTarget: Sendable {
  let connection: String

  /// How long libpq tries each address: whole seconds, of which it wants at least two.
  let timeoutSeconds: Int

  /// - Throws: `invalidArgument` for a text that libpq does not understand.
  init(connection: String, timeout: Duration) throws(OTPError) {
    guard !connection.utf8.contains(0), isUnderstood(connection) else {
      throw OTPError(
        .invalidArgument, "the connection string is neither a PostgreSQL URI nor key=value pairs")
    }
    self.connection = connection
    timeoutSeconds = max(2, Int((timeout.components.seconds)))
  }

  /// A text of libpq in one line, without what it quotes: in a connection string that is not what it was
  /// meant to be, a part of the password may be taken for a host.
  func withoutQuotations(_ text: String) -> String {
    // A value with a quotation mark ends its own quotation; other languages have other marks.
    if connection.contains("\"") || connection.contains("%22")
      || !text.utf8.allSatisfy({ $0 < 0x80 })
    {
      return "no reason that can be shown"
    }
    var line = ""
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      line += index.isMultiple(of: 2) ? part : "\"...\""
    }
    return line.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}

private func isUnderstood(_ connection: String) -> Bool {
  var message: UnsafeMutablePointer<CChar>?
  let options = PQconninfoParse(connection, &message)
  PQconninfoFree(options)
  PQfreemem(message)
  return options != nil
}
