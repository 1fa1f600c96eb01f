public import OTP

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How ``MultiBufferBackend`` chooses its kernels. Whatever the way, a kernel is used only where the processor and
/// the operating system support it and after it passed a self-test with known values.
public enum KernelSelection: Hashable, Sendable {
  /// As the environment variable `OTP_KERNEL` says when the process first asks: the name of a kernel, `fixed` or
  /// `fastest`; where it is not set, `fastest`.
  case environment

  /// The one that is fastest here, by a measurement of about a millisecond for each algorithm, once per process.
  case fastest

  /// The first that works of a fixed order: the same on each machine of one kind, whatever else it does.
  case fixed

  /// This one; for algorithms that it does not have, as ``fixed``.
  case named(String)
}

/// A kernel that was chosen.
public struct KernelChoice: Hashable, Sendable {
  public let algorithm: HashAlgorithm

  /// Its name, such as `avx2`.
  public let kernel: String

  /// The name of the one for fewer than ``fewPairs`` pairs of a key and a counter: often another, since few fill no
  /// wide vectors. A single attempt has as many pairs as its window has steps.
  public let kernelForFew: String

  /// Where few pairs end.
  public static let fewPairs = 8

  /// Why it was chosen, for a person.
  public let reason: String
}

/// A kernel for each algorithm.
struct KernelSet: Sendable {
  struct Member: Sendable {
    private let kernel: Kernel
    private let kernelForFew: Kernel
    let choice: KernelChoice

    init(_ kernel: Kernel, few kernelForFew: Kernel? = nil, _ reason: String) {
      self.kernel = kernel
      self.kernelForFew = kernelForFew ?? kernel
      choice = KernelChoice(
        algorithm: kernel.algorithm, kernel: kernel.name, kernelForFew: self.kernelForFew.name,
        reason: reason)
    }

    var algorithm: HashAlgorithm { kernel.algorithm }

    func kernel(forPairs count: Int) -> Kernel {
      count < KernelChoice.fewPairs ? kernelForFew : kernel
    }
  }

  private let members: [HashAlgorithm: Member]

  subscript(algorithm: HashAlgorithm) -> Member {
    guard let member = members[algorithm] else {
      preconditionFailure("each algorithm has the portable kernel")
    }
    return member
  }

  static func set(for selection: KernelSelection) throws(OTPError) -> KernelSet {
    switch selection {
    case .environment:
      switch getenv("OTP_KERNEL").map({ String(cString: $0) }) {
      case nil, "", "fastest": fastest
      case "fixed": fixed
      case let name?: try named(name, "OTP_KERNEL names it", by: "OTP_KERNEL")
      }
    case .fastest: fastest
    case .fixed: fixed
    case .named(let name): try named(name, "it was asked for")
    }
  }

  /// The kernels that run here, best first by what is known of processors in general.
  static func candidates(_ algorithm: HashAlgorithm) -> [Kernel] {
    // They are compiled in the order of their worth.
    let features = Kernel.availableFeatures
    return Kernel.all(algorithm).filter { $0.isOffered(features) }.reversed()
  }

  private static let fixed = KernelSet { algorithm in
    let candidates = candidates(algorithm)
    return firstSound(candidates, "the first of \(candidates.map(\.name).joined(separator: ", "))")
  }

  private static let fastest = KernelSet { algorithm in
    let candidates = candidates(algorithm)
    guard candidates.count > 1 else { return firstSound(candidates, "no other runs here") }
    // Only what is chosen is tested: that takes longer than measuring all.
    let many = Calibration.many.ranking(candidates)
    let few = Calibration.few.ranking(candidates)
    func times(_ ranking: [Calibration.Place]) -> String {
      ranking.map { "\($0.kernel.name) \(Int($0.nanoseconds.rounded()))" }
        .joined(separator: ", ")
    }
    return firstSound(
      many.map(\.kernel), few: few.map(\.kernel),
      "the fastest in ns per code, of many: \(times(many)); of three: \(times(few))")
  }

  private static func named(
    _ name: String, _ reason: String, by source: String? = nil
  ) throws(OTPError) -> KernelSet {
    guard names.contains(name) else {
      throw OTPError(
        .backendUnavailable,
        (source.map { "\($0): " } ?? "")
          + "no kernel of this name runs here; there are \(names.joined(separator: ", "))")
    }
    return KernelSet { algorithm in
      let candidates = candidates(algorithm)
      let named = candidates.filter { $0.name == name }
      return firstSound(
        named + candidates.filter { $0.name != name },
        named.isEmpty ? "the kernel that was asked for does not have it" : reason)
    }
  }

  private init(_ choose: (HashAlgorithm) -> Member) {
    members = Dictionary(
      uniqueKeysWithValues: HashAlgorithm.allCases.map { ($0, choose($0)) })
  }

  /// The first candidates that pass their self-tests.
  /// - Parameter few: the candidates for few pairs, if they are in another order.
  private static func firstSound(
    _ candidates: [Kernel], few: [Kernel]? = nil, _ reason: String
  ) -> Member {
    var failed: [String] = []
    var sound: Kernel?
    func firstSound(_ candidates: [Kernel]) -> Kernel {
      // Each is tested once, also where it is first in both orders.
      for kernel in candidates where !failed.contains(kernel.name) {
        if kernel.name == sound?.name || kernel.passesSelfTest() {
          sound = kernel
          return kernel
        }
        failed.append(kernel.name)
      }
      // The portable one is plain C: where that computes something else, nothing can be trusted.
      preconditionFailure("no kernel passes its self-test on this machine")
    }
    let kernel = firstSound(candidates)
    let kernelForFew = few.map { firstSound($0) }
    let failures =
      failed.isEmpty ? "" : "; failed the self-test: \(failed.joined(separator: ", "))"
    return Member(kernel, few: kernelForFew, reason + failures)
  }

  /// The names of all candidates.
  static var names: [String] {
    var names: [String] = []
    for kernel in HashAlgorithm.allCases.flatMap({ candidates($0) })
    where !names.contains(kernel.name) {
      names.append(kernel.name)
    }
    return names
  }
}
