public import OTP

/// The credentials of a server by their ids, with their keys prepared for verification in bulk.
///
/// Credentials of all algorithms, digits, periods and kinds go together in one table. Many tasks may verify with a
/// table while others change it: an attempt sees a credential as it was before a change or after it. A change
/// waits for the attempts that are being computed (at most 1,024 in each task, with all their steps), and attempts wait
/// for a change: about a microsecond for each credential that it adds.
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
  public var count: Int { contents.read { $0.directory.count } }

  /// The parameters of a credential.
  func factor(of id: CredentialID) throws(OTPError) -> OTPAuthURI.Factor {
    guard let found = contents.read({ $0.directory.find(id) }) else { throw .unknownCredential }
    return found.factor
  }

  /// The truncated values of a credential's counters.
  func truncatedValues(
    of id: CredentialID, counters: [UInt64]
  ) throws(OTPError) -> [UInt32] {
    try contents.read { (contents) throws(OTPError) in
      guard let found = contents.directory.find(id),
        let keyring = contents.rings[found.factor.parameters.algorithm]?.keyring
      else { throw .unknownCredential }
      return try keyring.truncatedValues(
        keys: [Int](repeating: found.key, count: counters.count), counters: counters)
    }
  }

  public func contains(_ id: CredentialID) -> Bool {
    contents.read { $0.directory.find(id) != nil }
  }

  /// Adds a credential, in the place of the one with its id if there is one. The state that a ledger has of
  /// that id stays: a new key needs ``Ledger/reset(_:_:)`` too.
  /// - Returns: whether there was none.
  /// - Throws: what the backend throws when it lacks the algorithm or refuses the key; then the table is as before.
  @discardableResult
  public func insert(_ credential: Credential) throws(OTPError) -> Bool {
    try contents.change { (contents) throws(OTPError) in try contents.insert([credential]) } == 1
  }

  /// Adds many credentials, which is faster than one by one; of several with one id the last counts. They are added
  /// in parts of 1,024, between which others verify.
  /// - Returns: how many ids there were none of.
  /// - Throws: as ``insert(_:)``; then the parts before that of the refused key are added, and nothing else.
  @discardableResult
  public func insert(contentsOf credentials: some Sequence<Credential>) throws(OTPError) -> Int {
    let credentials = Array(credentials)
    var new = 0
    for start in stride(from: 0, to: credentials.count, by: 1024) {
      let part = Array(credentials[start..<min(start + 1024, credentials.count)])
      new += try contents.change { (contents) throws(OTPError) in try contents.insert(part) }
    }
    return new
  }

  /// Takes a credential out, and wipes its key.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: CredentialID) -> Bool {
    contents.change { $0.remove(id) }
  }
}

extension CredentialTable: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "CredentialTable(\(count) credentials)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CredentialTable: AttemptSource {
  func match(_ chunk: AttemptChunk) {
    contents.read { contents in
      chunk.findCredentials(in: contents.directory)
      for algorithm in HashAlgorithm.allCases {
        // Where a credential was found, so is its ring.
        guard let keyring = contents.rings[algorithm]?.keyring else { continue }
        let members = chunk.members(of: algorithm)
        if members.isEmpty { continue }
        do throws(OTPError) {
          try chunk.search(members, stepsTogether: keyring.prefersStepsOfAKeyTogether) {
            (keys, counters, output) throws(OTPError) in
            try keyring.truncatedValues(keys: keys, counters: counters, into: &output)
          }
        } catch {
          for member in members { chunk.fail(member, error) }
        }
      }
    }
  }
}

/// What a table holds.
private struct TableContents<Backend: HMACBackend>: ~Copyable {
  private let backend: Backend
  private(set) var directory = CredentialDirectory()
  private(set) var rings: [HashAlgorithm: Ring] = [:]

  struct Ring {
    var keyring: Backend.Keyring
    /// Places of keys that nobody uses.
    var freeKeys: [Int] = []
  }

  init(backend: Backend) {
    self.backend = backend
  }

  /// - Returns: how many are new.
  mutating func insert(_ credentials: [Credential]) throws(OTPError) -> Int {
    var latest: [CredentialID: Int] = [:]
    for (place, credential) in credentials.enumerated() { latest[credential.id] = place }
    let chosen =
      latest.count == credentials.count ? Array(credentials.indices) : latest.values.sorted()

    // The keys come first: they alone can be refused.
    var keys = [Int](repeating: 0, count: credentials.count)
    var added: [(algorithm: HashAlgorithm, keys: [Int])] = []
    do throws(OTPError) {
      for algorithm in HashAlgorithm.allCases {
        let places = chosen.filter { credentials[$0].hotp.algorithm == algorithm }
        if places.isEmpty { continue }
        let numbers = try addKeys(places.map { credentials[$0].secret }, algorithm)
        added.append((algorithm, numbers))
        for (place, number) in zip(places, numbers) { keys[place] = number }
      }
    } catch {
      for (algorithm, keys) in added {
        for key in keys { freeKey(key, algorithm) }
      }
      throw error
    }

    var new = 0
    for place in chosen {
      let credential = credentials[place]
      if let old = directory.set(
        credential.id, FoundCredential(factor: credential.factor, key: keys[place]))
      {
        freeKey(old.key, old.factor.parameters.algorithm)
      } else {
        new += 1
      }
    }
    return new
  }

  mutating func remove(_ id: CredentialID) -> Bool {
    guard let old = directory.remove(id) else { return false }
    freeKey(old.key, old.factor.parameters.algorithm)
    return true
  }

  private mutating func addKeys(
    _ secrets: [Secret], _ algorithm: HashAlgorithm
  ) throws(OTPError) -> [Int] {
    var ring: Ring
    if let there = rings.removeValue(forKey: algorithm) {
      ring = there
    } else {
      ring = Ring(keyring: try backend.makeKeyring([], algorithm: algorithm))
    }
    // It was taken out, so that it is not copied when it changes.
    defer { rings[algorithm] = ring }
    var keys: [Int] = []
    do throws(OTPError) {
      for secret in secrets {
        guard let free = ring.freeKeys.last else { break }
        try ring.keyring.replace(free, with: secret)
        ring.freeKeys.removeLast()
        keys.append(free)
      }
      let start = ring.keyring.count
      try ring.keyring.append(Array(secrets[keys.count...]))
      keys += start..<ring.keyring.count
    } catch {
      for key in keys { Self.free(key, &ring) }
      throw error
    }
    return keys
  }

  /// Wipes a key and keeps its place for another.
  private mutating func freeKey(_ key: Int, _ algorithm: HashAlgorithm) {
    guard var ring = rings.removeValue(forKey: algorithm) else { return }
    Self.free(key, &ring)
    rings[algorithm] = ring
  }

  private static func free(_ key: Int, _ ring: inout Ring) {
    ring.freeKeys.append(key)
    do throws(OTPError) {
      try ring.keyring.replace(key, with: Secret(bytes: [UInt8](repeating: 0, count: 32)))
    } catch {
      // A library without memory: the key stays where it is until another takes its place or the table ends.
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
