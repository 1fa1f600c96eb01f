import COTPHiredis
import OTP

/// A connection that hiredis made and parses the replies of.
struct RedisConnection: ~Copyable {
  private let context: UnsafeMutablePointer<redisContext>

  init(_ settings: RedisSettings) throws(Interruption) {
    let timeout = timeval(
      tv_sec: .init(settings.connectTimeout / 1000),
      tv_usec: .init(settings.connectTimeout % 1000 * 1000))
    let context =
      switch settings.address {
      case .tcp(let host, let port): redisConnectWithTimeout(host, Int32(port), timeout)
      case .unix(let path): redisConnectUnixWithTimeout(path, timeout)
      }
    guard let context else {
      throw Interruption("hiredis made no connection")
    }
    guard context.pointee.err == 0 else {
      let error = Interruption("cannot connect to Redis: \(context.pointee.reason)")
      redisFree(context)
      throw error
    }
    cotp_hiredis_close_on_exec(context.pointee.fd)
    // A server that went away without a word is noticed while the connection rests.
    if case .tcp = settings.address { redisEnableKeepAlive(context) }
    self.context = context
  }

  deinit {
    redisFree(context)
  }

  /// Whether the connection stands and nothing has come that nobody asked for. A server that was stopped or
  /// that closed the connection is found out here, before anything is sent.
  var isQuiet: Bool {
    cotp_hiredis_wait(context.pointee.fd, Int16(POLLIN), 0) == 0
  }

  /// Sends all bytes.
  func send(_ bytes: UnsafeRawBufferPointer, by deadline: Deadline) throws(Interruption) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let sent = cotp_hiredis_send(context.pointee.fd, rest.baseAddress, rest.count)
      guard sent >= 0 else {
        throw Interruption("the connection to Redis broke", mayHaveStored: start > 0)
      }
      start += sent
      if sent == 0, !canContinue(after: POLLOUT, by: deadline) {
        throw Interruption("Redis did not take the commands in time", mayHaveStored: start > 0)
      }
    }
  }

  /// The next reply.
  func receive(by deadline: Deadline) throws(Interruption) -> RedisReply {
    while true {
      var reply: UnsafeMutableRawPointer?
      guard redisGetReplyFromReader(context, &reply) == REDIS_OK else {
        throw Interruption("the answer is none of Redis", mayHaveStored: true)
      }
      if let reply { return RedisReply(reply.assumingMemoryBound(to: redisReply.self)) }
      guard canContinue(after: POLLIN, by: deadline) else {
        throw Interruption("Redis did not answer in time", mayHaveStored: true)
      }
      // There is something to read, or the end of it: this does not block.
      guard redisBufferRead(context) == REDIS_OK else {
        throw Interruption("the connection to Redis broke", mayHaveStored: true)
      }
    }
  }

  /// Waits until reading or writing does not block, be it that it fails. False when time is up.
  private func canContinue(after event: Int32, by deadline: Deadline) -> Bool {
    repeat {
      let milliseconds = deadline.remainingMilliseconds
      if cotp_hiredis_wait(context.pointee.fd, Int16(event), milliseconds) != 0 { return true }
      if milliseconds == 0 { return false }
    } while true
  }
}

/// Why the server's answers did not all come.
struct Interruption: Error {
  let message: String

  /// Whether commands may have been executed whose answers are lost.
  let mayHaveStored: Bool

  init(_ message: String, mayHaveStored: Bool = false) {
    self.message = message
    self.mayHaveStored = mayHaveStored
  }
}

/// The moment by which an exchange has to end. It has nothing to do with the time of attempts.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(milliseconds: Int) {
    end = .now + .milliseconds(milliseconds)
  }

  /// Rounded up, so that waiting for it does not end before the deadline; 0 when it has passed.
  var remainingMilliseconds: Int32 {
    let (seconds, attoseconds) = (end - .now).components
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: max(0, milliseconds))
  }
}

extension redisContext {
  /// What hiredis says went wrong.
  fileprivate var reason: String {
    withUnsafeBytes(of: errstr) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
