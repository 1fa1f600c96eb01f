import Foundation
import OTP
import OTPPostgreSQL
import OTPRedis
import OTPSQLite
import OTPVerification

extension Option {
  static let ledger = Option(
    name: "ledger", argument: "LEDGER",
    help: "memory (forgets all at the end), sqlite:PATH, redis://HOST,\n"
      + "unix:///PATH (Redis), or postgresql://HOST/DATABASE\n(default: memory)")

  static let ledgerFile = Option(
    name: "ledger-file", argument: "FILE",
    help: "read LEDGER from this file, so that no other user sees a\npassword in it")
}

/// Which ledger was asked for.
struct LedgerChoice: Sendable {
  private let text: String
  private let sqlitePath: String?

  /// Reads --ledger or the file that --ledger-file names, once: it may be a pipe.
  init(_ arguments: Arguments) throws {
    try arguments.requireAtMostOne(of: "ledger", "ledger-file")
    let file = arguments.value(of: "ledger-file")
    if let path = file {
      text = try readSecretFile(path, of: "ledger-file").withBytes { bytes in
        String(decoding: bytes.trimmingLineEnd(), as: UTF8.self)
      }
    } else {
      text = arguments.value(of: "ledger") ?? "memory"
    }
    sqlitePath = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : nil
    var files = file.map { [$0] } ?? []
    if let sqlitePath {
      // SQLite keeps a part of the ledger beside the file itself while it is in use.
      let path = destination(of: sqlitePath)
      files += ["", "-wal", "-shm", "-journal"].map { path + $0 }
    }
    self.files = files
  }

  /// The files that the ledger is in, or that names it.
  let files: [String]

  /// The ledger's kind, which tells nothing of where it is.
  var kind: String { String(text.prefix { $0 != ":" }) }

  /// The ledger. A PostgreSQL one gets its tables where they are missing.
  func open() async throws -> any Ledger {
    if let sqlitePath {
      try Self.requireFolder(ofFile: sqlitePath)
      return try await SQLiteLedger(path: sqlitePath)
    }
    switch kind {
    case "memory" where text == kind:
      return MemoryLedger()
    case "redis" where text != kind, "unix" where text != kind:
      return try RedisLedger(url: text)
    case "postgresql" where text != kind, "postgres" where text != kind:
      let ledger = try PostgreSQLLedger(connection: text)
      try await ledger.migrate()
      return ledger
    default:
      throw ToolError(
        "--ledger must be memory, sqlite:PATH, redis://..., unix:///... or postgresql://...")
    }
  }

  /// The ledger, which must be there: a new file under a mistyped name would know of no lock.
  func openExisting() async throws -> any Ledger {
    if let sqlitePath, !FileManager.default.fileExists(atPath: sqlitePath) {
      throw OTPError(.ledgerUnavailable, "there is no SQLite ledger \(sqlitePath)")
    }
    return try await open()
  }

  /// The library's errors leave paths out; that a folder is missing helps only with its name.
  private static func requireFolder(ofFile path: String) throws(OTPError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if path.isEmpty
      || FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        && isFolder.boolValue
    {
      return
    }
    throw OTPError(
      .ledgerUnavailable, "the SQLite ledger cannot be opened: there is no folder \(folder)")
  }
}

/// Where a path leads to over symbolic links, be a file there or not.
private func destination(of path: String) -> String {
  var path = path
  // As many as the system follows: they may lead in a circle.
  for _ in 0..<40 {
    guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    path = URL(fileURLWithPath: next, relativeTo: folder).path
  }
  return path
}
