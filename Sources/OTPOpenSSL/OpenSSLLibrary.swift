import COTPOpenSSL
import OTP

/// What is fetched from libcrypto's providers, once per backend.
final class OpenSSLLibrary: Sendable {
  private let implementations: [HashAlgorithm: Implementation]

  init(properties: String?) throws(OTPError) {
    if let properties, !isPropertyQuery(properties) {
      throw OTPError(.invalidArgument, "OpenSSL cannot read the property query")
    }
    guard let mac = EVP_MAC_fetch(nil, "HMAC", properties) else {
      let reason = properties == nil ? "" : "with these properties "
      throw OTPError(
        .backendUnavailable, "OpenSSL has no HMAC \(reason)here: \(openSSLReason())")
    }
    defer { EVP_MAC_free(mac) }
    var implementations: [HashAlgorithm: Implementation] = [:]
    for algorithm in HashAlgorithm.allCases {
      implementations[algorithm] = Implementation(algorithm, mac: mac, properties: properties)
    }
    guard !implementations.isEmpty else {
      throw OTPError(
        .backendUnavailable, "OpenSSL has none of the hashes here: \(openSSLReason())")
    }
    ERR_clear_error()
    self.implementations = implementations
  }

  func supports(_ algorithm: HashAlgorithm) -> Bool {
    implementations[algorithm] != nil
  }

  func implementation(of algorithm: HashAlgorithm) throws(OTPError) -> Implementation {
    guard let implementation = implementations[algorithm] else {
      throw OTPError(
        .unsupportedAlgorithm, "OpenSSL's loaded providers have no HMAC-\(algorithm.name)")
    }
    return implementation
  }

  /// The provider's implementation of one algorithm.
  final class Implementation: Sendable {
    // Safe to share: both objects are only read after `init`; OpenSSL allows that from many
    // threads (openssl-threads(7)).

    /// The digest (EVP_MD).
    nonisolated(unsafe) let digest: OpaquePointer

    /// An HMAC context that has its digest but no key (EVP_MAC_CTX).
    nonisolated(unsafe) let mac: OpaquePointer

    /// Whether an HMAC context can begin again without being given its key again. Providers before OpenSSL 3.0.3,
    /// validated ones among them, report success and do nothing.
    let keepsKeys: Bool

    init?(_ algorithm: HashAlgorithm, mac macType: OpaquePointer, properties: String?) {
      guard let digest = EVP_MD_fetch(nil, algorithm.name, properties) else { return nil }
      guard let mac = EVP_MAC_CTX_new(macType) else {
        EVP_MD_free(digest)
        return nil
      }
      guard setDigest(of: mac, to: algorithm.name, properties: properties) else {
        EVP_MAC_CTX_free(mac)
        EVP_MD_free(digest)
        return nil
      }
      self.digest = digest
      self.mac = mac
      keepsKeys = Self.keepsKeys(mac, length: algorithm.digestLength)
    }

    private static func keepsKeys(_ mac: OpaquePointer, length: Int) -> Bool {
      let bytes = [UInt8](repeating: 1, count: 32)
      var first = [UInt8](repeating: 0, count: length)
      var second = first
      do throws(OTPError) {
        var context = try MACContext(copying: mac)
        try context.begin(key: bytes.span)
        try context.finish(bytes.span, into: &first, length: length)
        try context.beginAgain()
        try context.finish(bytes.span, into: &second, length: length)
      } catch {
        return false
      }
      return first == second
    }

    deinit {
      EVP_MD_free(digest)
      EVP_MAC_CTX_free(mac)
    }
  }
}

/// Whether OpenSSL can read a property query. A fetch takes one that it cannot read as if there were none,
/// and a slip in "fips=yes" would turn the requirement off without a word.
private func isPropertyQuery(_ text: String) -> Bool {
  defer { ERR_clear_error() }
  guard !text.utf8.contains(0), let context = OSSL_LIB_CTX_new() else { return false }
  defer { OSSL_LIB_CTX_free(context) }
  return EVP_set_default_properties(context, text) == 1
}

private func setDigest(of mac: OpaquePointer, to name: String, properties: String?) -> Bool {
  OSSL_MAC_PARAM_DIGEST.withCString { digestKey in
    name.withCString { name in
      OSSL_MAC_PARAM_PROPERTIES.withCString { propertiesKey in
        (properties ?? "").withCString { query in
          // In one call, since the digest is fetched with the properties that come along with it. The
          // library reads the texts, whatever their pointers' type says.
          var parameters = [
            OSSL_PARAM_construct_utf8_string(digestKey, UnsafeMutablePointer(mutating: name), 0)
          ]
          if properties != nil {
            parameters.append(
              OSSL_PARAM_construct_utf8_string(
                propertiesKey, UnsafeMutablePointer(mutating: query), 0))
          }
          parameters.append(OSSL_PARAM_construct_end())
          return EVP_MAC_CTX_set_params(mac, parameters) == 1
        }
      }
    }
  }
}

extension OTPError {
  /// The failure of a call, with the library's reason.
  static func openSSL(_ call: StaticString) -> OTPError {
    OTPError(.backendFailure, "OpenSSL's \(call) failed: \(openSSLReason())")
  }
}

/// The reason of the newest error on this thread; empties the thread's error queue.
private func openSSLReason() -> String {
  defer { ERR_clear_error() }
  guard let reason = ERR_reason_error_string(ERR_peek_last_error()) else {
    return "no reason given"
  }
  return String(cString: reason)
}
