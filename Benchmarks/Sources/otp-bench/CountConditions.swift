import BackendBenchmarks
import Foundation
import Instructions
import OTP
import OTPMultiBuffer

/// What counts depend on beside the sources: with another compiler, or other libraries, they are others.
struct CountConditions {
  private let common: [Thresholds.Condition]

  /// The versions of the libraries under the backends, by the backends' names.
  private let libraries: [String: String]

  init(_ backends: Backends, valgrind: String) {
    common = [
      .init("architecture", Self.architecture), .init("compiler", RunContext.compiler),
      .init("C library", Self.cLibrary), .init("valgrind", valgrind),
    ]
    libraries = Dictionary(
      backends.all.map { ($0.information.name, $0.information.library) }
    ) { first, _ in first }
  }

  /// Why a set cannot be counted here.
  func obstacle(to set: CountedSet) -> String? {
    guard let kernel = set.kernel, !MultiBufferBackend.kernelNames.contains(kernel) else {
      return nil
    }
    return "the kernel does not run on this processor"
  }

  func conditions(of set: CountedSet) -> [Thresholds.Condition] {
    var conditions = common
    if let kernel = set.kernel {
      conditions.append(.init("kernel", kernel))
    } else if let backend = set.backend, let library = libraries[backend] {
      conditions.append(.init("library", library))
    }
    return conditions
  }

  /// Why a file does not hold here.
  func difference(from thresholds: Thresholds, _ set: CountedSet) -> String? {
    let here = conditions(of: set)
    if thresholds.conditions == here { return nil }
    let differences = here.compactMap { condition -> String? in
      let recorded = thresholds.conditions.first { $0.name == condition.name }?.value
      if recorded == condition.value { return nil }
      return
        "its file is for \(condition.name) \(recorded ?? "of any kind"), here it is \(condition.value)"
    }
    return differences.isEmpty
      ? "its file names other conditions than are known here" : differences.joined(separator: "; ")
  }

  /// With what valgrind makes of it, since the C library and others choose their code by that.
  private static var architecture: String {
    #if arch(x86_64)
      MultiBufferBackend.kernelNames.contains("avx2") ? "x86_64 with AVX2" : "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "another one"
    #endif
  }

  private static var cLibrary: String {
    #if canImport(Glibc)
      var name = [CChar](repeating: 0, count: 64)
      guard confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count) > 0 else { return "unknown" }
      return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    #else
      return "the system's"
    #endif
  }
}
