import OTP

extension Command {
  static let uriParse = Command(
    name: "uri parse",
    summary: "Reads otpauth URIs, one a line, and prints one JSON object for each.",
    details: """
      A line that is no valid URI gives {"error": KIND}, and the exit status is 2.
      The key is left out unless asked for.
      """,
    options: [Option(name: "show-key", help: "print the key too, in hexadecimal")],
    run: { arguments in
      let reader = try LineReader("-")
      var refused = 0
      let showsKey = arguments.has("show-key")
      try reader.forEachLine { _, line in
        do {
          guard let line else { throw OTPError(.invalidURI, "the line is too long") }
          try printJSON(URIRecord(try OTPAuthURI(utf8: line), showKey: showsKey))
        } catch let error as OTPError {
          refused += 1
          try printJSON(["error": error.code.description])
        }
      }
      guard refused == 0 else {
        throw ToolError("\(refused) of \(reader.lineNumber) lines are no valid otpauth URI")
      }
      return .done
    })

  static let uriBuild = Command(
    name: "uri build",
    summary: "Prints the otpauth URI of a key. It holds the key: keep it as safe.",
    options: [
      Option(name: "account", argument: "TEXT", help: "the user's name (needed)"),
      Option(name: "issuer", argument: "TEXT", help: "the service"),
    ] + CredentialInput.keyOptions + [
      Option(name: "counter", argument: "N", help: "a hotp URI with this counter")
    ],
    run: { arguments in
      guard let account = arguments.value(of: "account") else {
        throw ToolError("an account name is needed: give --account TEXT")
      }
      let uri = try OTPAuthURI(
        factor: try CredentialInput.readFactor(arguments),
        issuer: arguments.value(of: "issuer"), account: account,
        secret: try CredentialInput.readKey(arguments))
      try printLine(uri.text)
      return .done
    })
}

private struct URIRecord: Encodable {
  let uri: OTPAuthURI
  let showKey: Bool

  init(_ uri: OTPAuthURI, showKey: Bool) {
    self.uri = uri
    self.showKey = showKey
  }

  enum CodingKeys: String, CodingKey {
    case type, issuer, account, algorithm, digits, period, counter, key
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    switch uri.factor {
    case .totp(let totp):
      try object.encode("totp", forKey: .type)
      try object.encode(totp.period, forKey: .period)
    case .hotp(_, let counter):
      try object.encode("hotp", forKey: .type)
      try object.encode(counter, forKey: .counter)
    }
    let hotp = uri.factor.parameters
    // Written as null when there is none: every object of a type has the same fields.
    try object.encode(uri.issuer, forKey: .issuer)
    try object.encode(uri.account, forKey: .account)
    try object.encode(hotp.algorithm.rawValue, forKey: .algorithm)
    try object.encode(hotp.digits, forKey: .digits)
    if showKey { try object.encode(uri.secret.hexText, forKey: .key) }
  }
}

extension Secret {
  fileprivate var hexText: String {
    withBytes { bytes in
      var text = ""
      for index in bytes.indices {
        text += bytes[index] < 16 ? "0" : ""
        text += String(bytes[index], radix: 16)
      }
      return text
    }
  }
}
