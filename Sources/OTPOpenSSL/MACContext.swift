import COTPOpenSSL
import OTP

/// A context of the provider's HMAC (EVP_MAC_CTX). The library wipes what it knows of a key when the next one
/// comes, and when the context is freed.
struct MACContext: ~Copyable {
  private let context: OpaquePointer

  /// A context with the digest of `keyless`, an EVP_MAC_CTX, and no key yet.
  init(copying keyless: OpaquePointer) throws(OTPError) {
    guard let context = EVP_MAC_CTX_dup(keyless) else { throw .openSSL("EVP_MAC_CTX_dup") }
    self.context = context
  }

  deinit {
    EVP_MAC_CTX_free(context)
  }

  /// Begins with a key.
  mutating func begin(key: Span<UInt8>) throws(OTPError) {
    // A null key would mean "keep the old one": an empty key needs an address too.
    let initialized = key.withBytesOrAddress { EVP_MAC_init(context, $0, $1, nil) }
    guard initialized == 1 else { throw .openSSL("EVP_MAC_init") }
  }

  /// Begins again with the same key, where the implementation can (see `OpenSSLLibrary.Implementation`).
  mutating func beginAgain() throws(OTPError) {
    guard EVP_MAC_init(context, nil, 0, nil) == 1 else { throw .openSSL("EVP_MAC_init") }
  }

  /// Writes the code of a message, `length` bytes, which is the digest's length.
  mutating func finish(
    _ message: Span<UInt8>, into code: UnsafeMutablePointer<UInt8>, length: Int
  ) throws(OTPError) {
    let updated = message.withBytesOrAddress { EVP_MAC_update(context, $0, $1) }
    guard updated == 1 else { throw .openSSL("EVP_MAC_update") }
    var written = 0
    guard EVP_MAC_final(context, code, &written, length) == 1, written == length else {
      throw .openSSL("EVP_MAC_final")
    }
  }
}

extension Span<UInt8> {
  /// Lends the bytes, with some valid address even when there are none.
  fileprivate func withBytesOrAddress<R>(_ body: (UnsafePointer<UInt8>, Int) -> R) -> R {
    withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { return body(start, bytes.count) }
      return withUnsafePointer(to: 0) { body($0, 0) }
    }
  }
}
