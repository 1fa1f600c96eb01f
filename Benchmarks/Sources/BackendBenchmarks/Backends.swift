import BenchmarkRegistry
package import OTP
import OTPGcrypt
package import OTPMultiBuffer
import OTPOpenSSL

/// The backends that work here, and what each is checked against.
package struct Backends: Sendable {
  package let all: [any HMACBackend]
  package let multiBuffer: MultiBufferBackend

  /// Every backend that is compared. A new one joins by one line.
  package init() throws {
    multiBuffer = try MultiBufferBackend()
    all = [SwiftBackend(), try OpenSSLBackend(), try GcryptBackend(), multiBuffer]
  }

  package func supporting(_ algorithm: HashAlgorithm) -> [any HMACBackend] {
    all.filter { $0.information.algorithms.contains(algorithm) }
  }

  /// The backend whose results those of another must equal: the pure Swift one, and for that a library.
  /// - Throws: ``BenchmarkFault`` when there is none for the algorithm.
  func second(
    to backend: some HMACBackend, _ algorithm: HashAlgorithm
  ) throws -> any HMACBackend {
    let name = backend.information.name
    guard let second = supporting(algorithm).first(where: { $0.information.name != name }) else {
      throw BenchmarkFault("no second backend has \(algorithm.name)")
    }
    return second
  }
}
