public import OTP
public import OTPVerification

/// A ledger in a Redis server, over hiredis: for servers that share a ledger and want it fast.
///
/// Each credential has one key, the prefix and the id's bytes. A script settles its attempts at the server,
/// where nothing comes between reading and writing; a group is a pipeline of such calls.
///
/// **What survives.** A used code stays used as long as the server remembers it. With `appendonly yes` and
/// `appendfsync always` it is on the server's disk before the attempt is answered. With
/// `appendfsync everysec`, Redis's advice, a crash forgets the last second or two: what was accepted in them
/// can be used again while it is in the window. Without persistence a restart forgets everything, and a
/// failover forgets what had not reached the replica. The server must not evict keys:
/// `maxmemory-policy noeviction`.
///
/// **What is kept.** A key expires after the retention, and the time of a lock on top, by the server's
/// clock from the last change. With unlimited retention (HOTP) or a lock for good it does not expire, nor
/// after more than 9,999,999,998 seconds.
///
/// **What is needed.** It is tested with Redis 7.0. A user with restricted rights (Redis 7) needs
/// `~otp:* +get +set +del +evalsha +eval +script|load +select`. There is no TLS, and a cluster's redirections
/// are not followed; but a script touches the key of one credential alone, so that a proxy can spread them.
///
/// **Faults.** The connection is made by the first call, and again by the next call after a fault. When an
/// answer is lost the error is `ledgerUncertain`, and nothing is sent a second time; so it is when a part of
/// a group was settled and a part refused. `ledgerUnavailable` means that nothing was stored. No call waits
/// longer than the timeouts say: that for connecting once, that for commands once for setting up the
/// connection and once for each 1,024 attempts, and as long again for earlier calls. (Only the system's
/// look-up of a host name has a time of its own.)
public final class RedisLedger: Ledger {
  /// Where a server listens.
  public enum Address: Hashable, Sendable {
    /// A host name or an address, IPv4 or IPv6, and a port of 1 ... 65535.
    case tcp(host: String, port: Int = 6379)

    /// The path of a UNIX socket.
    case unix(path: String)
  }

  private let session: Confined<RedisSession>

  /// Connects to nothing yet.
  ///
  /// - Parameters:
  ///   - user: the user of an access control list, or nil for the default user.
  ///   - password: nil for a server that wants none.
  ///   - database: the number of the database, from 0.
  ///   - prefix: what all keys begin with, up to 1,024 bytes.
  ///   - connectTimeout: milliseconds, 1 ... 3,600,000.
  ///   - commandTimeout: milliseconds, 1 ... 3,600,000, until the answers to all commands that were sent
  ///     together must be there.
  /// - Throws: `invalidArgument`.
  public convenience init(
    _ address: Address, user: String? = nil, password: String? = nil, database: Int = 0,
    prefix: String = "otp:",
    connectTimeout: Int = 5_000, commandTimeout: Int = 5_000
  ) throws(OTPError) {
    var settings = RedisSettings(address: address)
    settings.user = user.map { Array($0.utf8) }
    settings.password = password.map { Array($0.utf8) }
    settings.database = database
    settings.prefix = Array(prefix.utf8)
    settings.connectTimeout = connectTimeout
    settings.commandTimeout = commandTimeout
    try self.init(settings)
  }

  /// Connects to nothing yet.
  ///
  /// The URL is `redis://[[user]:password@]host[:port][/database][?prefix=...]`, with an IPv6 address in
  /// brackets, or `unix://[[user]:password@]/path[?db=...&prefix=...]`. User, password, host, path and
  /// prefix are percent-encoded.
  ///
  /// - Parameters:
  ///   - connectTimeout: milliseconds, 1 ... 3,600,000.
  ///   - commandTimeout: milliseconds, 1 ... 3,600,000, until the answers to all commands that were sent
  ///     together must be there.
  /// - Throws: `invalidArgument`, whose message repeats nothing of the URL.
  public convenience init(
    url: String, connectTimeout: Int = 5_000, commandTimeout: Int = 5_000
  ) throws(OTPError) {
    var settings = try RedisSettings(url: url)
    settings.connectTimeout = connectTimeout
    settings.commandTimeout = commandTimeout
    try self.init(settings)
  }

  private init(_ settings: RedisSettings) throws(OTPError) {
    try settings.check()
    session = Confined(RedisSession(settings), label: "RedisLedger")
  }

  /// - Throws: `ledgerUnavailable` or `ledgerUncertain`; `invalidTime`, with nothing sent, when a time is not
  ///   in 0 ... 2^53.
  public func settle(_ group: [Settlement]) async throws(OTPError) -> [Outcome] {
    let start = ContinuousClock.now
    return try await session.run { (session) throws(OTPError) in
      try session.settle(group, from: start)
    }
  }

  public func states(of ids: [CredentialID]) async throws(OTPError) -> [CredentialState] {
    let start = ContinuousClock.now
    return try await session.run { (session) throws(OTPError) in
      try session.states(of: ids, from: start)
    }
  }

  public func reset(_ id: CredentialID, _ part: ResetPart) async throws(OTPError) {
    let start = ContinuousClock.now
    return try await session.run { (session) throws(OTPError) in
      try session.reset(id, part, from: start)
    }
  }
}

// The settings hold a password.
extension RedisLedger: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "RedisLedger" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
