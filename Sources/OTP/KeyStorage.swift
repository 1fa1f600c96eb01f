/// What a keyring over a C library keeps of a key.
public enum KeyStorage: Sendable {
  /// What depends on the key alone, computed once: a code costs the least, a key 400 to 1,800 bytes.
  case prepared

  /// The key's bytes and eight more. Each call of ``HMACKeyring/truncatedValues(keys:counters:into:)`` keys one
  /// context of the library with one key after the other: a key costs about as much as one or two codes, once for all
  /// of its counters that follow each other. This is right for so many credentials that their prepared keys fit neither
  /// into the memory nor into the processor's caches.
  case compact
}
