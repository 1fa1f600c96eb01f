import OTP

extension RedisSettings {
  /// Parses `redis://[[user]:password@]host[:port][/database][?prefix=...]` or
  /// `unix://[[user]:password@]/path[?db=...&prefix=...]`.
  ///
  /// The text may hold a password: no error repeats a part of it.
  ///
  /// - Throws: `invalidArgument`.
  init(url: String) throws(OTPError) {
    let text = Array(url.utf8)[...]
    guard !text.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw .badURL("a URL has no spaces or control characters; write them as %20")
    }
    guard !text.contains(UInt8(ascii: "#")) else {
      throw .badURL("a Redis URL has no fragment; write # as %23")
    }
    let (address, query) = text.split(at: text.firstIndex(of: UInt8(ascii: "?")))
    let isSocket: Bool
    if address.starts(with: "redis://".utf8) {
      isSocket = false
    } else if address.starts(with: "unix://".utf8) {
      isSocket = true
    } else {
      throw .badURL("a Redis URL begins with redis:// or unix://; there is no TLS")
    }
    let rest = address.dropFirst(isSocket ? 7 : 8)
    let slash = rest.firstIndex(of: UInt8(ascii: "/"))
    let authority = rest[..<(slash ?? rest.endIndex)]
    let path = rest[(slash ?? rest.endIndex)...]
    let at = authority.lastIndex(of: UInt8(ascii: "@"))

    if isSocket {
      guard at.map({ $0 + 1 }) ?? authority.startIndex == authority.endIndex else {
        throw .badURL("a socket's path begins with a slash: unix:///path")
      }
      self.init(address: .unix(path: try path.decodedText()))
    } else {
      let host = at.map { authority[($0 + 1)...] } ?? authority
      self.init(address: try Self.tcp(host))
      if path.count > 1 { database = try path.dropFirst().decimal("the database") }
    }
    if let at {
      let (name, password) = authority[..<at].split(
        at: authority[..<at].firstIndex(of: UInt8(ascii: ":")))
      guard let password else {
        throw .badURL("a user needs a password; a password alone a colon before it")
      }
      if !name.isEmpty { user = try name.decoded() }
      self.password = try password.decoded()
    }
    var seen: Set<String> = []
    for parameter in query?.split(separator: UInt8(ascii: "&")) ?? [] {
      let (name, value) = parameter.split(at: parameter.firstIndex(of: UInt8(ascii: "=")))
      let known = try name.decodedText()
      guard let value, seen.insert(known).inserted else {
        throw .badURL("a parameter has one value")
      }
      switch known {
      case "prefix": prefix = try value.decoded()
      case "db" where isSocket: database = try value.decimal("the database")
      default: throw .badURL("an unknown parameter")
      }
    }
  }

  /// Parses `host`, `host:port`, `[address]` or `[address]:port`.
  private static func tcp(_ text: ArraySlice<UInt8>) throws(OTPError) -> RedisLedger.Address {
    var host = text
    var port: ArraySlice<UInt8>?
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else {
        throw .badURL("an address in brackets does not end")
      }
      host = text[(text.startIndex + 1)..<end]
      let rest = text[(end + 1)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") else {
        throw .badURL("after an address in brackets comes a colon or nothing")
      }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else {
      (host, port) = text.split(at: text.firstIndex(of: UInt8(ascii: ":")))
    }
    guard !host.isEmpty else { throw .badURL("there is no host") }
    return .tcp(
      host: try host.decodedText(), port: try port?.decimal("the port") ?? 6379)
  }
}

extension ArraySlice<UInt8> {
  /// What is before `index`, and what is after it; all, and nil, when there is no index.
  fileprivate func split(at index: Int?) -> (ArraySlice, ArraySlice?) {
    guard let index else { return (self, nil) }
    return (self[..<index], self[(index + 1)...])
  }

  /// The bytes that a percent-encoded text stands for.
  fileprivate func decoded() throws(OTPError) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = self
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw .badURL("% without two hexadecimal digits") }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  fileprivate func decodedText() throws(OTPError) -> String {
    let bytes = try decoded()
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is not UTF-8; then the bytes differ.
    guard text.utf8.elementsEqual(bytes) else {
      throw .badURL("not UTF-8 after percent-decoding")
    }
    return text
  }

  /// A number of one to nine plain digits.
  fileprivate func decimal(_ what: String) throws(OTPError) -> Int {
    guard (1...9).contains(count), allSatisfy({ (48...57).contains($0) }),
      let value = Int(String(decoding: self, as: UTF8.self))
    else { throw .badURL("\(what) is no number") }
    return value
  }
}

extension OTPError {
  fileprivate static func badURL(_ message: String) -> OTPError {
    OTPError(.invalidArgument, message)
  }
}
