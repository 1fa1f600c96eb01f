package import BenchmarkRegistry
import Foundation
package import OTPVerification

/// `redis-benchmark` sending what the ledger sends: the call of the ledger's script that an acceptance is,
/// over one connection and with as many calls in the pipeline as a group has attempts, on the same keys.
///
/// The call is not written down here: it is recorded from the ledger, and then the credential, the time and
/// the step are exchanged. So it is always the very same script, with arguments of the same form.
package final class RedisReference {
  private let server: [String]
  private let template: CallTemplate
  private let workload: SettleWorkload

  /// Runs of `redis-benchmark` in one repetition, and calls in each of them. Each run has a time and a step of
  /// its own, and takes credentials at random, one in forty of them again:
  /// those calls are replays, which cost a little less.
  private let runs = 4
  private let callsPerRun = SettleBenchmarks.groupCount * SettleWorkload.groupSize

  /// - Parameters:
  ///   - url: where the server is, `unix:///path` or `redis://host:port`, without a password.
  ///   - ledger: one that has used the credentials of `workload`.
  package init(url: String, ledger: any Ledger, _ workload: SettleWorkload) throws {
    server = Self.serverArguments(url)
    self.workload = workload

    let monitor = try ChildProcess(["redis-cli"] + server + ["MONITOR"])
    guard try monitor.readLine() == "OK" else { throw BenchmarkFault("Redis does not monitor") }
    let attempts = workload.acceptances(1)
    let outcomes = try waiting { try await ledger.settle(attempts) }
    guard outcomes == [.accepted] else { throw BenchmarkFault("the call to record was refused") }
    var call: [String]?
    while call == nil { call = CallTemplate.call(inMonitorLine: try monitor.readLine()) }
    template = try CallTemplate(
      call ?? [], id: String(decoding: attempts[0].id.bytes, as: UTF8.self), step: workload.step)
  }

  package func benchmark() -> PreparedBenchmark {
    PreparedBenchmark(items: runs * callsPerRun, .timed { [self] in try run() })
  }

  /// - Returns: the seconds that the calls took.
  private func run() throws -> Double {
    let before = try statistics()
    var seconds = 0.0
    for _ in 0..<runs {
      let csv = try ChildProcess.output(
        of: ["redis-benchmark"] + server + [
          "-c", "1", "-P", String(SettleWorkload.groupSize), "-n", String(callsPerRun),
          "-r", String(workload.credentialCount), "--csv",
        ] + template.words(step: workload.advance()))
      seconds += Double(callsPerRun) / (try Self.rate(inCSV: csv))
    }
    let after = try statistics()
    let calls = runs * callsPerRun
    let acceptances = after.writes.calls - before.writes.calls
    guard after.scripts.calls - before.scripts.calls == calls,
      after.scripts.failures == before.scripts.failures,
      (calls * 96 / 100...calls).contains(acceptances)
    else {
      throw BenchmarkFault("redis-benchmark: of \(calls) calls \(acceptances) were acceptances")
    }
    return seconds
  }

  private func statistics() throws -> (scripts: CommandStatistics, writes: CommandStatistics) {
    let text = try ChildProcess.output(of: ["redis-cli"] + server + ["INFO", "commandstats"])
    return (CommandStatistics(of: "evalsha", in: text), CommandStatistics(of: "set", in: text))
  }

  /// The server as arguments of Redis' own programs, which know no URL of a socket.
  package static func serverArguments(_ url: String) -> [String] {
    let scheme = "unix://"
    guard url.hasPrefix(scheme) else { return ["-u", url] }
    return ["-s", String(url.dropFirst(scheme.count).prefix { $0 != "?" })]
  }

  /// Calls per second, the second column of the last line.
  package static func rate(inCSV csv: String) throws -> Double {
    let columns = csv.split(separator: "\n").last?.split(separator: "\",\"") ?? []
    guard columns.count > 2, let rate = Double(columns[1]), rate > 0 else {
      throw BenchmarkFault("redis-benchmark wrote no rate")
    }
    return rate
  }
}

/// A call of a script, with places for a credential, a time and a step.
package struct CallTemplate {
  private let recorded: [String]
  private let step: UInt64

  /// What `redis-benchmark` puts twelve random digits in place of.
  private static let randomNumber = "__rand_int__"

  /// - Parameters:
  ///   - call: the words of a call, of an attempt for `id` in the first second of `step`.
  package init(_ call: [String], id: String, step: UInt64) throws {
    recorded = call.map { $0.replacing(id, with: Self.randomNumber) }
    self.step = step
    for text in [Self.randomNumber, Self.padded(step), Self.paddedTime(step)]
    where !recorded.contains(where: { $0.contains(text) }) {
      throw BenchmarkFault("the ledger's call of its script has another form")
    }
  }

  /// The call for any credential at the beginning of another step.
  package func words(step new: UInt64) -> [String] {
    recorded.map { word in
      word.replacing(Self.padded(step), with: Self.padded(new))
        .replacing(Self.paddedTime(step), with: Self.paddedTime(new))
    }
  }

  /// The script's numbers have twenty digits.
  private static func padded(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 20 - digits.count) + digits
  }

  private static func paddedTime(_ step: UInt64) -> String {
    padded(UInt64(SettleWorkload.time(of: step).seconds))
  }

  /// The words of a script's call, or nil for a line that shows something else. A line of `MONITOR` is
  /// `1700000000.123456 [0 unix:/path] "EVALSHA" "..." ...`; the words have no quotation marks in them.
  package static func call(inMonitorLine line: String) -> [String]? {
    let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
    let words = stride(from: 1, to: pieces.count, by: 2).map { String(pieces[$0]) }
    return words.first?.uppercased() == "EVALSHA" ? words : nil
  }
}

/// What a Redis server has counted of one command.
package struct CommandStatistics: Equatable {
  package var calls = 0
  package var failures = 0

  /// - Parameter text: of `INFO commandstats`, with lines like
  ///   `cmdstat_set:calls=3,usec=5,usec_per_call=1.67,rejected_calls=0,failed_calls=0`.
  package init(of command: String, in text: String) {
    let start = "cmdstat_\(command):"
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix(start) })
    else { return }
    for field in line.dropFirst(start.count).split(separator: ",") {
      let parts = field.split(separator: "=")
      guard parts.count == 2, let number = Int(parts[1]) else { continue }
      switch parts[0] {
      case "calls": calls = number
      case "rejected_calls", "failed_calls": failures += number
      default: break
      }
    }
  }
}
