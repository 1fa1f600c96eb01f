import OTP

/// Measures kernels against each other: which one is fastest differs by processor and by hash.
struct Calibration {
  private let counters: [UInt64]
  /// Calls that are timed together.
  private let calls: Int

  /// A bulk of attempts in one time step.
  static let many = Calibration(counters: [UInt64](repeating: 1, count: 256), calls: 1)

  /// An attempt by itself, with a window of three steps.
  static let few = Calibration(counters: [1, 2, 3], calls: 16)

  private static let keys = 64
  private static let rounds = 5

  struct Place {
    let kernel: Kernel
    /// The time per code.
    let nanoseconds: Double
  }

  /// The kernels, fastest first.
  func ranking(_ kernels: [Kernel]) -> [Place] {
    var best = [Double](repeating: .infinity, count: kernels.count)
    let indices = counters.indices.map { $0 % Self.keys }
    var output = [UInt32](repeating: 0, count: counters.count)
    let clock = ContinuousClock()
    for _ in 0..<Self.rounds {
      // In turn, so that a disturbance does not meet one of them alone; the least time is the one without any.
      for (index, kernel) in kernels.enumerated() {
        // All zeros will do: the time does not depend on the states.
        let states = AbsorbedStates(
          zeroKeys: Self.keys, keyBytes: kernel.algorithm.absorbedKeyBytes)
        states.withChunks { chunks in
          let start = clock.now
          for _ in 0..<calls {
            var span = output.mutableSpan
            kernel.truncatedValues(
              chunks, keys: indices.span, counters: counters.span, into: &span)
          }
          let codes = calls * counters.count
          best[index] = min(best[index], (clock.now - start) / .nanoseconds(codes))
        }
      }
    }
    return zip(kernels, best).map { Place(kernel: $0, nanoseconds: $1) }
      .sorted { $0.nanoseconds < $1.nanoseconds }
  }
}
