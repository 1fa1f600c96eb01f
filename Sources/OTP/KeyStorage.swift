/// What a keyring over a C library keeps of a key.
public enum KeyStorage: Sendable {
  /// What depends on the key alone, computed once: a code costs the least, a key hundreds of bytes or more.
  case prepared

  /// The key's bytes and eight more. Each call of
  /// ``HMACKeyring/truncatedValues(keys:counters:into:)`` keys one context of the library with one key after the
  /// other, which is right for many millions of credentials, each of which is seldom asked for.
  case compact
}
