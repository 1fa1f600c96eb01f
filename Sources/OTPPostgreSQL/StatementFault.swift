import COTPLibpq
import OTP

/// Why a statement has no answer.
enum StatementFault: Error {
  /// The request did not leave this process as a whole.
  case notSent

  /// The server says that the statement failed, and so that it changed nothing.
  case refused(state: String, message: String)

  /// The request was sent, and what became of it is unknown.
  case unanswered(String)

  /// The fault that a result of libpq stands for.
  ///
  /// An `ERROR` rolls the statement back. Worse ones end the connection, and may come between the commit
  /// and the answer, or from a proxy that knows no more than we do, as those of class 08 do.
  init(_ result: OpaquePointer) {
    guard let state = field(result, COTP_PG_DIAG_SQLSTATE) else {
      self = .unanswered("the connection was lost")
      return
    }
    // The primary message names objects of the schema, but no parameters; the details may.
    let message = field(result, COTP_PG_DIAG_MESSAGE) ?? "no message"
    let isOver =
      field(result, COTP_PG_DIAG_SEVERITY) == "ERROR" && !state.hasPrefix("08")
      && !["57P01", "57P02", "57P03", "40003"].contains(state)
    self = isOver ? .refused(state: state, message: message) : .unanswered("\(state) \(message)")
  }

  /// - Parameter mayHaveChanged: whether the statement would have changed what is stored.
  func ledgerError(mayHaveChanged: Bool) -> OTPError {
    switch self {
    case .notSent:
      return OTPError(.ledgerUnavailable, "the connection to PostgreSQL was lost")
    case .refused(let state, let message):
      // A schema, table, column or function.
      let isMissing = ["3F000", "42P01", "42703", "42883"].contains(state)
      return OTPError(
        .ledgerUnavailable,
        "PostgreSQL refused the statement: \(state) \(message)"
          + (isMissing ? "; the schema is missing or has another version: migrate it" : ""))
    case .unanswered(let reason):
      return OTPError(
        mayHaveChanged ? .ledgerUncertain : .ledgerUnavailable,
        "PostgreSQL's answer did not come: \(reason)")
    }
  }
}

/// A field of an error's result, or nil when there is none.
private func field(_ result: OpaquePointer, _ code: Int) -> String? {
  PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
}
