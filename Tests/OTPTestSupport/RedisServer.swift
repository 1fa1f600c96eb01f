import Foundation
import Synchronization

/// A Redis server in a temporary folder, which also has its socket.
public final class RedisServer: Sendable {
  /// The server for all tests that need no more than that there is one. It saves nothing, and nobody changes
  /// its settings or flushes its scripts.
  public static let shared = Task {
    let server = try RedisServer()
    atExit { server.remove() }
    try await server.start()
    return server
  }

  public let folder: ServerFolder
  private let settings: [String]
  private let process = Mutex<ServerProcess?>(nil)

  /// - Parameter settings: as in the configuration file, "name value".
  public init(settings: [String] = []) throws {
    folder = try ServerFolder("redis")
    self.settings = settings
  }

  /// Runs `body` with a server of its own.
  public static func with<R>(
    settings: [String] = [], _ body: (RedisServer) async throws -> R
  ) async throws -> R {
    let server = try RedisServer(settings: settings)
    defer { server.remove() }
    try await server.start()
    return try await body(server)
  }

  public var socket: String { "\(folder.path)/socket" }

  /// Starts it and waits until it answers. Where it listens and what it saved are the same each time.
  public func start() async throws {
    let file = "\(folder.path)/configuration"
    let lines =
      ["port 0", "unixsocket \"\(socket)\"", "dir \"\(folder.path)\"", "save \"\""] + settings
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let started = try ServerProcess(
      "/usr/bin/redis-server", [file], log: "\(folder.path)/log")
    process.withLock { $0 = started }
    try await waitUntil {
      guard started.isRunning else {
        let log = (try? String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)) ?? ""
        throw RunFailure("redis-server ended: \(log)")
      }
      return (try? command("PING")) == "PONG"
    }
  }

  /// Ends it as a crash does.
  public func kill() {
    process.withLock { $0?.stop(by: SIGKILL) }
  }

  public func send(_ signal: Int32) {
    process.withLock { $0?.send(signal) }
  }

  public func remove() {
    kill()
    folder.remove()
  }

  /// Gives the server one command and returns its answer, as the default user without a password.
  @discardableResult
  public func command(_ words: String...) throws -> String {
    try command(words)
  }

  @discardableResult
  public func command(_ words: [String]) throws -> String {
    try run("/usr/bin/redis-cli", ["-s", socket, "-e"] + words)
  }
}
