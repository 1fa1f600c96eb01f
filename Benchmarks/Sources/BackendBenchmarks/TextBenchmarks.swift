import BenchmarkRegistry
import Foundation
import OTP

/// Keys and credentials as texts: Base32, and otpauth URIs.
enum TextBenchmarks {
  static var all: [Benchmark] { [Base32Benchmarks.all, URIBenchmarks.all].flatMap(\.self) }
}

/// Base32 of keys of 20 bytes, which needs no padding; each way is checked against liboath or this package.
private enum Base32Benchmarks {
  static var all: [Benchmark] {
    [
      decoding("otp", text: \.text) { try Base32.decode($0, mode: .strict) },
      // As people type it.
      decoding("otp/lenient", text: \.groups) { try Base32.decode($0, mode: .lenient) },
      decoding("liboath", text: \.text) { try liboathBase32Decoded($0) },
      encoding("otp") { Base32.encode($0) },
      encoding("liboath") { try liboathBase32Encoded($0) },
    ]
  }

  /// A key and its text, in which this package and liboath agree.
  private struct Sample {
    let key: [UInt8]
    let text: String

    /// The text in lower case and groups of four.
    var groups: String {
      stride(from: 0, to: text.count, by: 4)
        .map { text.lowercased().dropFirst($0).prefix(4) }.joined(separator: " ")
    }

    init(_ key: [UInt8]) throws {
      self.key = key
      text = Base32.encode(key)
      guard try liboathBase32Encoded(key) == text else {
        throw BenchmarkFault("liboath has another Base32 of a key")
      }
    }

    static func all() throws -> [Sample] {
      try Workload(.sha1, by: SwiftBackend()).secrets.map { try Sample($0.copiedBytes) }
    }
  }

  private static func decoding(
    _ who: String, text: KeyPath<Sample, String>, _ decode: @escaping (String) throws -> [UInt8]
  ) -> Benchmark {
    let name = "base32/decode/\(who)"
    return Benchmark(name) {
      let samples = try Sample.all()
      let texts = samples.map { $0[keyPath: text] }
      guard try texts.map(decode) == samples.map(\.key) else {
        throw BenchmarkFault("\(name): other bytes than those that were encoded")
      }
      return PreparedBenchmark(
        items: texts.count, .plain { for text in texts { blackHole(try decode(text)) } })
    }
  }

  private static func encoding(
    _ who: String, _ encode: @escaping ([UInt8]) throws -> String
  ) -> Benchmark {
    let name = "base32/encode/\(who)"
    return Benchmark(name) {
      let samples = try Sample.all()
      let keys = samples.map(\.key)
      guard try keys.map(encode) == samples.map(\.text) else {
        throw BenchmarkFault("\(name): another text than a second encoder's")
      }
      return PreparedBenchmark(
        items: keys.count, .plain { for key in keys { blackHole(try encode(key)) } })
    }
  }
}

/// otpauth URIs of many users of one service; each way is checked against Foundation's `URLComponents`.
private enum URIBenchmarks {
  static var all: [Benchmark] {
    [Benchmark("uri/parse", prepare: parsing), Benchmark("uri/write", prepare: writing)]
  }

  private static let issuer = "Example & Co"

  private static func samples() throws -> [OTPAuthURI] {
    try HashAlgorithm.allCases.flatMap { algorithm in
      try Workload(algorithm, by: SwiftBackend()).secrets.prefix(256).enumerated().map {
        number, secret in
        try OTPAuthURI(
          factor: .totp(
            try TOTP(
              algorithm: algorithm, digits: 6 + number % 3, period: number % 2 == 0 ? 30 : 60)),
          issuer: issuer, account: "user\(number)@example.com", secret: secret)
      }
    }
  }

  private static func parsing() throws -> PreparedBenchmark {
    let samples = try samples()
    let texts = try samples.map(text)
    guard try texts.map({ try OTPAuthURI($0) }) == samples else {
      throw BenchmarkFault("uri/parse: not what Foundation was given to write")
    }
    return PreparedBenchmark(
      items: texts.count, .plain { for text in texts { blackHole(try OTPAuthURI(text)) } })
  }

  private static func writing() throws -> PreparedBenchmark {
    let samples = try samples()
    for uri in samples {
      guard URLComponents(string: uri.text).map(Parts.init) == Parts(components(uri)) else {
        throw BenchmarkFault("uri/write: Foundation reads something else")
      }
    }
    return PreparedBenchmark(
      items: samples.count, .plain { for uri in samples { blackHole(uri.text) } })
  }

  private static func components(_ uri: OTPAuthURI) -> URLComponents {
    var components = URLComponents()
    components.scheme = "otpauth"
    components.host = "totp"
    components.path = "/\(uri.issuer ?? ""):\(uri.account)"
    let parameters = uri.factor.parameters
    var query = [
      ("secret", uri.secret.withBytes { Base32.encode($0) }), ("issuer", uri.issuer ?? ""),
      ("algorithm", parameters.algorithm.name), ("digits", "\(parameters.digits)"),
    ]
    if case .totp(let totp) = uri.factor { query.append(("period", "\(totp.period)")) }
    components.queryItems = query.map { URLQueryItem(name: $0.0, value: $0.1) }
    return components
  }

  private static func text(_ uri: OTPAuthURI) throws -> String {
    guard let text = components(uri).string else {
      throw BenchmarkFault("Foundation writes no URI")
    }
    return text
  }

  /// What a URI says, however it is written.
  private struct Parts: Equatable {
    let scheme: String?
    let host: String?
    let path: String
    let query: [URLQueryItem]?

    init(_ components: URLComponents) {
      scheme = components.scheme
      host = components.host
      path = components.path
      query = components.queryItems
    }
  }
}
