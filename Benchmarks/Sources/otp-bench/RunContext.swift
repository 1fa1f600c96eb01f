import BackendBenchmarks
import CGoogleBenchmark
import Foundation
import OTP
import OTPMultiBuffer

/// What figures are worth nothing without: where and of what they are. It goes into the JSON.
struct RunContext {
  let values: [(key: String, value: String)]

  init(_ backends: Backends) {
    var values = [
      ("commit", builtCommit), ("otp_build_type", Self.buildType), ("compiler", Self.compiler),
      ("cpu_model", Processor.current.model), ("cpu_features", Processor.current.features),
      ("batch_sizes", BulkVerification.batches.map(String.init).joined(separator: " ")),
    ]
    if cbench_slowdown_percent() != 0 {
      values.append(("slowdown_percent", "\(cbench_slowdown_percent())"))
    }
    for choice in backends.multiBuffer.choices {
      values.append(("kernel_\(choice.algorithm)", choice.kernel))
      values.append(("kernel_\(choice.algorithm)_for_few", choice.kernelForFew))
      values.append(("kernel_\(choice.algorithm)_reason", choice.reason))
    }
    for backend in backends.all {
      values.append(("backend_\(backend.information.name)", backend.information.library))
    }
    for (name, version) in loadedLibraries.sorted(by: <) {
      values.append(("library_\(name)", version))
    }
    self.values = values
  }

  /// How this program and the package were built, of which Google Benchmark's `library_build_type` says nothing.
  static var buildType: String {
    #if DEBUG
      "debug"
    #else
      cbench_is_optimized() != 0 ? "release" : "release without optimization of C"
    #endif
  }

  /// What the sources were compiled by; which release of the Swift compiler is known from 6.2 to 6.4.
  static var compiler: String {
    #if compiler(>=6.5)
      let swift = "6.5 or later"
    #elseif compiler(>=6.4)
      let swift = "6.4"
    #elseif compiler(>=6.3)
      let swift = "6.3"
    #else
      let swift = "6.2"
    #endif
    return "Swift \(swift), \(String(cString: cbench_compiler()))"
  }

  /// Has them written to the JSON.
  func add() {
    for (key, value) in values { cbench_add_context(key, value) }
  }
}
