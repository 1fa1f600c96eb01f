/// Benchmarks whose counts are kept in one file, since they hold under the same conditions.
package struct CountedSet: Sendable {
  /// Of its file.
  package let name: String

  /// As `OTP_KERNEL` has it, where the benchmarks run on the SIMD kernels.
  package let kernel: String?

  /// A part of the path of all its benchmarks and of no other's; nil for those that no other set has.
  package let backend: String?

  /// All of them. The kernels are those that valgrind runs: it has neither SHA instructions nor AVX-512.
  package static let all = [
    CountedSet(name: "multibuffer-avx2", kernel: "avx2", backend: "multibuffer"),
    CountedSet(name: "multibuffer-portable", kernel: "portable", backend: "multibuffer"),
    CountedSet(name: "openssl", kernel: nil, backend: "openssl"),
    CountedSet(name: "openssl-compact", kernel: nil, backend: "openssl-compact"),
    CountedSet(name: "gcrypt", kernel: nil, backend: "gcrypt"),
    CountedSet(name: "gcrypt-compact", kernel: nil, backend: "gcrypt-compact"),
    CountedSet(name: "swift", kernel: nil, backend: nil),
  ]

  /// Whether a benchmark is one of them.
  package func contains(_ name: String) -> Bool {
    guard Self.isCounted(name) else { return false }
    let path = Set(name.split(separator: "/").map(String.init))
    if let backend { return path.contains(backend) }
    return !Self.all.contains { $0.backend.map(path.contains) ?? false }
  }

  /// Left out are other libraries, which are not this project's; what takes long; several threads or callers, whose
  /// order is chance; what keeps its own time, in whose body more is done than what is measured; and small batches,
  /// since what the Swift runtime takes for tasks and generic types differs by a percent of them from build to build of
  /// the same sources.
  private static func isCounted(_ name: String) -> Bool {
    let path = name.split(separator: "/")
    let leftOut: Set<Substring> = [
      "ipsec-mb", "openssl-hmac", "liboath", "settle", "latency", "concurrent", "table", "b1",
      "b16",
      "b65536", "n1000000",
    ]
    return path.allSatisfy { part in
      let isTasks =
        (part.first == "t" || part.first == "c") && part.dropFirst().allSatisfy(\.isNumber)
      return !leftOut.contains(part) && !(isTasks && part != "t1")
    }
  }
}
