import COTPOpenSSL
import OTP

/// For each key two digest contexts: one has absorbed key ^ ipad, the other key ^ opad (RFC 2104
/// section 2). libcrypto wipes a context when it is freed.
final class AbsorbedKeys: Sendable {
  let count: Int

  // Safe to share: the contexts are made in `init` and only copied from afterwards, which changes
  // nothing in them.
  nonisolated(unsafe) private let contexts: UnsafeMutableBufferPointer<Pair>

  struct Pair {
    let inner: OpaquePointer
    let outer: OpaquePointer
  }

  subscript(index: Int) -> Pair { contexts[index] }

  init(_ secrets: [Secret], digest: OpaquePointer, blockLength: Int) throws(OTPError) {
    let contexts = UnsafeMutableBufferPointer<Pair>.allocate(capacity: secrets.count)
    var made = 0
    do throws(OTPError) {
      try withWipedScratch(of: UInt8.self, count: blockLength) { (block) throws(OTPError) in
        let block = UnsafeMutableBufferPointer(start: block, count: blockLength)
        for secret in secrets {
          try secret.fill(block, digest: digest)
          for index in block.indices { block[index] ^= 0x36 }
          let inner = try Self.context(digest, absorbing: block)
          for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
          do throws(OTPError) {
            let outer = try Self.context(digest, absorbing: block)
            contexts.initializeElement(at: made, to: Pair(inner: inner, outer: outer))
          } catch {
            EVP_MD_CTX_free(inner)
            throw error
          }
          made += 1
        }
      }
    } catch {
      Self.free(contexts, made)
      throw error
    }
    self.contexts = contexts
    count = made
  }

  deinit {
    Self.free(contexts, count)
  }

  private static func free(_ contexts: UnsafeMutableBufferPointer<Pair>, _ count: Int) {
    for pair in contexts.prefix(count) {
      EVP_MD_CTX_free(pair.inner)
      EVP_MD_CTX_free(pair.outer)
    }
    contexts.deallocate()
  }

  private static func context(
    _ digest: OpaquePointer, absorbing block: UnsafeMutableBufferPointer<UInt8>
  ) throws(OTPError) -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    guard EVP_DigestInit_ex2(context, digest, nil) == 1,
      EVP_DigestUpdate(context, block.baseAddress, block.count) == 1
    else {
      EVP_MD_CTX_free(context)
      throw .openSSL("EVP_DigestInit_ex2 or EVP_DigestUpdate")
    }
    return context
  }
}

extension Secret {
  /// Writes the key into a block, hashed first when it is longer, with zeros behind it.
  fileprivate func fill(
    _ block: UnsafeMutableBufferPointer<UInt8>, digest: OpaquePointer
  ) throws(OTPError) {
    block.update(repeating: 0)
    try withBytes { (key) throws(OTPError) in
      if key.count <= block.count {
        for index in key.indices { block[index] = key[index] }
        return
      }
      let hashed = key.withUnsafeBytes { key in
        EVP_Digest(key.baseAddress, key.count, block.baseAddress, nil, digest, nil)
      }
      guard hashed == 1 else { throw .openSSL("EVP_Digest") }
    }
  }
}
