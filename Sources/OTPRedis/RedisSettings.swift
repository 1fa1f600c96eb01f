import OTP

/// Where the server is, and how it is spoken to.
struct RedisSettings: Sendable {
  var address: RedisLedger.Address
  var user: [UInt8]?
  var password: [UInt8]?
  var database = 0
  var prefix = Array("otp:".utf8)

  /// Milliseconds.
  var connectTimeout = 5_000
  var commandTimeout = 5_000

  /// - Throws: `invalidArgument`.
  func check() throws(OTPError) {
    switch address {
    case .tcp(let host, let port):
      guard Self.isCString(host), (1...65_535).contains(port) else {
        throw OTPError(.invalidArgument, "a server has a host and a port of 1 to 65535")
      }
    case .unix(let path):
      guard Self.isCString(path) else {
        throw OTPError(.invalidArgument, "a socket has a path")
      }
    }
    guard user == nil || password != nil else {
      throw OTPError(.invalidArgument, "a user needs a password")
    }
    guard (0...Int(Int32.max)).contains(database) else {
      throw OTPError(.invalidArgument, "a database has a number from 0")
    }
    guard prefix.count <= 1024 else {
      throw OTPError(.invalidArgument, "a prefix has at most 1024 bytes")
    }
    for timeout in [connectTimeout, commandTimeout] where !(1...3_600_000).contains(timeout) {
      throw OTPError(.invalidArgument, "a timeout is 1 to 3600000 milliseconds")
    }
  }

  /// A text that C takes whole.
  private static func isCString(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains(0)
  }
}
