import OTP
import OTPMultiBuffer
import OTPTestSupport
import Testing

/// Each kernel that runs here, whichever is chosen.
@Suite struct KernelTests {
  /// Numbers of pairs around every lane width, and keys in more than one chunk.
  @Test(arguments: MultiBufferBackend.kernelNames, HashAlgorithm.allCases)
  func agreesWithPureSwift(_ name: String, _ algorithm: HashAlgorithm) throws {
    var generator = SeededGenerator(for: "kernel \(name) \(algorithm)")
    let secrets = try (0..<1100).map { try Secret(bytes: generator.bytes(1 + $0 % 200)) }
    let keyring = try MultiBufferBackend(.named(name)).makeKeyring(secrets, algorithm: algorithm)
    let expected = SwiftBackend().makeKeyring(secrets, algorithm: algorithm)
    for count in Array(0...70) + [255, 256, 257, 768] {
      let keys = (0..<count).map { _ in Int.random(in: secrets.indices, using: &generator) }
      let first = generator.counter()
      for counters in [
        keys.map { _ in first }, keys.map { _ in generator.counter() },
        keys.indices.map { first &+ UInt64($0 / 20) },
        keys.indices.map { $0 == count / 2 ? first ^ 1 : first },
      ] {
        #expect(
          try keyring.truncatedValues(keys: keys, counters: counters)
            == expected.truncatedValues(keys: keys, counters: counters), "\(count) pairs")
      }
    }
  }

  @Test func namedKernels() throws {
    #expect(MultiBufferBackend.kernelNames.last == "portable")
    for name in MultiBufferBackend.kernelNames {
      let choices = try MultiBufferBackend(.named(name)).choices
      #expect(choices.map(\.algorithm) == HashAlgorithm.allCases)
      #expect(choices[0].kernel == name)
    }
    for name in ["", "AVX2", "sse9"] {
      #expect(errorCode { try MultiBufferBackend(.named(name)) } == .backendUnavailable)
    }
  }

  /// The choice of a process does not change, and each comes from what runs here.
  @Test(arguments: [.fixed, .fastest] as [KernelSelection])
  func choicesStay(_ selection: KernelSelection) throws {
    let choices = try MultiBufferBackend(selection).choices
    #expect(try MultiBufferBackend(selection).choices == choices)
    for choice in choices {
      #expect(MultiBufferBackend.kernelNames.contains(choice.kernel))
      #expect(!choice.reason.isEmpty)
    }
  }
}
