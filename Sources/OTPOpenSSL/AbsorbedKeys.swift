import COTPOpenSSL
import OTP

/// For each key two digest contexts: one has absorbed key ^ ipad, the other key ^ opad (RFC 2104
/// section 2). libcrypto wipes a context when it is freed.
final class AbsorbedKeys: KeyChunk {
  static let bits = 8

  // Safe to share: the contexts and their number change in `append`, `replace` and `removeLast` alone, whose caller
  // shares this object with nobody; everyone else only copies from the contexts, which changes nothing in them.
  nonisolated(unsafe) private let contexts: UnsafeMutablePointer<Pair>
  nonisolated(unsafe) private(set) var count = 0

  private let implementation: OpenSSLLibrary.Implementation
  private let blockLength: Int

  struct Pair {
    let inner: OpaquePointer
    let outer: OpaquePointer

    func free() {
      EVP_MD_CTX_free(inner)
      EVP_MD_CTX_free(outer)
    }
  }

  subscript(slot: Int) -> Pair { contexts[slot] }

  init(_ implementation: OpenSSLLibrary.Implementation, blockLength: Int) {
    contexts = .allocate(capacity: 1 << Self.bits)
    self.implementation = implementation
    self.blockLength = blockLength
  }

  deinit {
    removeLast(count)
    contexts.deallocate()
  }

  func append(_ secret: Secret) throws(OTPError) {
    contexts[count] = try pair(of: secret)
    count += 1
  }

  func replace(_ slot: Int, with secret: Secret) throws(OTPError) {
    let pair = try pair(of: secret)
    contexts[slot].free()
    contexts[slot] = pair
  }

  func removeLast(_ removed: Int) {
    for slot in (count - removed)..<count { contexts[slot].free() }
    count -= removed
  }

  func copy() throws(OTPError) -> AbsorbedKeys {
    let copy = AbsorbedKeys(implementation, blockLength: blockLength)
    for slot in 0..<count {
      copy.contexts[slot] = try Self.pair { (outer) throws(OTPError) in
        guard let context = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
        let pair = contexts[slot]
        guard EVP_MD_CTX_copy_ex(context, outer ? pair.outer : pair.inner) == 1 else {
          EVP_MD_CTX_free(context)
          throw .openSSL("EVP_MD_CTX_copy_ex")
        }
        return context
      }
      copy.count += 1
    }
    return copy
  }

  private func pair(of secret: Secret) throws(OTPError) -> Pair {
    try withWipedScratch(of: UInt8.self, count: blockLength) { (block) throws(OTPError) in
      let block = UnsafeMutableBufferPointer(start: block, count: blockLength)
      try secret.fill(block, digest: implementation.digest)
      return try Self.pair { (outer) throws(OTPError) in
        for index in block.indices { block[index] ^= outer ? 0x36 ^ 0x5C : 0x36 }
        return try context(absorbing: block)
      }
    }
  }

  /// The inner context, then the outer one; neither when one of them fails.
  private static func pair(
    _ make: (_ outer: Bool) throws(OTPError) -> OpaquePointer
  ) throws(OTPError) -> Pair {
    let inner = try make(false)
    do throws(OTPError) {
      return Pair(inner: inner, outer: try make(true))
    } catch {
      EVP_MD_CTX_free(inner)
      throw error
    }
  }

  private func context(
    absorbing block: UnsafeMutableBufferPointer<UInt8>
  ) throws(OTPError) -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    guard EVP_DigestInit_ex2(context, implementation.digest, nil) == 1,
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
