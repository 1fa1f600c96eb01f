/// What is known of whether time and memory accesses depend on keys and codes, and from where. Nothing of it was
/// measured here.
package enum ConstantTime {
  /// Of every backend.
  package static let common = """
    SHA-1 and SHA-2 are additions, rotations and logic on words (FIPS 180-4), and HMAC adds nothing but two paddings \
    (RFC 2104): neither asks for a branch or an index that depends on a key. Dynamic truncation (RFC 4226 section 5.3) \
    asks for four bytes of the digest, from an offset of 0 to 15 that is as secret as the code. None of the following \
    was measured.
    """

  /// - Parameter backend: its name.
  package static func evidence(_ backend: String) -> String {
    switch backend {
    case "swift":
      """
      by construction, no branch and no index in its hashes and its HMAC depends on a key, but truncation reads the \
      digest by index; what the compiler makes of it was not looked at
      """
    case "multibuffer":
      """
      by construction, no branch and no index in its hashes and its HMAC depends on a key; its vector kernels truncate \
      without an index too, those for SHA instructions read the digest by index; what the compiler makes of it was not \
      looked at
      """
    case "openssl", "openssl-compact":
      """
      its Security Policy leaves side channels on the same machine out of its threat model; truncation is this \
      package's, and reads the digest by index
      """
    case "gcrypt", "gcrypt-compact":
      """
      we know of no statement of the project on its HMAC; truncation is this package's, and reads the digest by index
      """
    default: "nothing is known"
    }
  }
}
