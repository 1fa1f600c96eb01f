package import BenchmarkResults
import Foundation
import Synchronization

/// Two executables that are measured in pairs of processes, so that what disturbs the machine meets both.
package struct ProcessPairs: Sendable {
  /// How the two processes of a pair follow each other.
  package enum Order: Equatable, Sendable {
    /// One after the other, in turns: A B, B A, A B, ... A drift that goes on meets both alike.
    case alternating

    /// Both at once, each on its own core, which they change from pair to pair.
    ///
    /// L. Bulej, V. Horký, P. Tůma, F. Farquet and A. Prokopec, "Duet Benchmarking: Improving Measurement Accuracy in
    /// the Cloud", ICPE 2020.
    case duet(cores: [Int])
  }

  private let base: BenchmarkExecutable
  private let head: BenchmarkExecutable
  private let settings: ProcessSettings
  private let order: Order

  package init(
    base: BenchmarkExecutable, head: BenchmarkExecutable, _ settings: ProcessSettings,
    _ order: Order
  ) {
    self.base = base
    self.head = head
    self.settings = settings
    self.order = order
  }

  /// - Parameters:
  ///   - count: of pairs.
  ///   - folder: for a moment, results are written to it.
  ///   - progress: called before each pair with the number of those that are done.
  package func measure(
    count: Int, in folder: String, progress: (Int) -> Void = { _ in }
  ) throws -> [(base: Results, head: Results)] {
    var pairs: [(base: Results, head: Results)] = []
    for number in 0..<count {
      progress(number)
      let pair = try measurePair(isReversed: !number.isMultiple(of: 2), in: folder)
      let first = pairs.first ?? pair
      for (results, expected) in [(pair.base, first.base), (pair.head, first.head)]
      where results.names != expected.names {
        throw UnsteadyError(source: results.source)
      }
      pairs.append(pair)
    }
    return pairs
  }

  private func measurePair(
    isReversed: Bool, in folder: String
  ) throws -> (base: Results, head: Results) {
    switch order {
    case .alternating where isReversed:
      let head = try head.measure(settings, in: folder)
      return (try base.measure(settings, in: folder), head)
    case .alternating:
      let base = try base.measure(settings, in: folder)
      return (base, try head.measure(settings, in: folder))
    case .duet(let cores):
      let sides = [base, head]
      let results = Mutex<[Result<Results, any Error>?]>([nil, nil])
      // Both threads only wait for their processes.
      DispatchQueue.concurrentPerform(iterations: 2) { side in
        let core = cores[isReversed ? 1 - side : side]
        let result = Result { try sides[side].measure(settings, in: folder, on: core) }
        results.withLock { $0[side] = result }
      }
      let both = try results.withLock { try $0.compactMap { try $0?.get() } }
      return (both[0], both[1])
    }
  }
}

extension Results {
  /// Their order is random, as that in which they were measured.
  fileprivate var names: Set<String> { Set(benchmarks.map(\.name)) }
}

/// Processes of one executable measured different benchmarks.
package struct UnsteadyError: Error, CustomStringConvertible {
  let source: String

  package var description: String {
    "\(source) has other benchmarks than that of another process of the same executable"
  }
}
