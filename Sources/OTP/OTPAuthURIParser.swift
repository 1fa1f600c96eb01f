extension OTPAuthURI {
  /// Parses a URI.
  ///
  /// Scheme, type, parameter names and algorithm names are matched in any ASCII case. Percent
  /// encoding is undone once, and `+` is a plus. The label is cut behind the `issuer` parameter when
  /// it begins with that and a colon, else at its first colon, literal or encoded; the parameter wins
  /// over the label. `algorithm`, `digits` and `period` default to SHA1, 6 and 30; `counter` has no
  /// default. Parameters of the other type and unknown ones are ignored. What would otherwise give
  /// plausible wrong codes is refused: a known parameter given twice, a number that is not a plain
  /// ASCII decimal, HTML-escaped ampersands, a fragment.
  ///
  /// - Throws: `invalidURI`, `invalidScheme`, `invalidType`, `missingLabel`, `invalidLabel`,
  ///   `invalidIssuer`, `missingSecret`, `invalidSecret`, `invalidAlgorithm`, `invalidDigits`,
  ///   `invalidPeriod`, `missingCounter`, `invalidCounter`; the position is where the faulty part
  ///   begins in the URI's UTF-8.
  public init(_ text: some StringProtocol) throws(OTPError) {
    let utf8 = text.utf8
    // The text holds the secret: the copy that is parsed is wiped.
    let copy = SecretMemory(count: utf8.count) { $0.copyBytes(from: utf8) }
    self = try copy.withBytes { (bytes) throws(OTPError) in try OTPAuthURI(utf8: bytes) }
  }

  /// Parses the UTF-8 of a URI.
  package init(utf8: UnsafeRawBufferPointer) throws(OTPError) {
    self = try OTPAuthURIParser(text: utf8).parse()
  }
}

/// One pass over the bytes of a URI.
private struct OTPAuthURIParser {
  let text: UnsafeRawBufferPointer

  func parse() throws(OTPError) -> OTPAuthURI {
    try checkCharacters()
    guard let colon = firstIndex(of: ":", in: 0..<text.count) else {
      throw OTPError(.invalidURI, "not a URI: there is no scheme", position: 0)
    }
    guard equalsIgnoringCase(0..<colon, "otpauth") else {
      throw OTPError(.invalidScheme, "the scheme must be otpauth", position: 0)
    }
    let authorityStart = colon + 3
    guard text[(colon + 1)...].starts(with: "//".utf8) else {
      throw OTPError(.invalidURI, "otpauth: must be followed by //", position: colon + 1)
    }
    let queryMark = firstIndex(of: "?", in: authorityStart..<text.count)
    let pathEnd = queryMark ?? text.count
    let slash = firstIndex(of: "/", in: authorityStart..<pathEnd)
    let type = authorityStart..<(slash ?? pathEnd)
    let label = min((slash ?? pathEnd) + 1, pathEnd)..<pathEnd
    let parameters = try Parameters(
      of: self, in: (queryMark.map { $0 + 1 } ?? text.count)..<text.count)

    let isTOTP = equalsIgnoringCase(type, "totp")
    guard isTOTP || equalsIgnoringCase(type, "hotp") else {
      throw OTPError(.invalidType, "the type must be totp or hotp", position: authorityStart)
    }
    let secret = try secret(at: parameters[.secret], labelEnd: pathEnd)
    let factor =
      isTOTP ? try totp(parameters) : try hotp(parameters, labelEnd: pathEnd)
    let issuer = try parameters[.issuer].map { (range) throws(OTPError) in
      try string(range, .invalidIssuer)
    }
    let (labelIssuer, account) = split(
      label: try string(label, .invalidLabel), issuer: issuer ?? "")
    do {
      return try OTPAuthURI(
        factor: factor,
        issuer: [issuer, labelIssuer].lazy.compactMap(\.self).first { !$0.isEmpty },
        account: account, secret: secret)
    } catch {
      let range = error.code == .invalidIssuer ? parameters[.issuer] ?? label : label
      throw OTPError(error.code, error.message, position: range.lowerBound)
    }
  }

  /// Refuses what no URI holds, so that all later steps can take percent encoding for granted.
  private func checkCharacters() throws(OTPError) {
    for (position, byte) in text.enumerated() {
      if isControl(byte) {
        throw OTPError(.invalidURI, "a control character", position: position)
      }
      if byte == UInt8(ascii: "#") {
        throw OTPError(.invalidURI, "an otpauth URI has no fragment", position: position)
      }
      if byte == UInt8(ascii: "%") {
        guard position + 2 < text.count, Hex.value(of: text[position + 1]) != nil,
          Hex.value(of: text[position + 2]) != nil
        else {
          throw OTPError(.invalidURI, "% without two hexadecimal digits", position: position)
        }
      }
    }
  }

  private func secret(at range: Range<Int>?, labelEnd: Int) throws(OTPError) -> Secret {
    guard let range, !range.isEmpty else {
      throw OTPError(
        .missingSecret, "there is no secret", position: range?.lowerBound ?? labelEnd)
    }
    do {
      return try Secret(base32Bytes: decoded(range), mode: .lenient)
    } catch {
      throw OTPError(
        .invalidSecret, "the secret cannot be decoded: \(error.message)",
        position: range.lowerBound, cause: error.code)
    }
  }

