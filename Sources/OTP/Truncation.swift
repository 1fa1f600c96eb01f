/// Dynamic truncation (RFC 4226 section 5.3): four bytes from the offset that the low four bits of
/// the *last* digest byte name, their top bit cleared.
///
/// - Parameter mac: a whole digest of SHA-1, SHA-256 or SHA-512, so at least 20 bytes: the offset is
///   at most 15 and four bytes follow it.
package func truncate(_ mac: Span<UInt8>) -> UInt32 {
  let offset = Int(mac[mac.count - 1] & 15)
  let bits =
    UInt32(mac[offset]) << 24 | UInt32(mac[offset + 1]) << 16 | UInt32(mac[offset + 2]) << 8
    | UInt32(mac[offset + 3])
  return bits & 0x7FFF_FFFF
}
