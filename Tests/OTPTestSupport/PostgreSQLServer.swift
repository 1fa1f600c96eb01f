import Foundation
import Synchronization

/// A PostgreSQL server in a temporary folder, which also has its socket.
public final class PostgreSQLServer: Sendable {
  /// The server for all tests that need no more than that there is one. It keeps nothing safe from a crash.
  public static let shared = Task {
    let server = try await PostgreSQLServer(settings: ["fsync=off"])
    atExit { server.remove() }
    try await server.start()
    return server
  }

  /// The role of the tests, which may do anything.
  public static let role = "postgres"

  /// A role that needs a password.
  public static let guardedRole = "guarded"

  public let folder: ServerFolder
  public let port: Int
  private let settings: [String]
  private let process = Mutex<ServerProcess?>(nil)

  private init(
    port: Int = 5432, settings: [String], following primary: PostgreSQLServer? = nil
  ) async throws {
    self.port = port
    self.settings = settings
    folder = try ServerFolder("postgresql", owner: Self.role)
    let data = data
    if let primary {
      let source = primary.folder.path
      try await onOwnThread {
        try run(
          Self.program("pg_basebackup"),
          ["-h", source, "-U", Self.role, "-D", data, "-R", "-X", "stream", "-c", "fast"],
          as: Self.role)
      }
    } else {
      try await onOwnThread {
        try run(
          Self.program("initdb"),
          ["-D", data, "-U", Self.role, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
          as: Self.role)
        let path = "\(data)/pg_hba.conf"
        let rules = try String(contentsOfFile: path, encoding: .utf8)
        try "local all \(Self.guardedRole) scram-sha-256\n\(rules)"
          .write(toFile: path, atomically: false, encoding: .utf8)
      }
    }
  }

  /// Runs `body` with a server of its own.
  /// - Parameters:
  ///   - port: only a part of the socket's name, unless the settings have it listen elsewhere too.
  ///   - primary: the server whose standby it is to be.
  public static func with<R>(
    port: Int = 5432, settings: [String] = [], following primary: PostgreSQLServer? = nil,
    _ body: (PostgreSQLServer) async throws -> R
  ) async throws -> R {
    let server = try await PostgreSQLServer(port: port, settings: settings, following: primary)
    let result: Result<R, any Error>
    do {
      try await server.start()
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    try await onOwnThread { server.remove() }
    return try result.get()
  }

  public var data: String { "\(folder.path)/data" }

  /// Starts it and waits until it answers.
  public func start() async throws {
    let options =
      ([
        "unix_socket_directories=\(folder.path)", "listen_addresses=", "port=\(port)",
        // All of it is in the folder, also after a crash.
        "dynamic_shared_memory_type=mmap",
      ] + settings).flatMap { ["-c", $0] }
    let program = try Self.program("postgres")
    try await waitUntil {
      let started = try ServerProcess(
        program, ["-D", data] + options, as: Self.role, log: "\(folder.path)/log")
      process.withLock { $0 = started }
      try await waitUntil { started.isRunning ? await answers : true }
      // After a crash, what is left of the server before may hold on to the cluster for a moment.
      return started.isRunning
    }
  }

  private var answers: Bool {
    get async { await (try? sql("SELECT 1")) != nil }
  }

  /// Stops it and ends its connections.
  public func stop(by signal: Int32 = SIGINT) async throws {
    let process = process.withLock { $0 }
    try await onOwnThread { process?.stop(by: signal) }
  }

  /// Sends a signal to the server's first process, not to those of its connections.
  public func send(_ signal: Int32) {
    process.withLock { $0?.send(signal) }
  }

  private func remove() {
    process.withLock { $0 }?.stop(by: SIGINT)
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
  public func sql(_ text: String) async throws -> String {
    let connection = connection()
    return try await onOwnThread {
      try run(
        Self.program("psql"),
        ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection, "-c", text])
    }
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
