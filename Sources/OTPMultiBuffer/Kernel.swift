import COTPKernels
import OTP

/// One instruction set's code for one algorithm.
struct Kernel: Sendable {
  // Safe to share: it points to a constant.
  nonisolated(unsafe) private let kernel: UnsafePointer<cotp_kernel>

  let algorithm: HashAlgorithm

  var name: String { String(cString: kernel.pointee.name) }

  /// Whether it runs with these features.
  func isOffered(_ features: UInt32) -> Bool { cotp_kernel_is_offered(kernel, features) }

  /// Compares it with values that are known.
  func passesSelfTest() -> Bool { cotp_kernel_passes_self_test(kernel) }

  /// The kernels that were compiled, the one that needs no feature first.
  static func all(_ algorithm: HashAlgorithm) -> [Kernel] {
    (0...).lazy.map { cotp_kernel_at(algorithm.kernelAlgorithm, $0) }.prefix { $0 != nil }
      .compactMap { $0.map { Kernel(kernel: $0, algorithm: algorithm) } }
  }

  /// The features of this processor under this operating system.
  static var availableFeatures: UInt32 { cotp_kernels_features() }

  /// - Parameter chunks: where the keys lie, as in ``AbsorbedStates``.
  func truncatedValues(
    _ chunks: UnsafePointer<UnsafeRawPointer>, keys: Span<Int>, counters: Span<UInt64>,
    into output: inout MutableSpan<UInt32>
  ) {
    withScratch { scratch in
      keys.withUnsafeBufferPointer { keys in
        counters.withUnsafeBufferPointer { counters in
          output.withUnsafeMutableBufferPointer { output in
            // Without an address there is no pair.
            guard let first = keys.baseAddress, let counters = counters.baseAddress,
              let output = output.baseAddress
            else { return }
            kernel.pointee.truncated_values(chunks, first, counters, output, keys.count, scratch)
          }
        }
      }
    }
  }

  /// Writes the states of keys, one behind the other.
  func absorb(_ secrets: some Collection<Secret>, into states: UnsafeMutableRawPointer) {
    // The kernel reads many keys at once: they are copied to where they stay meanwhile.
    let bytes = secrets.reduce(0) { $0 + $1.count }
    withScratch { scratch in
      withWipedScratch(of: UInt8.self, count: bytes) { copies in
        var keys: [UnsafePointer<UInt8>] = []
        var lengths: [Int] = []
        var places: [UnsafeMutableRawPointer] = []
        var end = copies
        for (index, secret) in secrets.enumerated() {
          keys.append(UnsafePointer(end))
          lengths.append(secret.count)
          places.append(states + index * algorithm.absorbedKeyBytes)
          secret.withBytes { key in
            key.withUnsafeBufferPointer { key in
              guard let start = key.baseAddress else { return }
              end.update(from: start, count: key.count)
            }
          }
          end += secret.count
        }
        kernel.pointee.absorb(keys, lengths, places, lengths.count, scratch)
      }
    }
  }

  /// Lends the memory that the kernel keeps secrets in, and wipes it afterwards, with the stack.
  private func withScratch(_ body: (UnsafeMutableRawPointer) -> Void) {
    let bytes = kernel.pointee.scratch_bytes
    // Aligned here: from memory of a greater alignment, the allocator would have to cut off what lies before it.
    let alignment = Int(COTP_KERNELS_SCRATCH_ALIGNMENT)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes + alignment - 1, alignment: 1)
    let scratch = memory.alignedUp(toMultipleOf: alignment)
    defer {
      wipe(UnsafeMutableRawBufferPointer(start: scratch, count: bytes))
      memory.deallocate()
      // One more for the frames between here and the kernel's.
      wipeStack(kilobytes: Int(COTP_KERNELS_STACK_BYTES) / 1024 + 1)
    }
    body(scratch)
  }
}

extension HashAlgorithm {
  var kernelAlgorithm: cotp_algorithm {
    switch self {
    case .sha1: COTP_SHA1
    case .sha256: COTP_SHA256
    case .sha512: COTP_SHA512
    }
  }
}
