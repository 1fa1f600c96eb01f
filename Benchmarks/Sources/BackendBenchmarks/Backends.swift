package import OTP
import OTPGcrypt
import OTPMultiBuffer
import OTPOpenSSL

/// The backends that work here, and what each is checked against.
package struct Backends {
  package let all: [any HMACBackend]

  /// Every backend that is compared. A new one joins by one line.
  package init() throws {
    all = [
      SwiftBackend(),
      try OpenSSLBackend(),
      try GcryptBackend(),
      try MultiBufferBackend(),
    ]
  }

  /// The backend whose results those of another must equal: the pure Swift one, and for that a library.
  /// - Throws: `unsupportedAlgorithm` when there is none for the algorithm.
  func second(
    to backend: some HMACBackend, _ algorithm: HashAlgorithm
  ) throws -> any HMACBackend {
    let others = all.filter {
      $0.information.name != backend.information.name
        && $0.information.algorithms.contains(algorithm)
    }
    guard let second = others.first else {
      throw OTPError(.unsupportedAlgorithm, "no second backend has \(algorithm.name)")
    }
    return second
  }
}
