import BenchmarkRegistry
import CGoogleBenchmark
import Foundation

/// What of this process lies in memory, in bytes, as Linux tells it.
struct ResidentMemory {
  private let atFirst: Int

  /// Begins to watch. What was freed returns to the system, so that what is allocated from now on shows.
  /// - Throws: where the system does not tell.
  init() throws {
    cbench_release_freed_memory()
    // proc(5): this sets VmHWM to what is resident now.
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    atFirst = try Self.bytes("VmRSS")
  }

  /// By how much it has grown, and by how much at most in between.
  func growth() throws -> (bytes: Int, peak: Int) {
    let peak = try Self.bytes("VmHWM")
    cbench_release_freed_memory()
    return (try Self.bytes("VmRSS") - atFirst, peak - atFirst)
  }

  /// - Parameter field: of `/proc/self/status`, which has them in KiB.
  private static func bytes(_ field: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(field):") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { throw BenchmarkFault("the system does not tell \(field)") }
    return kibibytes * 1024
  }
}
