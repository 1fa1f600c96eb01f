import OTP

/// Measures kernels against each other: which one is fastest differs by processor and by hash.
enum Calibration {
  private static let keys = 64
  private static let pairs = 256
  private static let rounds = 5

  /// The kernels, fastest first, with their time per code.
  static func ranking(_ kernels: [Kernel]) -> [(kernel: Kernel, nanoseconds: Double)] {
    var best = [Double](repeating: .infinity, count: kernels.count)
    let indices = (0..<pairs).map { $0 % keys }
    let counters = [UInt64](repeating: 1, count: pairs)
    var output = [UInt32](repeating: 0, count: pairs)
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      // In turn, so that a disturbance does not meet one of them alone; the least time is the one without any.
      for (index, kernel) in kernels.enumerated() {
        // All zeros will do: the time does not depend on the states.
        let states = AbsorbedStates(zeroKeys: keys, keyBytes: kernel.algorithm.absorbedKeyBytes)
        states.withChunks { chunks in
          var span = output.mutableSpan
          let start = clock.now
          kernel.truncatedValues(chunks, keys: indices.span, counters: counters.span, into: &span)
          best[index] = min(best[index], (clock.now - start) / .nanoseconds(pairs))
        }
      }
    }
    return zip(kernels, best).sorted { $0.1 < $1.1 }.map { ($0, $1) }
  }
}
