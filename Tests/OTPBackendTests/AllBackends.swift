import OTP
import OTPGcrypt
import OTPMultiBuffer
import OTPOpenSSL
import Testing

/// Every backend that the tests compare. A new one joins by one line.
let allBackends: [TestedBackend] = [
  TestedBackend { SwiftBackend() },
  TestedBackend { try OpenSSLBackend() },
  TestedBackend { try OpenSSLBackend(keys: .compact) },
  TestedBackend { try GcryptBackend() },
  TestedBackend { try GcryptBackend(keys: .compact) },
  TestedBackend { try MultiBufferBackend() },
]

/// A backend with a name for the test report. One that is not available is a failure, not a skip.
struct TestedBackend: Sendable, CustomTestStringConvertible {
  let backend: any HMACBackend

  init(_ make: () throws -> any HMACBackend) {
    do {
      backend = try make()
    } catch {
      preconditionFailure("\(error)")
    }
  }

  var testDescription: String { backend.information.name }
}
