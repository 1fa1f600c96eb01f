import Foundation
import OTP

/// The key and the parameters of one credential, from a key file and options or from a URI.
struct CredentialInput {
  let secret: Secret
  let factor: OTPAuthURI.Factor

  var hotp: HOTP { factor.parameters }

  /// A key file and the parameters of a code.
  static let keyOptions = [
    Option(
      name: "key-file", argument: "PATH",
      help: "read the key from this file, or from standard input for -\n"
        + "(never from an argument: other users could see it)"),
    Option(
      name: "key-format", argument: "FORMAT",
      help: "base32, hex or raw (default: base32); raw takes every byte,\na line end too"),
    Option(
      name: "algorithm", argument: "NAME", help: "sha1, sha256 or sha512 (default: sha1)"),
    Option(name: "digits", argument: "N", help: "digits of a code: 6, 7 or 8 (default: 6)"),
    Option(name: "period", argument: "SECONDS", help: "length of a time step (default: 30)"),
  ]

  static let counterOption = Option(
    name: "counter", argument: "N", help: "HOTP with this counter, instead of TOTP")

  static let uriOption = Option(
    name: "uri-file", argument: "PATH",
    help: "read an otpauth URI from this file, or from standard input\n"
      + "for -, instead of --key-file and the parameters")

  static let t0Option = Option(
    name: "t0", argument: "SECONDS", help: "Unix time at which step 0 begins (default: 0)")

  init(_ arguments: Arguments) throws {
    try arguments.requireAtMostOne(of: "key-file", "uri-file")
    if let path = arguments.value(of: "uri-file") {
      for option in ["key-format", "algorithm", "digits", "period", "t0"] {
        try arguments.requireAtMostOne(of: "uri-file", option)
      }
      let uri = try readSecretFile(path, of: "uri-file").withBytes { text in
        try OTPAuthURI(utf8: text.trimmingLineEnd())
      }
      secret = uri.secret
      switch (uri.factor, try arguments.counter()) {
      case (.totp, .some): throw ToolError("--counter is for HOTP, and the URI's type is totp")
      case (.hotp(let hotp, _), .some(let counter)): factor = .hotp(hotp, counter: counter)
      case (let own, nil): factor = own
      }
    } else {
      secret = try Self.readKey(arguments)
      factor = try Self.readFactor(arguments)
    }
  }

  static func readKey(_ arguments: Arguments) throws -> Secret {
    guard let path = arguments.value(of: "key-file") else {
      throw ToolError("a key is needed: give --key-file PATH, or --key-file - for standard input")
    }
    let format = arguments.value(of: "key-format") ?? "base32"
    guard ["base32", "hex", "raw"].contains(format) else {
      throw ToolError("--key-format must be base32, hex or raw")
    }
    return try readSecretFile(path, of: "key-file").withBytes { bytes in
      switch format {
      case "raw": try Secret(bytes: Span(_unsafeBytes: bytes))
      case "hex": try Secret(hexBytes: bytes)
      default: try Secret(base32Bytes: bytes)
      }
    }
  }

  private static func readAlgorithm(_ arguments: Arguments) throws -> HashAlgorithm {
    guard let name = arguments.value(of: "algorithm") else { return .sha1 }
    do {
      return try HashAlgorithm(name: name)
    } catch {
      throw ToolError("--algorithm must be sha1, sha256 or sha512")
    }
  }

  static func readFactor(_ arguments: Arguments) throws -> OTPAuthURI.Factor {
    let algorithm = try readAlgorithm(arguments)
    let digits = try arguments.integer("digits", as: Int.self, "6, 7 or 8") ?? 6
    if let counter = try arguments.counter() {
      for option in ["period", "t0", "at", "at-ms"] {
        try arguments.requireAtMostOne(of: "counter", option)
      }
      return .hotp(try HOTP(algorithm: algorithm, digits: digits), counter: counter)
    }
    let period = try arguments.integer("period", as: Int64.self, "whole seconds from 1") ?? 30
    let t0 = UnixTime(
      seconds: try arguments.integer("t0", as: Int64.self, "whole Unix seconds") ?? 0)
    return .totp(try TOTP(algorithm: algorithm, digits: digits, period: period, t0: t0))
  }
}

/// The moving factor that a command works with, and the time that it comes from.
struct Moment {
  let movingFactor: UInt64
  var time: UnixTime?

  static let options = [
    Option(
      name: "at", argument: "SECONDS",
      help: "the Unix time in whole seconds (default: the clock's)"),
    Option(
      name: "at-ms", argument: "MILLISECONDS", help: "the Unix time in milliseconds, rounded down"),
  ]

  init(_ credential: CredentialInput, _ arguments: Arguments) throws {
    try arguments.requireAtMostOne(of: "at", "at-ms")
    switch credential.factor {
    case .hotp(_, let counter):
      for option in ["at", "at-ms"] where arguments.has(option) {
        throw ToolError("--\(option) is for TOTP, and the URI's type is hotp")
      }
      movingFactor = counter
    case .totp(let totp):
      let time: UnixTime
      if let seconds = try arguments.integer("at", as: Int64.self, "whole Unix seconds from 0") {
        time = UnixTime(seconds: seconds)
      } else if let milliseconds = try arguments.integer(
        "at-ms", as: Int64.self, "whole milliseconds from 0")
      {
        time = UnixTime(milliseconds: milliseconds)
      } else {
        time = UnixTime(seconds: Int64(Foundation.time(nil)))
      }
      movingFactor = try totp.step(at: time)
      self.time = time
    }
  }
}

extension Arguments {
  fileprivate func counter() throws -> UInt64? {
    try integer("counter", as: UInt64.self, "a whole number from 0 to \(UInt64.max)")
  }
}
