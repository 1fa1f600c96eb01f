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
  private let grace: Double

  /// - Parameter grace: how many seconds a program has to end by itself, once it is asked to by an interrupt. Builds end
  ///   their own children meanwhile, those that take no notice after ten seconds.
  package init(grace: Double = 15) {
    self.grace = grace
  }

  package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Ends what runs: it is asked to, and killed when it still runs after the grace, or when this is called a second
  /// time. From the first time on nothing starts but what tidies up.
  package func interrupt() {
    let asked = state.withLock { state -> Set<pid_t> in
      for process in state.running { kill(-process, state.isInterrupted ? SIGKILL : SIGINT) }
      defer { state.isInterrupted = true }
      return state.isInterrupted ? [] : state.running
    }
    guard !asked.isEmpty else { return }
    // One signal is not enough, even for a program that ignores none: a shell can lose it, when it comes after the fork
    // of a command and before its exec, and then waits for the command, which has not got it either.
    DispatchQueue.global().asyncAfter(deadline: .now() + grace) { [self] in
      state.withLock { state in
        for process in state.running.intersection(asked) { kill(-process, SIGKILL) }
      }
    }
  }

  /// Runs a program to its end.
  /// - Parameters:
  ///   - command: a path, or a name for the search path, and the arguments.
  ///   - environment: variables that are set where the environment does not set them.
  ///   - seconds: how long it may take.
  ///   - isTidying: whether it runs after an interrupt too, and is ended by none.
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
      // What tidies up ends by itself, and half of that would be left behind.
      if !isTidying { state.running.insert(process) }
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
      // What it started may have ignored the signal. The number of the group is still its own.
      if state.isInterrupted, !isTidying { kill(-process, SIGKILL) }
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return state.isInterrupted && !isTidying
    }
    // A signal only begins the end, and until then files are written.
    if isInterrupted || !isInTime { ProcessGroup.waitForEnd(of: process) }
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
