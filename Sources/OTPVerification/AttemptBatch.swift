public import OTP

/// Attempts that are verified together, by credentials' ids: without an allocation for each.
///
/// A code's text is read at once and not kept.
public struct AttemptBatch: Sendable {
  private(set) var entries: [Entry] = []

  /// The ids, one behind the other.
  private var ids: [UInt8] = []

  struct Entry {
    /// Of the id.
    let hash: UInt
    let idEnd: Int
    let time: Int64
    let code: UInt32
    /// Digits of the code; 0 when the text was none.
    let digits: UInt8
    let idLength: UInt8

    /// The id's bytes, among those of the batch.
    @inline(__always)
    func id(in ids: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: ids.baseAddress.map { $0 + (idEnd &- Int(idLength)) }, count: Int(idLength))
    }
  }

  public init() {}

  /// Number of attempts.
  public var count: Int { entries.count }

  public var isEmpty: Bool { entries.isEmpty }

  /// Adds an attempt.
  ///
  /// - Parameters:
  ///   - code: what the user typed, in UTF-8. ASCII spaces, tabs, line ends and hyphens are left out; what else is
  ///     no code makes the attempt ``Verdict/malformed``.
  ///   - id: 1 ... 255 bytes.
  /// - Throws: `invalidArgument` for an id of another length; then nothing is added.
  public mutating func append(
    _ code: Span<UInt8>, for id: Span<UInt8>, at time: UnixTime
  ) throws(OTPError) {
    guard CredentialID.lengths.contains(id.count) else { throw .idLength(id.count) }
    id.withUnsafeBufferPointer {
      append(
        OneTimeCode.digits(in: code), $0, hash: credentialHash(UnsafeRawBufferPointer($0)), time)
    }
  }

  /// Adds an attempt.
  public mutating func append(_ code: String, for id: CredentialID, at time: UnixTime) {
    var code = code
    let digits = code.withUTF8 { OneTimeCode.digits(in: Span(_unsafeElements: $0)) }
    id.bytes.withUnsafeBufferPointer { append(digits, $0, hash: id.hash, time) }
  }

  private mutating func append(
    _ code: (value: UInt32, count: UInt8), _ id: UnsafeBufferPointer<UInt8>, hash: UInt,
    _ time: UnixTime
  ) {
    ids.append(contentsOf: id)
    entries.append(
      Entry(
        hash: hash, idEnd: ids.count, time: time.seconds, code: code.value, digits: code.count,
        idLength: UInt8(id.count)))
  }

  /// Attempts without their credentials.
  init(_ submissions: [Submission]) {
    reserveCapacity(submissions.count)
    // By index: to take out a whole submission would count references to all its parts.
    for index in submissions.indices {
      append(
        submissions[index].code, for: submissions[index].credential.id,
        at: submissions[index].time)
    }
  }

  public mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
  }

  public mutating func removeAll(keepingCapacity: Bool = false) {
    entries.removeAll(keepingCapacity: keepingCapacity)
    ids.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Lends all entries and the bytes of all ids.
  func withEntries<R>(
    _ body: (UnsafeBufferPointer<Entry>, UnsafeRawBufferPointer) -> R
  ) -> R {
    entries.withUnsafeBufferPointer { entries in
      ids.withUnsafeBytes { ids in body(entries, ids) }
    }
  }

  /// The id of an attempt.
  public func id(of attempt: Int) -> CredentialID {
    CredentialID(checked: idBytes(of: attempt))
  }

  /// The bytes of an attempt's id.
  public func idBytes(of attempt: Int) -> ArraySlice<UInt8> {
    let entry = entries[attempt]
    return ids[entry.idEnd - Int(entry.idLength)..<entry.idEnd]
  }
}

extension AttemptBatch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "AttemptBatch(\(count) attempts)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
