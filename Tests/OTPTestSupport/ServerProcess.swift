import Foundation
import Synchronization

/// A program that runs beside the tests, and never longer than the test process.
public final class ServerProcess: Sendable {
  public let pid: Int32
  private let life: Life

  private final class Life: Sendable {
    let start = Mutex<Result<Int32, any Error>?>(nil)
    let isRunning = Mutex(true)
  }

  /// Starts `program`, which writes to the file `log`.
  /// - Parameter user: whom it runs as where the tests run as root.
  public init(
    _ program: String, _ arguments: [String], as user: String? = nil, log: String
  ) throws {
    let life = Life()
    let hasStarted = DispatchSemaphore(value: 0)
    // The program is killed when the thread that started it ends: this one waits for the program.
    Thread.detachNewThread {
      do {
        let process = mortalProcess(program, arguments, as: user)
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardOutput = output
        process.standardError = output
        try spawning.withLock { _ in try process.run() }
        life.start.withLock { $0 = .success(process.processIdentifier) }
        hasStarted.signal()
        process.waitUntilExit()
        life.isRunning.withLock { $0 = false }
      } catch {
        life.start.withLock { $0 = .failure(error) }
        hasStarted.signal()
      }
    }
    hasStarted.wait()
    pid = try life.start.withLock { try $0?.get() ?? 0 }
    self.life = life
  }

  public var isRunning: Bool { life.isRunning.withLock { $0 } }

  /// Sends a signal, unless the program has ended.
  public func send(_ signal: Int32) {
    if isRunning { kill(pid, signal) }
  }

  /// Ends the program by a signal, or by a kill when it takes longer than ten seconds.
  public func stop(by signal: Int32 = SIGTERM) {
    send(signal)
    var turns = 0
    while isRunning {
      turns += 1
      if turns == 1000 { send(SIGKILL) }
      usleep(10_000)
    }
  }
}

/// Runs a program to its end.
/// - Returns: what it wrote to standard output, without the last line end.
@discardableResult
public func run(
  _ program: String, _ arguments: [String], as user: String? = nil
) throws -> String {
  let process = mortalProcess(program, arguments, as: user)
  let (output, errors) = (try PrivatePipe(), try PrivatePipe())
  process.standardOutput = output.writing
  process.standardError = errors.writing
  try spawning.withLock { _ in try process.run() }
  try output.writing.close()
  try errors.writing.close()
  // What it writes to standard error has to fit into the pipe's buffer.
  let text = String(decoding: output.reading.readDataToEndOfFile(), as: UTF8.self)
  let reason = String(decoding: errors.reading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw RunFailure("\(program) failed (\(process.terminationStatus)): \(reason)")
  }
  return text.hasSuffix("\n") ? String(text.dropLast()) : text
}

/// Whoever starts a process or makes a pipe.
private let spawning = Mutex(())

/// A pipe that no other process inherits: a server that another test starts at the same moment would keep its end
/// open, and the reader would wait for ever.
private struct PrivatePipe {
  let reading: FileHandle
  let writing: FileHandle

  init() throws {
    var ends: [Int32] = [0, 0]
    let isMade = spawning.withLock { _ in
      pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }
    guard isMade else { throw RunFailure("there is no pipe") }
    reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }
}

public struct RunFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// A process, not started yet, that the kernel kills when the thread that starts it ends.
private func mortalProcess(_ program: String, _ arguments: [String], as user: String?) -> Process {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
  process.currentDirectoryURL = URL(fileURLWithPath: "/")
  process.standardInput = FileHandle.nullDevice
  let identity =
    if let user, getuid() == 0 { ["--reuid", user, "--regid", user, "--init-groups"] } else {
      [String]()
    }
  process.arguments = identity + ["--pdeathsig", "KILL", program] + arguments
  return process
}

/// A new folder for a server's files.
public final class ServerFolder: Sendable {
  public let path: String

  /// - Parameter owner: whose it is where the tests run as root.
  public init(_ name: String, owner: String? = nil) throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("otp-\(name)-\(UInt32.random(in: .min ... .max))").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    if let owner, getuid() == 0 { try run("/bin/chown", [owner, path]) }
  }

  public func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Does work that blocks on a thread of its own: those that the tests share are few.
@discardableResult
public func onOwnThread<R: Sendable>(
  _ work: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}

/// Waits until a condition holds.
/// - Throws: when it does not within a minute.
public func waitUntil(_ condition: () async throws -> Bool) async throws {
  let start = ContinuousClock.now
  while try await !condition() {
    guard start.duration(to: .now) < .seconds(60) else {
      throw RunFailure("what was waited for did not come")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Runs `action` when the test process ends by itself.
public func atExit(_ action: @escaping @Sendable () -> Void) {
  _ = exitHandler
  exitActions.withLock { $0.append(action) }
}

private let exitActions = Mutex<[@Sendable () -> Void]>([])

private let exitHandler: Int32 = atexit {
  for action in exitActions.withLock({ $0 }) { action() }
}
