import OTP

/// Credentials that come with the attempts of a batch.
struct GivenCredentials<Backend: HMACBackend>: AttemptSource {
  let backend: Backend
  let submissions: [Submission]

  func match(_ chunk: AttemptChunk) {
    chunk.takeCredentials(of: submissions)
    for algorithm in HashAlgorithm.allCases {
      let members = chunk.members(of: algorithm)
      if members.isEmpty { continue }
      do throws(OTPError) {
        try search(members, algorithm, chunk)
      } catch {
        // One key that the backend refuses must not fail the others: each by itself.
        for index in members.indices {
          do throws(OTPError) {
            try search(UnsafeBufferPointer(rebasing: members[index...index]), algorithm, chunk)
          } catch {
            chunk.fail(members[index], error)
          }
        }
      }
    }
  }

  private func search(
    _ members: UnsafeBufferPointer<Int>, _ algorithm: HashAlgorithm, _ chunk: AttemptChunk
  ) throws(OTPError) {
    let keyring = try backend.makeKeyring(
      chunk.secrets(of: members, in: submissions), algorithm: algorithm)
    for (key, member) in members.enumerated() { chunk.setKey(of: member, to: key) }
    try chunk.search(members, stepsTogether: keyring.prefersStepsOfAKeyTogether) {
      (keys, counters, output) throws(OTPError) in
      try keyring.truncatedValues(keys: keys, counters: counters, into: &output)
    }
  }
}
