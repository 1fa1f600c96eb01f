import OTP
import OTPVerification

/// The rule of ``CredentialState/settle(_:)`` as a script that the server runs, where nothing comes between
/// its reading and its writing.
///
/// Lua's numbers are exact to 2^53 only. Steps, times and ends of locks are therefore texts of 20 digits,
/// which compare like the numbers and are never reckoned with: all ends of locks that an attempt may set
/// come ready with it.
enum SettleScript {
  static let bytes = Array(text.utf8)

  /// A value, as an operator sees it: the last step or 20 dashes; the drift, of 11 characters; the seconds
  /// for which acceptances want it kept. Then, if there are failures, each after a space: their count, the
  /// end of the lock, the seconds for which failures want it kept.
  ///
  /// Expiry. It is relative to the server's clock, and set anew by each write: to the longest time that any
  /// acceptance has demanded so far, or any failure since the last acceptance, and the time of the lock on
  /// top. A demand made earlier ends earlier, so that none is ever cut short while what it is for is still
  /// in the state; a lock is over whenever something is written, and the count of failures is gone after an
  /// acceptance, and with it what they demanded.
  ///
  /// The only write is the last call: whatever error the script ends in, nothing was stored.
  private static let text = """
    -- KEYS[1]: the credential's key. ARGV: four for each attempt: claim, time, step, terms.
    local NONE, UNLOCKED = '--------------------', '00000000000000000000'
    local FOREVER, NEVER = '09223372036854775807', '\(longestRetention)'
    local key = KEYS[1]
    local last, drift, kept, failures, lock, held = NONE, '+0000000000', '0', 0, UNLOCKED, '0'
    local value = redis.call('GET', key)
    if value then
      last, drift, kept = string.sub(value, 1, 20), string.sub(value, 21, 31), string.sub(value, 32)
      if #value > 41 then
        kept, failures, lock, held = string.match(kept, '^(%d+) (%d+) (%d+) (%d+)$')
        failures = tonumber(failures)
      end
      if not tonumber(kept) then
        return redis.error_reply('WRONGTYPE The key holds no state of a credential')
      end
    end
    local outcomes, changed = '', false
    for i = 1, #ARGV, 4 do
      local claim, time, step, terms = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
      if claim == 'reset' then
        if failures > 0 then
          failures, lock, held, changed = 0, UNLOCKED, '0', time
        end
      elseif time < lock then
        outcomes = outcomes .. 't' .. lock
      elseif claim == 'wrong' then
        if step ~= '' and step ~= last then
          outcomes = outcomes .. 's'
        else
          failures, changed = math.min(failures + 1, 4294967295), time
          held = math.max(held, string.sub(terms, 1, 10))
          local maximum, every = tonumber(string.sub(terms, 11, 13)), tonumber(string.sub(terms, 14, 16))
          if failures >= maximum then
            lock = FOREVER
          elseif failures % every > 0 then
            lock = UNLOCKED
          else
            -- The last end stands for all that follow.
            local place = 20 * math.min(failures / every, (#terms - 16) / 20)
            lock = string.sub(terms, place - 3, place + 16)
          end
          outcomes = outcomes .. 'm'
        end
      elseif last ~= NONE and step <= last then
        outcomes = outcomes .. 'r'
      else
        if claim ~= 'check' then
          last, failures, lock, held, changed = step, 0, UNLOCKED, '0', time
          if claim == 'track' then
            drift, terms = string.sub(terms, 1, 11), string.sub(terms, 12)
          end
          if terms ~= kept and tonumber(terms) > tonumber(kept) then kept = terms end
        end
        outcomes = outcomes .. 'a'
      end
    end
    if changed then
      if failures == 0 and last == NONE then
        redis.call('DEL', key)
        return outcomes
      end
      local keep = kept
      value = last .. drift .. kept
      if failures > 0 then
        value = value .. ' ' .. failures .. ' ' .. lock .. ' ' .. held
        keep = math.max(kept, held) + math.max(lock - changed, 0)
        if keep >= tonumber(NEVER) then keep = NEVER end
      end
      if keep == NEVER then
        redis.call('SET', key, value)
      else
        redis.call('SET', key, value, 'EX', keep)
      end
    end
    return outcomes
    """

  /// Ten digits of seconds, three centuries, stand for ever.
  static let longestRetention: Int64 = 9_999_999_999
}

extension CommandBuffer {
  /// Appends the script's arguments for one attempt.
  mutating func appendAttempt(_ settlement: Settlement) {
    switch settlement.claim {
    case .match(let step, let drift):
      append(!settlement.consumes ? "check" : drift == nil ? "use" : "track")
      append(paddedDecimal: UInt64(settlement.time.seconds))
      append(paddedDecimal: step)
      let retention = settlement.keptSeconds
      if let drift, settlement.consumes {
        beginArgument(length: 11 + decimalWidth(retention))
        appendRaw(drift < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        appendRaw(decimal: UInt64(drift.magnitude), width: 10)
      } else {
        beginArgument(length: decimalWidth(retention))
      }
      appendRaw(decimal: retention, width: decimalWidth(retention))
      endArgument()
    case .noMatch:
      append("wrong")
      append(paddedDecimal: UInt64(settlement.time.seconds))
      append("")
      appendThrottle(of: settlement)
    case .noMatchAfter(let lastStep):
      append("wrong")
      append(paddedDecimal: UInt64(settlement.time.seconds))
      if let lastStep { append(paddedDecimal: lastStep) } else { append("--------------------") }
      appendThrottle(of: settlement)
    }
  }

  /// Retention, maximum of failures, failures for each lock, and ends of locks.
  private mutating func appendThrottle(of settlement: Settlement) {
    let (every, ends) = settlement.throttle.lockEnds(at: settlement.time)
    beginArgument(length: 16 + 20 * ends.count)
    appendRaw(decimal: settlement.keptSeconds, width: 10)
    appendRaw(decimal: UInt64(settlement.throttle.maximumFailures), width: 3)
    appendRaw(decimal: UInt64(every), width: 3)
    for end in ends { appendRaw(decimal: UInt64(end), width: 20) }
    endArgument()
  }

  /// Appends the script's arguments that set the throttle back.
  mutating func appendThrottleReset() {
    append("reset")
    append(paddedDecimal: 0)
    append("")
    append("")
  }
}

extension Settlement {
  /// The server wants at least a second.
  fileprivate var keptSeconds: UInt64 {
    UInt64(max(1, min(retention ?? .max, SettleScript.longestRetention)))
  }
}

extension Throttle {
  /// The ends of the locks that wrong codes at this time set: the first after `every` of them, the next
  /// after twice as many. The last end stands for all that follow below the maximum of failures.
  fileprivate func lockEnds(at time: UnixTime) -> (every: Int, ends: [Int64]) {
    switch delay {
    case .lockout(let after, _):
      return (after, [lockEnd(afterFailures: UInt32(after), at: time)])
    case .exponential:
      var ends: [Int64] = []
      for failures in 1..<UInt32(maximumFailures) {
        let end = lockEnd(afterFailures: failures, at: time)
        if end == ends.last { break }
        ends.append(end)
      }
      return (1, ends)
    }
  }
}
