import Foundation
import OTPTestSupport

/// The kinds of ledgers that keep their state in something that several processes can share.
let sharedLedgers = ["sqlite", "redis", "postgresql"]

/// A new and empty ledger of a kind, as `--ledger` takes it: all but the one in memory are in a file of
/// `folder`, or in a part of their own of a server that the tests share.
func newLedger(_ kind: String, in folder: TemporaryFolder) async throws -> String {
  let name = "otp_\(UInt64.random(in: .min ... .max))"
  switch kind {
  case "sqlite":
    return "sqlite:\(folder.path)/\(name)"
  case "redis":
    return "unix://\(try await RedisServer.shared.value.socket)?prefix=\(name):"
  case "postgresql":
    let server = try await PostgreSQLServer.shared.value
    try await server.sql("CREATE DATABASE \(name)")
    return "postgresql:///\(name)?host=\(server.folder.path)&port=\(server.port)"
      + "&user=\(PostgreSQLServer.role)"
  default:
    return kind
  }
}
