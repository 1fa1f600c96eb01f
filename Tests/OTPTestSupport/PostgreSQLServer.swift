import Foundation
import Synchronization

/// A PostgreSQL server in a temporary folder, which also has its socket.
public final class PostgreSQLServer: Sendable {
  /// The server for all tests that need no more than that there is one. It keeps nothing safe from a crash.
  public static let shared = Task {
    let server = try PostgreSQLServer(settings: ["fsync=off"])
    atExit { server.remove() }
    try await server.start()
    return server
  }

  /// The role of the tests, which may do anything.
  public static let role = "postgres"

  /// A role that needs a password.
  public static let guardedRole = "guarded"

  public let folder: TemporaryFolder
  public let port: Int
  private let settings: [String]
  private let process = Mutex<ServerProcess?>(nil)

  /// Makes a new cluster, or a copy of another server's that is to follow it.
  /// - Parameter port: only a part of the socket's name, unless the settings have it listen elsewhere too.
  public init(
    port: Int = 5432, settings: [String] = [], following primary: PostgreSQLServer? = nil
  ) throws {
    self.port = port
    folder = try TemporaryFolder("postgresql", owner: Self.role)
    self.settings = settings
    if let primary {
      try Self.run(
        "pg_basebackup",
        [
          "-h", primary.folder.path, "-U", Self.role, "-D", data, "-R", "-X", "stream", "-c",
          "fast",
        ])
    } else {
      try Self.run(
        "initdb",
        ["-D", data, "-U", Self.role, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
      let rules = "\(data)/pg_hba.conf"
      try
        "local all \(Self.guardedRole) scram-sha-256\n\(String(contentsOfFile: rules, encoding: .utf8))"
        .write(toFile: rules, atomically: false, encoding: .utf8)
    }
  }

  /// Runs `body` with a server of its own.
  public static func with<R>(
    port: Int = 5432, settings: [String] = [], _ body: (PostgreSQLServer) async throws -> R
  ) async throws -> R {
    let server = try PostgreSQLServer(port: port, settings: settings)
    defer { server.remove() }
    try await server.start()
    return try await body(server)
  }

  public var data: String { "\(folder.path)/data" }

  /// The postmaster.
  public var pid: Int32 { process.withLock { $0?.pid ?? 0 } }

  /// Starts it and waits until it answers.
  public func start() async throws {
    let options =
      ([
        "unix_socket_directories=\(folder.path)", "listen_addresses=", "port=\(port)",
      ] + settings).flatMap { ["-c", $0] }
    let program = try Self.program("postgres")
    try await waitUntil {
      let started = try ServerProcess(
        program, ["-D", data] + options, as: Self.role, log: "\(folder.path)/log")
      process.withLock { $0 = started }
      // After a crash, what is left of the server before may hold on to the cluster for a moment.
      while started.isRunning {
        if (try? sql("SELECT 1")) != nil { return true }
        usleep(10_000)
      }
      return false
    }
  }

  /// Stops it and ends its connections.
  public func stop(by signal: Int32 = SIGINT) {
    process.withLock { $0 }?.stop(by: signal)
  }

  public func send(_ signal: Int32) {
    process.withLock { $0?.send(signal) }
  }

  public func remove() {
    stop()
    folder.remove()
  }

  /// Key=value pairs for a connection.
  public func connection(
    role: String = PostgreSQLServer.role, database: String = "postgres", _ more: String = ""
  ) -> String {
    "host=\(folder.path) port=\(port) user=\(role) dbname=\(database) \(more)"
  }

  /// Runs statements and returns the rows of the last one, a line each, with | between columns.
  @discardableResult
  public func sql(_ text: String) throws -> String {
    try OTPTestSupport.run(
      Self.program("psql"),
      ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection(), "-c", text])
  }

  private static func run(_ name: String, _ arguments: [String]) throws {
    try OTPTestSupport.run(program(name), arguments, as: role)
  }

  /// Debian has the programs in a folder for each version, outside the search path.
  private static func program(_ name: String) throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) } ?? ""
    let folders = ["\(root)/\(newest)/bin", "/usr/bin", "/usr/local/bin"]
    guard
      let folder = folders.first(where: {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
      })
    else { throw RunFailure("there is no program \(name)") }
    return "\(folder)/\(name)"
  }
}
