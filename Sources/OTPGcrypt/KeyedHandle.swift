import COTPGcrypt
import OTP

/// A libgcrypt message digest handle with an HMAC key. The library wipes it when it is closed.
///
/// It has one owner, and computing changes it: whoever shares it needs a lock.
struct KeyedHandle: ~Copyable, Sendable {
  // Safe to send: nobody else has the handle, and only mutating functions and `copy` use it, each with
  // exclusive access or with the promise that nobody changes it meanwhile.
  nonisolated(unsafe) private let handle: gcry_md_hd_t
  private let algorithm: HashAlgorithm

  /// - Throws: `backendFailure`, when the library refuses the key (a short one in FIPS mode, say).
  init(algorithm: HashAlgorithm, key: Span<UInt8>) throws(OTPError) {
    var opened: gcry_md_hd_t?
    let openError = gcry_md_open(
      &opened, algorithm.gcryptNumber, UInt32(GCRY_MD_FLAG_HMAC.rawValue))
    guard openError == 0, let opened else { throw .gcrypt("gcry_md_open", openError) }
    var handle = KeyedHandle(opened, algorithm)
    try handle.setKey(key)
    self = handle
  }

  init(algorithm: HashAlgorithm, secret: Secret) throws(OTPError) {
    self = try secret.withBytes { (key) throws(OTPError) in
      try KeyedHandle(algorithm: algorithm, key: key)
    }
  }

  private init(_ handle: gcry_md_hd_t, _ algorithm: HashAlgorithm) {
    self.handle = handle
    self.algorithm = algorithm
  }

  /// A handle of its own with the same key.
  func copy() throws(OTPError) -> KeyedHandle {
    var copied: gcry_md_hd_t?
    let error = gcry_md_copy(&copied, handle)
    guard error == 0, let copied else { throw .gcrypt("gcry_md_copy", error) }
    return KeyedHandle(copied, algorithm)
  }

  /// Puts another key in the place of the one before.
  ///
  /// A key longer than a block is hashed here (RFC 2104 section 2), into memory that is wiped: the library
  /// would leave the hash behind, which is as good as the key.
  /// - Throws: `backendFailure`, as at the beginning.
  mutating func setKey(_ key: Span<UInt8>) throws(OTPError) {
    let error = key.withUnsafeBytes { key in
      if key.count <= algorithm.blockLength {
        return gcry_md_setkey(handle, key.baseAddress, key.count)
      }
      return withWipedScratch(of: UInt8.self, count: algorithm.digestLength) { hash in
        gcry_md_hash_buffer(algorithm.gcryptNumber, hash, key.baseAddress, key.count)
        return gcry_md_setkey(handle, hash, algorithm.digestLength)
      }
    }
    guard error == 0 else { throw .gcrypt("gcry_md_setkey", error) }
  }

  deinit {
    gcry_md_close(handle)
  }

  /// Lends the code of one message, as many bytes as the algorithm's digest has.
  mutating func withCode<R>(
    of message: Span<UInt8>, _ body: (UnsafePointer<UInt8>) -> R
  ) throws(OTPError) -> R {
    gcry_md_reset(handle)
    message.withUnsafeBytes { gcry_md_write(handle, $0.baseAddress, $0.count) }
    guard let code = gcry_md_read(handle, algorithm.gcryptNumber) else {
      throw OTPError(.backendFailure, "libgcrypt's gcry_md_read failed")
    }
    return body(code)
  }

  /// The 31-bit truncated value of one counter.
  mutating func truncatedValue(counter: UInt64) throws(OTPError) -> UInt32 {
    let length = algorithm.digestLength
    return try withUnsafeBytes(of: counter.bigEndian) { (message) throws(OTPError) in
      try withCode(of: Span(_unsafeBytes: message)) { code in
        truncate(Span(_unsafeStart: code, count: length))
      }
    }
  }
}

extension HashAlgorithm {
  var gcryptNumber: Int32 {
    switch self {
    case .sha1: Int32(GCRY_MD_SHA1.rawValue)
    case .sha256: Int32(GCRY_MD_SHA256.rawValue)
    case .sha512: Int32(GCRY_MD_SHA512.rawValue)
    }
  }
}
