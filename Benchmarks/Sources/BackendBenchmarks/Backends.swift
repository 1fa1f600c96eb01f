import BenchmarkRegistry
package import OTP
import OTPGcrypt
package import OTPMultiBuffer
import OTPOpenSSL

/// A backend that is compared. A new one joins with a case and a line.
package enum BackendName: String, CaseIterable, Sendable {
  case swift, openssl
  case opensslCompact = "openssl-compact"
  case gcrypt
  case gcryptCompact = "gcrypt-compact"
  case multibuffer

  /// Whether the quick comparison has it: a second way to use a library is measured by whoever asks for more.
  var isQuick: Bool {
    switch self {
    case .opensslCompact, .gcryptCompact: false
    case .swift, .openssl, .gcrypt, .multibuffer: true
    }
  }

  package func make() throws -> any HMACBackend {
    switch self {
    case .swift: SwiftBackend()
    case .openssl: try OpenSSLBackend()
    case .opensslCompact: try OpenSSLBackend(keys: .compact)
    case .gcrypt: try GcryptBackend()
    case .gcryptCompact: try GcryptBackend(keys: .compact)
    case .multibuffer: try MultiBufferBackend()
    }
  }
}

/// The backends that are compared, and what each is checked against.
package struct Backends: Sendable {
  package let all: [any HMACBackend]
  package let multiBuffer: MultiBufferBackend

  package init() throws {
    self.init(
      try BackendName.allCases.map { try $0.make() }, multiBuffer: try MultiBufferBackend())
  }

  package init(_ all: [any HMACBackend], multiBuffer: MultiBufferBackend) {
    self.all = all
    self.multiBuffer = multiBuffer
  }

  /// The algorithms that OpenSSL has when only validated implementations will do; nil without a provider of them.
  package static var openSSLAlgorithmsUnderFIPS: [HashAlgorithm]? {
    (try? OpenSSLBackend(properties: "fips=yes"))?.information.algorithms
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