  private func hotpParameters(_ parameters: Parameters) throws(OTPError) -> HOTP {
    var algorithm = HashAlgorithm.sha1
    if let range = parameters[.algorithm] {
      guard
        let named = HashAlgorithm.allCases.first(where: {
          decoded(range).equalsIgnoringCase($0.rawValue)
        })
      else {
        throw OTPError(
          .invalidAlgorithm, "the algorithm must be SHA1, SHA256 or SHA512",
          position: range.lowerBound)
      }
      algorithm = named
    }
    guard let range = parameters[.digits] else { return try HOTP(algorithm: algorithm) }
    guard let digits = number(range), (6...8).contains(digits) else {
      throw OTPError(.invalidDigits, "digits must be 6, 7 or 8", position: range.lowerBound)
    }
    return try HOTP(algorithm: algorithm, digits: Int(digits))
  }

  private func totp(_ parameters: Parameters) throws(OTPError) -> OTPAuthURI.Factor {
    let hotp = try hotpParameters(parameters)
    var period: Int64 = 30
    if let range = parameters[.period] {
      guard let value = number(range).flatMap(Int64.init(exactly:)), value >= 1 else {
        throw OTPError(
          .invalidPeriod, "the period must be a whole number of seconds from 1",
          position: range.lowerBound)
      }
      period = value
    }
    return .totp(try TOTP(algorithm: hotp.algorithm, digits: hotp.digits, period: period))
  }

  private func hotp(
    _ parameters: Parameters, labelEnd: Int
  ) throws(OTPError) -> OTPAuthURI.Factor {
    let hotp = try hotpParameters(parameters)
    guard let range = parameters[.counter] else {
      throw OTPError(.missingCounter, "a hotp URI needs a counter", position: labelEnd)
    }
    guard let counter = number(range) else {
      throw OTPError(
        .invalidCounter, "the counter must be a whole number from 0 to 18446744073709551615",
        position: range.lowerBound)
    }
    return .hotp(hotp, counter: counter)
  }

  /// A plain ASCII decimal without sign or leading zeros. (An integer's own parser takes "+6".)
  private func number(_ range: Range<Int>) -> UInt64? {
    var value: UInt64 = 0
    var count = 0
    for byte in decoded(range) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, count == 0 || value > 0 else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
      guard !overflow, !carry else { return nil }
      value = sum
      count += 1
    }
    return count > 0 ? value : nil
  }

  private func string(_ range: Range<Int>, _ code: OTPError.Code) throws(OTPError) -> String {
    let bytes = Array(decoded(range))
    let string = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is not UTF-8; then the bytes differ.
    guard string.utf8.elementsEqual(bytes) else {
      throw OTPError(.invalidURI, "not UTF-8 after percent-decoding", position: range.lowerBound)
    }
    return string
  }

  /// Cuts a decoded label into issuer and account.
  private func split(label: String, issuer: String) -> (issuer: String?, account: String) {
    let utf8 = label.utf8
    let colon: String.Index?
    if !issuer.isEmpty, utf8.starts(with: (issuer + ":").utf8) {
      colon = utf8.index(utf8.startIndex, offsetBy: issuer.utf8.count)
    } else {
      colon = utf8.firstIndex(of: UInt8(ascii: ":"))
    }
    let account = utf8[(colon.map(utf8.index(after:)) ?? utf8.startIndex)...]
      .drop { $0 == UInt8(ascii: " ") }
    return (colon.map { String(label[..<$0]) }, String(Substring(account)))
  }

  private func firstIndex(of character: Unicode.Scalar, in range: Range<Int>) -> Int? {
    text[range].firstIndex(of: UInt8(ascii: character))
  }

  /// Scheme and type are compared as they stand: RFC 3986 has no percent encoding there.
  private func equalsIgnoringCase(_ range: Range<Int>, _ lowercase: String) -> Bool {
    text[range].lazy.map(asciiLowercase).elementsEqual(lowercase.utf8)
  }

  private func decoded(_ range: Range<Int>) -> PercentDecoded {
    PercentDecoded(bytes: text[range])
  }

  /// Where the values of the known parameters stand.
  struct Parameters {
    enum Name: String, CaseIterable {
      case secret, issuer, algorithm, digits, period, counter
    }

    private var ranges: [Name: Range<Int>] = [:]

    init(of parser: OTPAuthURIParser, in query: Range<Int>) throws(OTPError) {
      var start = query.lowerBound
      while start < query.upperBound {
        let end = parser.firstIndex(of: "&", in: start..<query.upperBound) ?? query.upperBound
        let nameEnd = parser.firstIndex(of: "=", in: start..<end) ?? end
        let name = parser.decoded(start..<nameEnd)
        guard !name.lazy.map(asciiLowercase).starts(with: "amp;".utf8) else {
          throw OTPError(.invalidURI, "ampersands are HTML-escaped", position: start)
        }
        if let known = Name.allCases.first(where: { name.equalsIgnoringCase($0.rawValue) }) {
          let value = min(nameEnd + 1, end)..<end
          guard ranges.updateValue(value, forKey: known) == nil else {
            throw OTPError(
              .invalidURI, "the parameter \(known.rawValue) is given twice", position: start)
          }
        }
        start = end + 1
      }
    }

    subscript(name: Name) -> Range<Int>? { ranges[name] }
  }
}

/// The bytes that a well-formed percent-encoded text stands for.
private struct PercentDecoded: Sequence, IteratorProtocol {
  var bytes: Slice<UnsafeRawBufferPointer>

  mutating func next() -> UInt8? {
    guard let byte = bytes.popFirst() else { return nil }
    guard byte == UInt8(ascii: "%"), let high = bytes.popFirst().flatMap(Hex.value),
      let low = bytes.popFirst().flatMap(Hex.value)
    else { return byte }
    return high << 4 | low
  }

  func equalsIgnoringCase(_ lowercase: String) -> Bool {
    lazy.map(asciiLowercase).elementsEqual(lowercase.utf8)
  }
}
