import OTP

/// The parameters of a credential, and where its key is.
struct FoundCredential {
  let factor: OTPAuthURI.Factor

  /// An index: into the keyring of its algorithm, or into the credentials of a batch.
  let key: Int
}

/// Credentials by their ids, without their keys.
struct CredentialDirectory: ~Copyable {
  private var table = IDTable<Entry>()

  /// The parameters of credentials, each set once; an HOTP counter is not among them.
  private var factors: [OTPAuthURI.Factor] = []
  private var factorNumbers: [OTPAuthURI.Factor: UInt32] = [:]

  /// First counters of HOTP credentials where they are not 0, by the credential's number.
  private var firstCounters: [Int: UInt64] = [:]

  // Not private: a debug build of a generic value of a private type breaks this compiler.
  struct Entry: BitwiseCopyable {
    let key: UInt32
    let factor: UInt32
  }

  var count: Int { table.count }

  func find(_ id: CredentialID) -> FoundCredential? {
    guard let number = number(of: id) else { return nil }
    return credential(number)
  }

  private func number(of id: CredentialID) -> Int? {
    id.bytes.withUnsafeBytes { table.number(of: $0, hash: id.hash) }
  }

  // The steps of a search for many ids at once, as in ``IDTable``.

  /// A number that may be the credential's, or -1.
  @inline(__always)
  func guess(hash: UInt) -> Int { table.guess(hash: hash) }

  @inline(__always)
  func location(ofGuess guess: Int) -> UInt64 { table.location(ofGuess: guess) }

  @inline(__always)
  func firstByte(atLocation location: UInt64) -> UInt8 { table.firstByte(atLocation: location) }

  /// The number of a credential.
  /// - Parameters:
  ///   - guess: what ``guess(hash:)`` gave for this hash.
  ///   - location: what ``location(ofGuess:)`` gave for the guess.
  @inline(__always)
  func number(
    of id: UnsafeRawBufferPointer, hash: UInt, guess: Int, location: UInt64
  ) -> Int? {
    table.number(of: id, hash: hash, guess: guess, location: location)
  }

  /// The number that a credential's parameters have.
  @inline(__always)
  func factorNumber(_ number: Int) -> UInt32 { table[number].factor }

  /// Where a credential's key is.
  @inline(__always)
  func key(_ number: Int) -> Int { Int(table[number].key) }

  func credential(_ number: Int) -> FoundCredential {
    let entry = table[number]
    var factor = factors[Int(entry.factor)]
    if case .hotp(let hotp, _) = factor, let counter = firstCounters[number] {
      factor = .hotp(hotp, counter: counter)
    }
    return FoundCredential(factor: factor, key: Int(entry.key))
  }

  /// - Returns: the credential in whose place it comes.
  mutating func set(_ id: CredentialID, _ credential: FoundCredential) -> FoundCredential? {
    let entry = Entry(key: UInt32(credential.key), factor: factorNumber(credential.factor))
    var replaced: FoundCredential?
    let number: Int
    if let old = self.number(of: id) {
      replaced = self.credential(old)
      number = old
      table[number] = entry
    } else {
      number = id.bytes.withUnsafeBytes { table.insert($0, hash: id.hash, entry) }
    }
    var counter: UInt64?
    if case .hotp(_, let first) = credential.factor, first > 0 { counter = first }
    if counter != nil || !firstCounters.isEmpty { firstCounters[number] = counter }
    return replaced
  }

  mutating func remove(_ id: CredentialID) -> FoundCredential? {
    guard let number = number(of: id) else { return nil }
    let removed = credential(number)
    id.bytes.withUnsafeBytes { table.remove($0, hash: id.hash) }
    if !firstCounters.isEmpty { firstCounters[number] = nil }
    return removed
  }

  private mutating func factorNumber(_ factor: OTPAuthURI.Factor) -> UInt32 {
    var factor = factor
    if case .hotp(let hotp, _) = factor { factor = .hotp(hotp, counter: 0) }
    if let number = factorNumbers[factor] { return number }
    let number = UInt32(factors.count)
    factors.append(factor)
    factorNumbers[factor] = number
    return number
  }
}
