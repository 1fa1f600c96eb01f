import COTPLibpq
import Dispatch
import OTP
import Synchronization

/// The making of a connection, on a thread of its own: names are looked up by calls that know no deadline.
///
/// Whoever waits may give up; the attempt goes on to libpq's own timeout, from host to host if there are
/// several, and what it made waits for the next one who asks.
final class ConnectionAttempt: Sendable {
  private let outcome = Mutex<Result<Connection, OTPError>?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ target: ConnectionTarget) {
    DispatchQueue(label: "ConnectionAttempt").async {
      // Nobody else takes the lock before the signal.
      self.outcome.withLock { $0 = Self.connect(to: target) }
      self.isOver.signal()
    }
  }

  /// The connection, which is the caller's from now on, or nil when there is no outcome in time.
  /// - Throws: `ledgerUnavailable`.
  func connection(until deadline: Deadline) throws(OTPError) -> Connection? {
    let time = DispatchTime.now() + .milliseconds(deadline.millisecondsLeft)
    guard isOver.wait(timeout: time) == .success else { return nil }
    return try outcome.withLock { $0.take() }?.get()
  }

  private static func connect(to target: ConnectionTarget) -> Result<Connection, OTPError> {
    // What comes later counts: the connection string may say otherwise.
    let keywords = ["connect_timeout", "fallback_application_name", "dbname"]
    let values = [String(target.timeoutSeconds), "swift-otp", target.connection]
    let made = keywords.withCStrings { keywords in
      values.withCStrings { values in PQconnectdbParams(keywords, values, 1) }
    }
    guard let made else {
      return .failure(OTPError(.ledgerUnavailable, "there is no memory for a connection"))
    }
    if PQstatus(made) == CONNECTION_OK { return .success(Connection(made)) }
    let reason = PQerrorMessage(made).map { String(cString: $0) } ?? ""
    PQfinish(made)
    return .failure(
      OTPError(
        .ledgerUnavailable,
        "PostgreSQL cannot be reached: \(target.withoutQuotations(reason))"))
  }
}

extension [String] {
  /// Lends the texts as C strings, with a null pointer after the last.
  fileprivate func withCStrings<R>(_ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    var characters: [CChar] = []
    var starts: [Int] = []
    for text in self {
      starts.append(characters.count)
      characters.append(contentsOf: text.utf8CString)
    }
    return characters.withUnsafeBufferPointer { characters in
      body(starts.map { start in characters.baseAddress.map { $0 + start } } + [nil])
    }
  }
}
