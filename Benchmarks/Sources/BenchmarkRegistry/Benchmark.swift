/// A benchmark by its name. It is prepared only when it is going to run, so that a list of many costs nothing.
package struct Benchmark {
  /// A path: what, how, and with which backend or ledger.
  package let name: String

  /// Sets the benchmark up, and compares its results with those of a second backend or of a second way.
  package let prepare: () throws -> PreparedBenchmark

  package init(_ name: String, prepare: @escaping () throws -> PreparedBenchmark) {
    self.name = name
    self.prepare = prepare
  }
}

/// A benchmark that can run: a body that handles a number of items each time it is called.
package struct PreparedBenchmark {
  package let items: Int
  package let body: Body

  /// Further figures, asked for after each repetition: of the calls of the body since they were asked for last.
  package let counters: () -> [String: Double]

  package enum Body {
    /// The time is that of the thread that calls it.
    case plain(() throws -> Void)

    /// The time is that of the clock, since other threads do the work.
    case clocked(() throws -> Void)

    /// It returns the seconds that count: by the clock, and without preparing and checking.
    case timed(() throws -> Double)
  }

  package init(
    items: Int, counters: @escaping () -> [String: Double] = { [:] }, _ body: Body
  ) {
    self.items = items
    self.counters = counters
    self.body = body
  }

  /// Handles the items once.
  /// - Returns: the seconds that it took, by the clock.
  @discardableResult
  package func run() throws -> Double {
    switch body {
    case .plain(let body), .clocked(let body):
      let start = ContinuousClock.now
      try body()
      return (ContinuousClock.now - start) / .seconds(1)
    case .timed(let body): return try body()
    }
  }
}

/// What was measured is not what should have been.
package struct BenchmarkFault: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
