import OTP

/// Credentials that come with the attempts of a batch: the credential of attempt `i` is the `i`-th.
struct GivenCredentials<Backend: HMACBackend>: AttemptSource, CredentialSource {
  let backend: Backend
  let credentials: [Credential]

  func find(_ chunk: inout AttemptChunk) {
    chunk.find(in: self)
  }

  func find(_ place: Int, id: CredentialID) -> Result<FoundCredential, OTPError> {
    .success(FoundCredential(factor: credentials[place].factor, key: place))
  }

  func matches(
    _ requests: [SearchRequest], _ algorithm: HashAlgorithm, _ search: inout WindowSearch
  ) -> [Result<UInt64?, OTPError>] {
    do throws(OTPError) {
      let keyring = try backend.makeKeyring(
        requests.map { credentials[$0.key].secret }, algorithm: algorithm)
      var numbered = requests
      for index in numbered.indices { numbered[index].key = index }
      return try search.highestMatches(numbered[...], in: keyring).map { .success($0) }
    } catch {
      if requests.count == 1 { return [.failure(error)] }
      // One key that the backend refuses must not fail the others: each by itself.
      return requests.flatMap { matches([$0], algorithm, &search) }
    }
  }
}
