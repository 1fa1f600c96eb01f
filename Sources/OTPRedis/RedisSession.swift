import OTP
import OTPVerification

/// What a ledger says to its server, over one connection that is made when it is needed.
///
/// Whoever uses the connection takes it, and puts it back when all went well. After any fault it is dropped,
/// with the replies that may still come, and the next call makes a new one; after a refusal too, since
/// another server may have taken over.
struct RedisSession: ~Copyable {
  private let settings: RedisSettings
  private var connection: RedisConnection?

  /// The script's name at the server.
  private var scriptHash: [UInt8] = []

  private var commands = CommandBuffer()

  /// Attempts or states per exchange, at most. It bounds what waits in buffers on the way, and how long the
  /// server is busy with one script.
  private static let exchangeLimit = 1024

  init(_ settings: RedisSettings) {
    self.settings = settings
  }

  // MARK: What a ledger does, for a call made at `start`

  mutating func settle(
    _ group: [Settlement], from start: ContinuousClock.Instant
  ) throws(OTPError) -> [Outcome] {
    for settlement in group { try settlement.time.checkRange() }
    if group.isEmpty { return [] }
    var outcomes: [Outcome] = []
    var isStored = false
    do throws(Interruption) {
      let connection = try takeConnection(from: start)
      for range in parts(of: group.count) {
        var part = PartSettlement(group[range])
        defer { isStored = isStored || part.isStored }
        try evaluate(&part, on: connection)
        outcomes += part.outcomes
      }
      self.connection = consume connection
    } catch {
      // A group has one result: when only a part of it was settled, what became of it is as good as lost.
      throw OTPError(
        isStored || error.mayHaveStored ? .ledgerUncertain : .ledgerUnavailable, error.message)
    }
    return outcomes
  }

  mutating func states(
    of ids: [CredentialID], from start: ContinuousClock.Instant
  ) throws(OTPError) -> [CredentialState] {
    if ids.isEmpty { return [] }
    var states: [CredentialState] = []
    states.reserveCapacity(ids.count)
    do throws(Interruption) {
      let connection = try takeConnection(from: start)
      for range in parts(of: ids.count) {
        let (part, prefix) = (ids[range], settings.prefix)
        var refusal: Refusal?
        try exchange(part.count, on: connection, by: deadline) { place, commands in
          commands.beginCommand(arguments: 2)
          commands.append("GET")
          commands.append(prefix, part[part.startIndex + place].bytes)
        } reply: { (_, reply) throws(Interruption) in
          switch reply.kind {
          case .null:
            states.append(CredentialState())
          case .text:
            guard let state = reply.withText({ CredentialState(value: $0) }) else {
              throw Interruption("a key holds no state of a credential")
            }
            states.append(state)
          case .refusal(let reason):
            refusal = refusal ?? reason
          case .other:
            throw Interruption("the answer is not Redis's")
          }
        }
        if let refusal { throw Interruption(refusal.message) }
      }
      self.connection = consume connection
    } catch {
      throw OTPError(.ledgerUnavailable, error.message)
    }
    return states
  }

  mutating func reset(
    _ id: CredentialID, _ part: ResetPart, from start: ContinuousClock.Instant
  ) throws(OTPError) {
    do throws(Interruption) {
      let connection = try takeConnection(from: start)
      switch part {
      case .throttle:
        var call = ThrottleReset(id: id)
        try evaluate(&call, on: connection)
      case .everything:
        let prefix = settings.prefix
        _ = try request(on: connection, by: deadline) { commands in
          commands.beginCommand(arguments: 2)
          commands.append("DEL")
          commands.append(prefix, id.bytes)
        }
      }
      self.connection = consume connection
    } catch {
      throw OTPError(error.mayHaveStored ? .ledgerUncertain : .ledgerUnavailable, error.message)
    }
  }

  private func parts(of count: Int) -> some Sequence<Range<Int>> {
    stride(from: 0, to: count, by: Self.exchangeLimit).lazy.map { start in
      start..<min(start + Self.exchangeLimit, count)
    }
  }

  // MARK: The script

