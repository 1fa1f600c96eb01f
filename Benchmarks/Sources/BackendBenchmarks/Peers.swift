import BenchmarkRegistry
import CPeers
import OTP

/// intel-ipsec-mb's manager with prepared keys of one algorithm.
final class IPSecMB {
  private let peer: OpaquePointer

  /// The instruction set that it uses. Its own choice need not be its fastest one.
  enum Way: String, CaseIterable {
    case automatic, sse, avx2, avx512

    fileprivate var value: cpeers_ipsec_mb_way {
      switch self {
      case .automatic: CPEERS_IPSEC_MB_AUTOMATIC
      case .sse: CPEERS_IPSEC_MB_SSE
      case .avx2: CPEERS_IPSEC_MB_AVX2
      case .avx512: CPEERS_IPSEC_MB_AVX512
      }
    }
  }

  init(_ algorithm: HashAlgorithm, _ way: Way, _ secrets: [Secret]) throws {
    guard let peer = cpeers_ipsec_mb_create(algorithm.peerNumber, secrets.count, way.value, false)
    else { throw BenchmarkFault("intel-ipsec-mb is not available here in the way '\(way)'") }
    self.peer = peer
    for (key, secret) in secrets.enumerated() {
      secret.withBytes { bytes in
        bytes.withUnsafeBufferPointer {
          cpeers_ipsec_mb_set_key(peer, key, $0.baseAddress, $0.count)
        }
      }
    }
  }

  deinit {
    cpeers_ipsec_mb_destroy(peer)
  }

  static func isAvailable(_ way: Way) -> Bool { cpeers_ipsec_mb_is_available(way.value) }

  func compute(_ keys: [Int], _ counters: [UInt64], _ output: inout [UInt32]) throws {
    guard cpeers_ipsec_mb_truncated_values(peer, keys, counters, &output, keys.count) else {
      throw BenchmarkFault("intel-ipsec-mb failed")
    }
  }
}

/// OpenSSL's `HMAC()` with truncation; `UInt32.max` when it fails.
func openSSLHMAC(_ algorithm: HashAlgorithm, _ key: [UInt8], _ counter: UInt64) -> UInt32 {
  cpeers_openssl_hmac(algorithm.peerNumber, key, key.count, counter)
}

/// False for an algorithm that the loaded providers lack.
func openSSLHMACIsAvailable(_ algorithm: HashAlgorithm) -> Bool {
  openSSLHMAC(algorithm, [0], 0) != .max
}

/// Lends the code that liboath makes, with the zero behind it.
func withLiboathCode<R>(
  _ key: [UInt8], _ counter: UInt64, digits: Int, _ body: (UnsafePointer<CChar>) -> R
) throws -> R {
  try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 9) { code in
    guard let text = code.baseAddress,
      cpeers_liboath_hotp(key, key.count, counter, UInt32(digits), text)
    else { throw BenchmarkFault("liboath failed") }
    return body(text)
  }
}

extension HashAlgorithm {
  fileprivate var peerNumber: Int32 {
    switch self {
    case .sha1: 0
    case .sha256: 1
    case .sha512: 2
    }
  }
}

extension Secret {
  /// The raw bytes, of a key that is nobody's.
  var copiedBytes: [UInt8] {
    withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}

/// A key of at most 64 bytes from its Base32, by liboath.
func liboathBase32Decoded(_ text: String) throws -> [UInt8] {
  try [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
    count = cpeers_liboath_base32_decode(text, text.utf8.count, buffer.baseAddress, buffer.count)
    guard count > 0 else { throw BenchmarkFault("liboath decodes no Base32") }
  }
}

/// The Base32 of a key of at most 64 bytes, by liboath.
func liboathBase32Encoded(_ key: [UInt8]) throws -> String {
  try String(unsafeUninitializedCapacity: 104) { buffer in
    let count = cpeers_liboath_base32_encode(key, key.count, buffer.baseAddress, buffer.count)
    guard count > 0 else { throw BenchmarkFault("liboath encodes no Base32") }
    return count
  }
}

/// The libraries of peers and ledgers, with their versions as loaded.
package var loadedLibraries: [String: String] {
  var versions = ["liboath": cpeers_liboath_version().map { String(cString: $0) }]
  versions["ipsec-mb"] = cpeers_ipsec_mb_version().map { String(cString: $0) }
  versions["sqlite"] = cpeers_sqlite_version().map { String(cString: $0) }
  let libpq = cpeers_libpq_version()
  versions["libpq"] = libpq > 0 ? "\(libpq / 10_000).\(libpq % 10_000)" : nil
  return versions.compactMapValues(\.self)
}
