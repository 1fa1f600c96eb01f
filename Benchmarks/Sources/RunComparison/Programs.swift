import Dispatch
import Foundation
import Synchronization

/// Runs programs to their end, but no longer than they may, and ends them when the run is interrupted.
package final class Programs: Sendable {
  private struct State {
    var running: Set<pid_t> = []
    var isInterrupted = false
  }

  private let state = Mutex(State())

  package init() {}

  package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Ends what runs. From then on nothing starts but what tidies up. A second time, it asks no more.
  package func interrupt() {
    state.withLock { state in
      // Builds end their own children on the first one.
      for process in state.running { kill(-process, state.isInterrupted ? SIGKILL : SIGINT) }
      state.isInterrupted = true
    }
  }

  /// Runs a program to its end.
  /// - Parameters:
  ///   - command: a path, or a name for the search path, and the arguments.
  ///   - environment: variables that are set where the environment does not set them.
  ///   - seconds: how long it may take.
  ///   - isTidying: whether it runs after an interrupt too.
  /// - Returns: what it wrote to standard output.
  @discardableResult
  package func run(
    _ command: [String], environment: [String: String] = [:], seconds: Double,
    isTidying: Bool = false
  ) throws(ProgramError) -> String {
    func fail(_ problem: ProgramError.Problem) -> ProgramError {
      ProgramError(program: command[0], problem)
    }
    // Files without a name take all that comes, and nobody has to read meanwhile.
    guard let output = tmpfile(), let errors = tmpfile() else {
      throw fail(.notStarted(String(cString: strerror(errno))))
    }
    defer {
      fclose(output)
      fclose(errors)
    }
    // An interrupt comes before the start or finds the process.
    let started = state.withLock { state -> Result<pid_t, ProgramError> in
      guard isTidying || !state.isInterrupted else { return .failure(fail(.interrupted)) }
      let (process, error) = spawn(
        command, environment: environment, output: fileno(output), errors: fileno(errors))
      guard error == 0 else {
        return .failure(fail(.notStarted(String(cString: strerror(error)))))
      }
      state.running.insert(process)
      return .success(process)
    }
    let process = try started.get()
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // The process stays as it is, so that no other one can have its number before it is taken from the list.
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      ended.signal()
    }
    let isInTime = ended.wait(timeout: .now() + seconds) == .success
    if !isInTime {
      // Its own children too.
      kill(-process, SIGKILL)
      ended.wait()
    }
    var status: Int32 = 0
    let isInterrupted = state.withLock { state in
      state.running.remove(process)
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return state.isInterrupted && !isTidying
    }
    if isInterrupted { throw fail(.interrupted) }
    guard isInTime else { throw fail(.tookTooLong(seconds: seconds)) }
    // As the macros of wait.h have it, which Swift does not import.
    guard status & 0x7F == 0 else {
      throw fail(.killed(signal: status & 0x7F, Self.contents(errors)))
    }
    guard status == 0 else { throw fail(.failed(status: status >> 8, Self.contents(errors))) }
    return Self.contents(output)
  }

  private static func contents(_ file: UnsafeMutablePointer<FILE>) -> String {
    rewind(file)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Why a program did not do what it should.
package struct ProgramError: Error, Equatable, CustomStringConvertible {
  package enum Problem: Equatable, Sendable {
    case notStarted(String)

    /// With what it wrote to standard error, as the next one.
    case failed(status: Int32, String)
    case killed(signal: Int32, String)
    case tookTooLong(seconds: Double)
    case interrupted
  }

  package let program: String
  package let problem: Problem

  init(program: String, _ problem: Problem) {
    self.program = program
    self.problem = problem
  }

  package var description: String {
    switch problem {
    case .notStarted(let reason): "\(program) cannot be started: \(Self.end(of: reason))"
    case .failed(let status, let text):
      "\(program) ended with status \(status)\(Self.addition(text))"
    case .killed(let signal, let text):
      "\(program) was ended by signal \(signal)\(Self.addition(text))"
    case .tookTooLong(let seconds): "\(program) did not end within \(seconds) seconds"
    case .interrupted: "interrupted"
    }
  }

  private static func addition(_ text: String) -> String {
    let end = end(of: text)
    return end.isEmpty ? "" : ": \(end)"
  }

  /// The last lines, which mostly say what was wrong.
  private static func end(of text: String) -> String {
    text.split(separator: "\n").suffix(10).joined(separator: "\n")
  }
}
