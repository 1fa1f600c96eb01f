package import BenchmarkRegistry
import CCallgrind
import CCountedHeap
import Foundation
import Instructions

/// The side of the child: what runs under callgrind. Whoever uses this module gets an allocator of its own, see
/// `ccountedheap.h`.
package final class CountedRun {
  private let benchmark: (_ name: String) throws -> Benchmark

  private init(_ benchmark: @escaping (_ name: String) throws -> Benchmark) {
    self.benchmark = benchmark
  }

  /// Calls before the one that counts: what is done once is done then, and the heap has its shape.
  private static let warmUps = 3

  /// Counts one call of the body of each benchmark whose name is a line of standard input. Each is prepared and runs in
  /// a process of its own, which begins as this one is now: so its counts depend on no other benchmark, and valgrind
  /// has to load the program only once.
  ///
  /// This process must have one thread. What is written to standard output is for ``Callgrind``; a fault is a line on
  /// standard error.
  /// - Parameters:
  ///   - seconds: what a benchmark may take.
  ///   - benchmark: makes the one of a name.
  /// - Returns: whether all were counted; none is begun after one that was not.
  /// - Throws: ``InstructionsFault`` in a process that does not run under valgrind.
  package static func run(
    seconds: Int, _ benchmark: @escaping (_ name: String) throws -> Benchmark
  ) throws -> Bool {
    guard ccallgrind_is_running() else {
      throw InstructionsFault("this is what other commands start under valgrind")
    }
    let run = CountedRun(benchmark)
    defer { withExtendedLifetime(run) {} }
    return ccallgrind_run_each(
      { context in
        guard let context else { return CCALLGRIND_FAILED }
        return Unmanaged<CountedRun>.fromOpaque(context).takeUnretainedValue().countNext()
      }, Unmanaged.passUnretained(run).toOpaque(), UInt32(seconds))
  }

  private func countNext() -> ccallgrind_outcome {
    do {
      guard let name = try Self.nextName() else { return CCALLGRIND_NOTHING_LEFT }
      let prepared = try benchmark(name).prepare()
      let body: () throws -> Void
      switch prepared.body {
      case .plain(let all), .clocked(let all): body = all
      case .timed: throw InstructionsFault("its body does more than what is measured")
      }
      for _ in 0..<Self.warmUps { try body() }
      let before = ccountedheap_allocations()
      ccallgrind_start()
      try body()
      ccallgrind_stop()
      let allocations = ccountedheap_allocations() - before
      let line = CountedLine.body(items: prepared.items, allocations: allocations)
      try FileHandle.standardOutput.write(contentsOf: Data("\(line.text)\n".utf8))
      return CCALLGRIND_COUNTED
    } catch {
      // If nobody reads it, nobody is there to be told.
      try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
      return CCALLGRIND_FAILED
    }
  }

  /// Takes a line and no byte more, which are for the next process.
  private static func nextName() throws -> String? {
    var line: [UInt8] = []
    while let byte = try FileHandle.standardInput.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}
