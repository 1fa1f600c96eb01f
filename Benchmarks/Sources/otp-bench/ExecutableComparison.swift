import BenchmarkRegistry
import RunComparison

/// Two executables, from whether they can be compared to the comparison.
struct ExecutableComparison {
  let base: Side
  let head: Side
  let options: ComparisonOptions

  struct Side {
    let executable: BenchmarkExecutable

    /// What messages and the report call it.
    let name: String

    /// Whether it has something that is to be compared.
    fileprivate func has(_ settings: ProcessSettings) throws -> Bool {
      let filter = try NameFilter(settings.filter)
      return try executable.names(within: settings.limit).contains(where: filter.matches)
    }

    /// - Throws: ``BenchError`` with its status when there is nothing to compare with, or it is too old to say so.
    func checkAsBase(_ settings: ProcessSettings) throws {
      let hasSome: Bool
      do {
        hasSome = try has(settings)
      } catch let error as ProgramError {
        throw BenchError(
          "nothing to compare with: \(name) cannot list its benchmarks: \(error)",
          .nothingToCompare)
      }
      guard hasSome else {
        throw BenchError(
          "nothing to compare with: \(name) has no benchmark that matches '\(settings.filter)'",
          .nothingToCompare)
      }
    }
  }

  /// - Parameter folder: for files of the run.
  func measured(in folder: String) throws -> RunComparison {
    let settings = options.settings
    try base.checkAsBase(settings)
    guard try head.has(settings) else {
      throw BenchError(
        "\(head.name) has no benchmark that matches '\(settings.filter)', and \(base.name) has")
    }
    let progress = ProgressLine()
    defer { progress.clear() }
    func comparison(_ pairs: [ProcessPairs.Pair]) -> RunComparison {
      RunComparison(
        base: base.name, head: head.name, pairs: pairs, tolerance: options.tolerance)
    }
    let least = options.pairs
    let pairs = try ProcessPairs(base: base.executable, head: head.executable, settings).measure(
      least: least, in: folder,
      progress: { done in
        let left = progress.seconds / Double(max(done, 1)) * Double(least - done)
        let hint =
          done >= least
          ? "the machine is noisy" : done == 0 ? "\(least) or more" : "\(Int(left)) s or more left"
        progress.show("pair \(done + 1), \(hint)")
      }, areEnough: { comparison($0).isPrecise })
    return comparison(pairs)
  }
}
