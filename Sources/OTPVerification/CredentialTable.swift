public import OTP

/// The credentials of a server by their ids, with their keys prepared for verification in bulk.
///
/// Credentials of all algorithms, digits, periods and kinds go together in one table. Many tasks may verify with a
/// table while others change it: an attempt sees a credential as it was before a change or after it. A change
/// waits for the attempts that are being computed, some tens of microseconds.
///
/// Beside the id and the prepared key (with ``SwiftBackend`` 40, 64 or 128 bytes for SHA-1, SHA-256 and SHA-512) a
/// credential takes 27 to 38 bytes. The secrets themselves are not kept.
public final class CredentialTable<Backend: HMACBackend>: Sendable {
  public let backend: Backend
  private let contents: ReadWriteLocked<TableContents<Backend>>

  public init(backend: Backend) {
    self.backend = backend
    contents = ReadWriteLocked(TableContents(backend: backend))
  }

  /// Number of credentials.
  public var count: Int { contents.read { $0.count } }

  public func contains(_ id: CredentialID) -> Bool { contents.read { $0.contains(id) } }

  /// Adds a credential, in the place of the one with its id if there is one. The state that a ledger has of
  /// that id stays: a new key needs ``Ledger/reset(_:_:)`` too.
  /// - Returns: whether there was none.
  /// - Throws: what the backend throws when it lacks the algorithm or refuses the key; then the table is as before.
  @discardableResult
  public func insert(_ credential: Credential) throws(OTPError) -> Bool {
    try contents.change { (contents) throws(OTPError) in try contents.insert([credential]) } == 1
  }

  /// Adds many credentials, which is faster than one by one; of several with one id the last counts.
  /// - Returns: how many ids there were none of.
  /// - Throws: as ``insert(_:)``; then the table is as before.
  @discardableResult
  public func insert(contentsOf credentials: [Credential]) throws(OTPError) -> Int {
    try contents.change { (contents) throws(OTPError) in try contents.insert(credentials) }
  }

  /// Takes a credential out, and wipes its key.
  /// - Returns: whether there was one.
  /// - Throws: what the backend throws.
  @discardableResult
  public func remove(_ id: CredentialID) throws(OTPError) -> Bool {
    try contents.change { (contents) throws(OTPError) in try contents.remove(id) }
  }
}

extension CredentialTable: AttemptSource {
  func find(_ chunk: inout AttemptChunk) {
    contents.read { chunk.find(in: $0) }
  }
}

/// What a table holds, each part in an array of its own.
private struct TableContents<Backend: HMACBackend>: ~Copyable {
  private let backend: Backend
  private var index = IDIndex()
  private var entries = Blocks<Entry>()

  /// The parameters of credentials, each set once; an HOTP counter is not among them.
  private var factors: [OTPAuthURI.Factor] = []
  private var factorNumbers: [OTPAuthURI.Factor: UInt32] = [:]

  /// First counters of HOTP credentials where they are not 0, by the credential's number.
  private var firstCounters: [Int: UInt64] = [:]

  private var rings: [HashAlgorithm: Ring] = [:]

  private struct Entry: BitwiseCopyable {
    var key: UInt32
    var factor: UInt32
  }

  private struct Ring {
    var keyring: Backend.Keyring
    var freeKeys: [UInt32] = []
  }

  init(backend: Backend) {
    self.backend = backend
  }

  var count: Int { index.count }

  func contains(_ id: CredentialID) -> Bool { index.number(of: id) != nil }

