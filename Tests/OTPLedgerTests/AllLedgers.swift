import OTP
import OTPSQLite
import OTPTestSupport
import OTPVerification
import Testing

/// Every ledger that the conformance suite runs on. A new one joins by one line.
let allLedgers: [TestedLedger] = [
  TestedLedger("memory") { MemoryLedger() },
  TestedLedger("sqlite") { try await SQLiteLedger(path: TemporaryFolder.shared.path + "/ledger") },
  TestedLedger("PostgreSQL") { try await PostgreSQLServer.shared.value.ledger() },
  TestedLedger("redis") { try await RedisServer.shared.value.ledger() },
]

/// A ledger with a name for the test report, made when it is first needed and shared by all tests: each
/// test uses credential ids of its own.
struct TestedLedger: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let made: Task<any Ledger, any Error>

  init(_ name: String, _ make: @escaping @Sendable () async throws -> any Ledger) {
    testDescription = name
    made = Task { try await make() }
  }

  var ledger: any Ledger {
    get async throws { try await made.value }
  }
}

/// A credential id that no other test uses.
func freshID() throws -> CredentialID {
  var generator = SystemRandomNumberGenerator()
  return try CredentialID(
    bytes: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}

func totpCredential(_ key: String, _ id: CredentialID? = nil) throws -> Credential {
  Credential(id: try id ?? freshID(), factor: .totp(try TOTP()), secret: try Secret(base32: key))
}

func hotpCredential(_ key: String, counter: UInt64, _ id: CredentialID? = nil) throws -> Credential
{
  Credential(
    id: try id ?? freshID(), factor: .hotp(try HOTP(), counter: counter),
    secret: try Secret(base32: key))
}