  /// Makes all calls. Those that the server refused because it has forgotten the script were not executed,
  /// and are made again; no other is made twice.
  private mutating func evaluate(
    _ calls: inout some ScriptCalls, on connection: borrowing RedisConnection
  ) throws(Interruption) {
    let (deadline, prefix, hash) = (deadline, settings.prefix, scriptHash)
    var waiting = Array(0..<calls.count)
    var isForgotten = false
    while !waiting.isEmpty {
      let made = waiting
      waiting = []
      var refusal: Refusal?
      try exchange(made.count, on: connection, by: deadline) { place, commands in
        let call = made[place]
        commands.beginCommand(arguments: 4 + 4 * calls.attempts(of: call))
        if isForgotten, place == 0 {
          // With its text the script is run for certain, and known for those that follow: however often it
          // is forgotten, this comes to an end.
          commands.append("EVAL")
          commands.append(SettleScript.bytes)
        } else {
          commands.append("EVALSHA")
          commands.append(hash)
        }
        commands.append("1")
        commands.append(prefix, calls.id(of: call).bytes)
        calls.appendArguments(of: call, to: &commands)
      } reply: { (place, reply) throws(Interruption) in
        switch reply.kind {
        case .text:
          guard reply.withText({ calls.take($0, of: made[place]) }) else { fallthrough }
        case .null, .other:
          throw Interruption("the answer is not the script's", mayHaveStored: true)
        case .refusal(let reason):
          if reason.isForgottenScript {
            waiting.append(made[place])
          } else {
            refusal = refusal ?? reason
          }
        }
      }
      if let refusal { throw Interruption(refusal.message) }
      isForgotten = true
    }
  }

  // MARK: The connection

  private var deadline: Deadline { Deadline(milliseconds: settings.commandTimeout) }

  /// Takes the connection, or a new one when there is none that stands.
  ///
  /// A call that has waited for earlier ones as long as a call may take does not begin: behind a server that
  /// hangs, the timeouts of many calls must not add up.
  private mutating func takeConnection(
    from start: ContinuousClock.Instant
  ) throws(Interruption) -> RedisConnection {
    guard start.duration(to: .now) < .milliseconds(settings.commandTimeout) else {
      throw Interruption("earlier calls of Redis took too long")
    }
    if let connection = connection.take(), connection.isQuiet { return connection }
    let connection = try RedisConnection(settings)
    let (deadline, settings) = (deadline, settings)
    do throws(Interruption) {
      if let password = settings.password {
        _ = try request(on: connection, by: deadline) { commands in
          commands.beginCommand(arguments: settings.user == nil ? 2 : 3)
          commands.append("AUTH")
          if let user = settings.user { commands.append(user) }
          commands.append(password)
        }
      }
      if settings.database != 0 {
        _ = try request(on: connection, by: deadline) { commands in
          commands.beginCommand(arguments: 2)
          commands.append("SELECT")
          commands.append(Array(String(settings.database).utf8))
        }
      }
      scriptHash = try request(on: connection, by: deadline) { commands in
        commands.beginCommand(arguments: 3)
        commands.append("SCRIPT")
        commands.append("LOAD")
        commands.append(SettleScript.bytes)
      }
    } catch {
      // Whatever became of that: no attempt was among it.
      throw Interruption(error.message)
    }
    return connection
  }

  /// Sends one command and returns the text of its reply, empty for a number.
  private mutating func request(
    on connection: borrowing RedisConnection, by deadline: Deadline,
    _ command: (inout CommandBuffer) -> Void
  ) throws(Interruption) -> [UInt8] {
    var text: [UInt8] = []
    try exchange(1, on: connection, by: deadline) { _, commands in
      command(&commands)
    } reply: { (_, reply) throws(Interruption) in
      if case .refusal(let reason) = reply.kind { throw Interruption(reason.message) }
      text = reply.withText { Array($0) }
    }
    return text
  }

  /// Sends as many commands, then takes as many replies.
  private mutating func exchange(
    _ count: Int, on connection: borrowing RedisConnection, by deadline: Deadline,
    command: (Int, inout CommandBuffer) -> Void,
    reply: (Int, borrowing RedisReply) throws(Interruption) -> Void
  ) throws(Interruption) {
    commands.removeAll()
    var isBegun = false
    // The server works on the first commands while the others are written. It gets few at first, so that it
    // begins soon, and then as many as it reads at once.
    var enough = 1024
    for place in 0..<count {
      command(place, &commands)
      guard commands.count >= enough || place == count - 1 else { continue }
      do throws(Interruption) {
        try commands.withBytes { (bytes) throws(Interruption) in
          try connection.send(bytes, by: deadline)
        }
      } catch {
        throw Interruption(error.message, mayHaveStored: isBegun || error.mayHaveStored)
      }
      isBegun = true
      enough = min(4 * enough, 16_384)
      commands.removeAll()
    }
    for place in 0..<count {
      try reply(place, connection.receive(by: deadline))
    }
  }
}