  /// - Returns: how many are new.
  mutating func insert(_ credentials: [Credential]) throws(OTPError) -> Int {
    var latest: [CredentialID: Int] = [:]
    for (place, credential) in credentials.enumerated() { latest[credential.id] = place }
    let chosen = latest.count == credentials.count ? Array(credentials.indices) : latest.values.sorted()

    // The keys come first: they alone can be refused.
    var keys = [UInt32](repeating: 0, count: credentials.count)
    var added: [HashAlgorithm: [UInt32]] = [:]
    do throws(OTPError) {
      for algorithm in HashAlgorithm.allCases {
        let places = chosen.filter { credentials[$0].hotp.algorithm == algorithm }
        if places.isEmpty { continue }
        let numbers = try addKeys(places.map { credentials[$0].secret }, algorithm)
        added[algorithm] = numbers
        for (place, number) in zip(places, numbers) { keys[place] = number }
      }
    } catch {
      for (algorithm, numbers) in added {
        for number in numbers { try freeKey(number, algorithm) }
      }
      throw error
    }

    var new = 0
    for place in chosen {
      let credential = credentials[place]
      let entry = Entry(key: keys[place], factor: factorNumber(credential.factor))
      var number = index.number(of: credential.id)
      if let number {
        let old = entries[number]
        try freeKey(old.key, factors[Int(old.factor)].parameters.algorithm)
        entries[number] = entry
      } else {
        new += 1
        let inserted = index.insert(credential.id)
        if inserted < entries.count { entries[inserted] = entry } else { entries.append(entry) }
        number = inserted
      }
      if let number {
        var counter: UInt64?
        if case .hotp(_, let first) = credential.factor, first > 0 { counter = first }
        if counter != nil || !firstCounters.isEmpty { firstCounters[number] = counter }
      }
    }
    return new
  }

  mutating func remove(_ id: CredentialID) throws(OTPError) -> Bool {
    guard let number = index.number(of: id) else { return false }
    let entry = entries[number]
    try freeKey(entry.key, factors[Int(entry.factor)].parameters.algorithm)
    _ = index.remove(id)
    if !firstCounters.isEmpty { firstCounters[number] = nil }
    return true
  }

  private mutating func addKeys(
    _ secrets: [Secret], _ algorithm: HashAlgorithm
  ) throws(OTPError) -> [UInt32] {
    var ring: Ring
    if let there = rings.removeValue(forKey: algorithm) {
      ring = there
    } else {
      ring = Ring(keyring: try backend.makeKeyring([], algorithm: algorithm))
    }
    // It was taken out, so that it is not copied when it changes.
    defer { rings[algorithm] = ring }
    // A key alone takes a free place; many come behind the others, together.
    if secrets.count == 1, let free = ring.freeKeys.last {
      try ring.keyring.replace(Int(free), with: secrets[0])
      ring.freeKeys.removeLast()
      return [free]
    }
    let start = UInt32(ring.keyring.count)
    try ring.keyring.append(secrets)
    return Array(start..<start + UInt32(secrets.count))
  }

  /// Wipes a key and keeps its place for another.
  private mutating func freeKey(_ key: UInt32, _ algorithm: HashAlgorithm) throws(OTPError) {
    guard var ring = rings.removeValue(forKey: algorithm) else { return }
    defer { rings[algorithm] = ring }
    try ring.keyring.replace(Int(key), with: Secret(bytes: [UInt8](repeating: 0, count: 32)))
    ring.freeKeys.append(key)
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

extension TableContents: CredentialSource {
  func find(_ place: Int, id: CredentialID) -> Result<FoundCredential, OTPError> {
    guard let number = index.number(of: id) else { return .failure(.unknownCredential) }
    let entry = entries[number]
    var factor = factors[Int(entry.factor)]
    if case .hotp(let hotp, _) = factor, let counter = firstCounters[number] {
      factor = .hotp(hotp, counter: counter)
    }
    return .success(FoundCredential(factor: factor, key: Int(entry.key)))
  }

  func matches(
    _ requests: [SearchRequest], _ algorithm: HashAlgorithm, _ search: inout WindowSearch
  ) -> [Result<UInt64?, OTPError>] {
    // Where a credential was found, so is its ring.
    guard let keyring = rings[algorithm]?.keyring else { return [] }
    do throws(OTPError) {
      return try search.highestMatches(requests[...], in: keyring).map { .success($0) }
    } catch {
      return requests.map { _ in .failure(error) }
    }
  }
}

extension OTPError {
  static var unknownCredential: OTPError {
    OTPError(.unknownCredential, "there is no such credential in the table")
  }
}

extension OTPError.Code {
  /// No credential of the table has this id.
  public static let unknownCredential = Self("unknownCredential")
}
