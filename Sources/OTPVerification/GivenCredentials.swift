import OTP

/// Credentials that come with the attempts of a batch: the credential of attempt `i` is the `i`-th.
struct GivenCredentials<Backend: HMACBackend>: AttemptSource {
  let backend: Backend
  let credentials: [Credential]

  func match(_ chunk: inout AttemptChunk) {
    chunk.takeCredentials(credentials)
    for algorithm in chunk.algorithms {
      chunk.match(algorithm) { (requests, search) throws(OTPError) in
        let keyring = try backend.makeKeyring(
          requests.map { credentials[$0.key].secret }, algorithm: algorithm)
        var numbered = requests
        for index in numbered.indices { numbered[index].key = index }
        return try search.highestMatches(numbered, in: keyring)
      }
    }
  }
}
