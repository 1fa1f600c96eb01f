import OTP
import OTPGcrypt
import OTPMultiBuffer
import OTPOpenSSL

/// A backend that the tool can be told to use. A new one joins with a case and a line in `make`.
enum BackendName: String, CaseIterable {
  case swift, openssl
  case opensslCompact = "openssl-compact"
  case gcrypt
  case gcryptCompact = "gcrypt-compact"
  case multibuffer

  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  func make() throws(OTPError) -> any HMACBackend {
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

extension Option {
  static let backend = Option(
    name: "backend", argument: "NAME", help: "\(BackendName.list)\n(default: swift)")

  static let bulkBackend = Option(
    name: "backend", argument: "NAME", help: "\(BackendName.list)\n(default: multibuffer)")
}

extension Arguments {
  func backend(default name: BackendName = .swift) throws -> any HMACBackend {
    let text = value(of: "backend") ?? name.rawValue
    guard let name = BackendName(rawValue: text) else {
      throw ToolError("--backend must be one of: \(BackendName.list)")
    }
    return try name.make()
  }
}

extension Command {
  static let backends = Command(
    name: "backends",
    summary: "Lists the backends: library as loaded, license, algorithms, instruction set.",
    details: """
      The environment variable OTP_KERNEL chooses the kernels of multibuffer: fastest (measured; the
      default), fixed (the first of a fixed order), or one of the names listed there. For an algorithm
      that the named one does not have, it is the first of the order.
      """,
    options: [.json],
    run: { arguments in
      let rows = BackendName.allCases.map(BackendRow.init)
      if arguments.has("json") {
        for row in rows { try printJSON(row) }
      } else {
        try printLine(rows.map(\.text).joined(separator: "\n"))
      }
      return .done
    })
}

/// The kernel in use for one algorithm.
struct KernelRow: Encodable {
  let algorithm: String
  let kernel: String
  let kernelForFew: String
  let reason: String

  /// A row for each algorithm, or none when the backend has no kernels to choose from.
  static func rows(of backend: any HMACBackend) -> [KernelRow] {
    ((backend as? MultiBufferBackend)?.choices ?? []).map {
      KernelRow(
        algorithm: $0.algorithm.rawValue, kernel: $0.kernel, kernelForFew: $0.kernelForFew,
        reason: $0.reason)
    }
  }

  var choice: String {
    "\(kernel), for fewer than \(KernelChoice.fewPairs) codes \(kernelForFew): \(reason)"
  }

  var text: String { "\(algorithm): \(choice)" }
}

private struct BackendRow: Encodable {
  let name: String
  let available: Bool
  var library: String?
  var license: String?
  var algorithms: [String]?
  var instructionSet: String?
  var kernels: [KernelRow]?
  var reason: String?

  init(_ name: BackendName) {
    self.name = name.rawValue
    do {
      let backend = try name.make()
      let information = backend.information
      library = information.library
      license = information.license
      algorithms = information.algorithms.map(\.rawValue)
      instructionSet = information.instructionSet
      let rows = KernelRow.rows(of: backend)
      kernels = rows.isEmpty ? nil : rows
      available = true
    } catch {
      reason = error.message
      available = false
    }
  }

  var text: String {
    var lines = [name]
    if available {
      let missing = HashAlgorithm.allCases.map(\.rawValue).filter {
        !(algorithms ?? []).contains($0)
      }
      lines.append(
        columns(
          [
            ("library", library ?? ""), ("license", license ?? ""),
            (
              "algorithms",
              (algorithms ?? []).joined(separator: " ")
                + (missing.isEmpty ? "" : " (missing: \(missing.joined(separator: " ")))")
            ),
            ("instruction set", readableInstructionSet(instructionSet ?? "")),
          ]
            + (kernels ?? []).map { ("kernel for \($0.algorithm)", $0.choice) }))
    } else {
      lines.append("  not available: \(reason ?? "")")
    }
    return lines.joined(separator: "\n")
  }
}
