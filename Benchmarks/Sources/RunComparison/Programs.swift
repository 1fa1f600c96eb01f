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
  ///   - command: an absolute path, or a name for the search path, and the arguments.
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { old, _ in old }
    // Files without a name take all that comes, and nobody has to read meanwhile.
    guard let output = tmpfile(), let errors = tmpfile() else {
      throw fail(.notStarted(String(cString: strerror(errno))))
    }
    defer {
      fclose(output)
      fclose(errors)
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: fileno(output), closeOnDealloc: false)
    process.standardError = FileHandle(fileDescriptor: fileno(errors), closeOnDealloc: false)
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    // An interrupt comes before the start or finds the process.
    let failure = state.withLock { state -> ProgramError.Problem? in
      guard isTidying || !state.isInterrupted else { return .interrupted }
      do {
        try withSignals { try process.run() }
      } catch {
        return .notStarted(error.localizedDescription)
      }
      state.running.insert(process.processIdentifier)
      return nil
    }
    if let failure { throw fail(failure) }
    let isInTime = ended.wait(timeout: .now() + seconds) == .success
    if !isInTime {
      // Its own children too: it is the first of a process group.
      kill(-process.processIdentifier, SIGKILL)
      ended.wait()
    }
    let isInterrupted = state.withLock { state in
      state.running.remove(process.processIdentifier)
      return state.isInterrupted && !isTidying
    }
    if isInterrupted { throw fail(.interrupted) }
    guard isInTime else { throw fail(.tookTooLong(seconds: seconds)) }
    let status = process.terminationStatus
    guard process.terminationReason == .exit else {
      throw fail(.killed(signal: status, Self.contents(errors)))
    }
    // The status by which env says that it could not start it.
    guard status != 126, status != 127 else {
      throw fail(.notStarted(Self.contents(errors)))
    }
    guard status == 0 else { throw fail(.failed(status: status, Self.contents(errors))) }
    return Self.contents(output)
  }

  /// A program has the signal mask of the thread that starts it, and Dispatch's threads block what is to end it.
  private func withSignals(_ start: () throws -> Void) rethrows {
    var none = sigset_t()
    var old = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    try start()
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
