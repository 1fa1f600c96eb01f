import COTPLibpq

/// A connection that is made. Nothing here waits beyond a deadline.
struct Connection: ~Copyable, Sendable {
  // Safe to share: it has one owner, which is all that libpq asks for.
  nonisolated(unsafe) private let handle: OpaquePointer

  private var prepared: Set<Statement> = []

  /// Takes over a connection of libpq.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    // Sending must not wait, and notices are for nobody: libpq would print them.
    PQsetnonblocking(handle, 1)
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
  }

  deinit {
    PQfinish(handle)
  }

  /// Whether the server has left the connection as it was, as far as can be seen without asking. What it says
  /// unasked is a farewell, or some news for whose sake a new connection does no harm.
  var isOpen: Bool {
    PQstatus(handle) == CONNECTION_OK && wait(for: POLLIN, milliseconds: 0) == 0
  }

  /// Runs statements without parameters; the answer is the last one's, in text.
  func run(_ text: String, until deadline: Deadline) throws(StatementFault) -> Answer {
    guard PQsendQuery(handle, text) == 1 else { throw .notSent }
    return try answer(until: deadline)
  }

  /// Makes the server ready for a statement, unless it is.
  mutating func prepare(
    _ statement: Statement, in schema: Schema, until deadline: Deadline
  ) throws(StatementFault) {
    if prepared.contains(statement) { return }
    guard PQsendPrepare(handle, statement.rawValue, statement.text(in: schema), 0, nil) == 1 else {
      throw .notSent
    }
    _ = try answer(until: deadline)
    prepared.insert(statement)
  }

  /// Runs a statement that was prepared.
  func run(
    _ statement: Statement, _ parameters: Parameters, until deadline: Deadline
  ) throws(StatementFault) -> Answer {
    let isSent = parameters.bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var start = 0
        let values = parameters.lengths.map { length in
          defer { start += Int(length) }
          return bytes.baseAddress.map { $0 + start }
        }
        let binary: Int32 = 1
        return PQsendQueryPrepared(
          handle, statement.rawValue, Int32(values.count), values, parameters.lengths,
          [Int32](repeating: binary, count: values.count), binary) == 1
      }
    }
    // When libpq gives up while it hands over the request, the end of it is not on its way, and the server
    // does not commit before it has read that.
    guard isSent else { throw .notSent }
    return try answer(until: deadline)
  }

  /// Sends what is not sent yet and reads all that is answered: only the end of it says that the server
  /// has committed. Neither is given up politely: a request to cancel would have to wait for the server
  /// too, which ends the statement itself by its own timeout.
  private func answer(until deadline: Deadline) throws(StatementFault) -> Answer {
    var isPending = PQflush(handle)
    while isPending == 1 {
      let events = wait(for: POLLIN | POLLOUT, until: deadline)
      guard events != 0 else { throw .unanswered("the server did not take the request in time") }
      // A server that does not read may be waiting for its own answer to be read.
      if events & Int32(POLLIN) != 0, PQconsumeInput(handle) == 0 { break }
      isPending = PQflush(handle)
    }
    var answer: Answer?
    var fault: StatementFault?
    while true {
      while PQisBusy(handle) != 0 {
        guard wait(for: POLLIN, until: deadline) != 0 else {
          throw .unanswered("the server did not answer in time")
        }
        guard PQconsumeInput(handle) == 1 else {
          throw fault ?? .unanswered("the connection was lost")
        }
      }
      guard let result = PQgetResult(handle) else { break }
      let part = Answer(result)
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: answer = consume part
      case PGRES_FATAL_ERROR: fault = StatementFault(result)
      default: throw .unanswered("the answer has another form")
      }
    }
    if let fault { throw fault }
    guard let answer, PQstatus(handle) == CONNECTION_OK else {
      throw .unanswered("the connection was lost")
    }
    return answer
  }

  /// Waits until the socket is ready, and says for what; 0 when it was not in time. An error counts as ready:
  /// the next call meets it.
  private func wait(for events: Int32, until deadline: Deadline) -> Int32 {
    let milliseconds = deadline.millisecondsLeft
    if milliseconds == 0 { return 0 }
    return wait(for: events, milliseconds: milliseconds)
  }

  private func wait(for events: Int32, milliseconds: Int) -> Int32 {
    var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    // Without a socket there is nothing to wait for.
    if descriptor.fd < 0 { return POLLERR }
    switch poll(&descriptor, 1, Int32(clamping: milliseconds)) {
    case 0: return 0
    // A signal came: there is nothing to read or to write, which does no harm.
    case -1: return POLLERR
    default: return Int32(descriptor.revents)
    }
  }
}
