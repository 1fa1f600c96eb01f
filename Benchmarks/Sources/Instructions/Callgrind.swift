package import Foundation

/// valgrind's callgrind, with a program whose benchmarks it counts.
package struct Callgrind: Sendable {
  /// As it calls itself.
  package let version: String

  /// A copy of the program, in a folder that is there as long as this value's user keeps it.
  private let program: URL
  private let folder: URL

  /// The program may take this long for one benchmark; it takes a second or two.
  package var secondsPerBenchmark: Double = 120

  /// - Parameters:
  ///   - program: what calls ``CountedRun/run(_:)`` when it is started with the arguments of ``count(_:kernel:)``.
  ///   - folder: an empty folder for files, which the caller removes.
  /// - Throws: ``InstructionsFault`` where there is no valgrind.
  package init(program: URL, folder: URL) throws {
    self.folder = folder
    self.program = folder.appendingPathComponent("program")
    let valgrind = try Self.run(["valgrind", "--version"], in: folder)
    guard valgrind.status == 0 else {
      throw InstructionsFault(
        "valgrind is missing: 'Scripts/install-dependencies benchmarks' installs it")
    }
    version = valgrind.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    // valgrind up to 3.20 gives up at clang's debug information; the names of functions are elsewhere.
    let strip = try Self.run(
      ["strip", "--strip-debug", "-o", self.program.path, program.path], in: folder)
    guard strip.status == 0 else {
      throw InstructionsFault("strip cannot copy \(program.path)\(strip.lastErrors)")
    }
  }

  private static func run(_ command: [String], in folder: URL) throws -> BoundedProcess.Output {
    try BoundedProcess.run(command, environment: inherited, seconds: 60, in: folder)
  }

  /// What programs need to be found and to find their libraries.
  private static var inherited: [(name: String, value: String)] {
    let own = ProcessInfo.processInfo.environment
    return ["PATH", "LD_LIBRARY_PATH", "VALGRIND_LIB"].compactMap { name in
      own[name].map { (name, $0) }
    }
  }

  /// Counts one call of a benchmark's body, in a process of its own: so it depends on no other benchmark.
  /// - Parameters:
  ///   - arguments: of the program.
  ///   - environment: further variables.
  /// - Throws: ``InstructionsFault`` when the program fails, dies or does not end.
  package func profile(
    _ arguments: [String], environment: [(name: String, value: String)] = []
  ) throws -> (items: Int, profile: CallgrindProfile) {
    let own = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: own) }
    let profile = own.appendingPathComponent("profile")
    let command =
      [
        "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no",
        "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file=\(profile.path)",
        program.path,
      ] + arguments
    let fixed = [
      // Hash tables are the same each time, and symbols are looked up before anything is counted.
      ("SWIFT_DETERMINISTIC_HASHING", "1"), ("LD_BIND_NOW", "1"),
      // The backtracer does not work under valgrind, and may hang.
      ("SWIFT_BACKTRACE", "enable=no"),
    ]
    let output = try BoundedProcess.run(
      command, environment: Self.inherited + fixed + environment, seconds: secondsPerBenchmark,
      in: own)
    guard output.status == 0 else {
      throw InstructionsFault("it failed with status \(output.status)\(output.lastErrors)")
    }
    guard
      let line = output.standardOutput.split(separator: "\n")
        .last(where: { $0.hasPrefix(CountedRun.itemsPrefix) }),
      let items = Int(line.dropFirst(CountedRun.itemsPrefix.count)), items > 0
    else { throw InstructionsFault("it did not say how many items it has") }
    let text = String(decoding: try Data(contentsOf: profile), as: UTF8.self)
    return (items, try CallgrindProfile(text))
  }

  /// As ``profile(_:environment:)``, summed up.
  package func count(
    _ arguments: [String], environment: [(name: String, value: String)] = []
  ) throws -> Count {
    let (items, profile) = try profile(arguments, environment: environment)
    guard profile.instructions > 0 else { throw InstructionsFault("no instruction was counted") }
    return Count(
      items: items, instructions: profile.instructions, allocations: profile.allocations)
  }
}
