package import Foundation

/// valgrind's callgrind, with a program whose benchmarks it counts.
package struct Callgrind: Sendable {
  /// As it calls itself.
  package let version: String

  /// A copy of the program.
  private let program: URL
  private let folder: URL

  /// Names of benchmarks, and how the program is asked for them.
  package struct Request: Sendable {
    package let names: [String]
    /// Of the program, after ``secondsEach``.
    package let arguments: [String]
    package let environment: [(name: String, value: String)]
    /// What the program gives a benchmark.
    package let secondsEach: Int

    package init(
      _ names: [String], arguments: [String],
      environment: [(name: String, value: String)] = [], secondsEach: Int
    ) {
      self.names = names
      self.arguments = arguments
      self.environment = environment
      self.secondsEach = secondsEach
    }
  }

  package struct Counted {
    package let name: String
    package let items: Int
    /// Calls of the C allocator that hand out memory.
    package let allocations: Int
    package let profile: CallgrindProfile
  }

  /// - Parameters:
  ///   - program: makes benchmarks, and has the module `CountedRun` run those whose names it reads.
  ///   - folder: for files, which the caller removes after the last use of this value.
  /// - Throws: ``InstructionsFault`` where there is no valgrind.
  package init(program: URL, folder: URL) throws {
    self.folder = folder
    self.program = folder.appendingPathComponent("program")
    var version = ""
    do {
      try Self.run(["valgrind", "--version"], in: folder) { version = $0 }
    } catch {
      throw InstructionsFault(
        "valgrind is missing: 'Scripts/install-dependencies benchmarks' installs it")
    }
    self.version = version
    // valgrind up to 3.20 gives up at clang's debug information; the names of functions are elsewhere.
    try Self.run(
      ["strip", "--strip-debug", "-o", self.program.path, program.path], in: folder)
  }

  private static func run(
    _ command: [String], in folder: URL, line: (String) -> Void = { _ in }
  ) throws {
    try BoundedProcess.run(command, in: folder, environment: inherited, seconds: 60, line: line)
  }

  /// What programs need to be found and to find their libraries.
  private static var inherited: [(name: String, value: String)] {
    let own = ProcessInfo.processInfo.environment
    return ["PATH", "LD_LIBRARY_PATH", "VALGRIND_LIB"].compactMap { name in
      own[name].map { (name, $0) }
    }
  }

  /// Counts one call of the body of each benchmark.
  /// - Parameter counted: told of each when it is done, in order.
  /// - Throws: ``InstructionsFault``, with the name of the benchmark that fails, dies or does not end.
  package func run(_ request: Request, counted: (Counted) throws -> Void) throws {
    let own = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: own) }
    let profiles = own.appendingPathComponent("profile.")
    let command =
      [
        "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", "--compress-strings=no",
        "--compress-pos=no", "--callgrind-out-file=\(profiles.path)%p",
        // Its path is a part of its memory: this one is as long everywhere.
        "./\(program.lastPathComponent)", "\(request.secondsEach)",
      ] + request.arguments
    let fixed = [
      // Hash tables are the same each time, and symbols are looked up before anything is counted.
      ("SWIFT_DETERMINISTIC_HASHING", "1"), ("LD_BIND_NOW", "1"),
      // The backtracer does not work under valgrind, and may hang.
      ("SWIFT_BACKTRACE", "enable=no"),
    ]
    var rest = request.names[...]
    var body: (items: Int, allocations: Int)?
    do {
      try BoundedProcess.run(
        command, in: folder, environment: Self.inherited + fixed + request.environment,
        seconds: request.secondsEach * request.names.count + 60,
        input: request.names.map { "\($0)\n" }.joined()
      ) { line in
        switch CountedLine(line) {
        case .body(let items, let allocations): body = (items, allocations)
        case .counted(let process):
          guard let name = rest.first, let last = body else {
            throw InstructionsFault("the program counts what it was not asked for")
          }
          let file = URL(fileURLWithPath: "\(profiles.path)\(process)")
          let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
          try FileManager.default.removeItem(at: file)
          try counted(
            Counted(
              name: name, items: last.items, allocations: last.allocations,
              profile: try CallgrindProfile(text)))
          rest = rest.dropFirst()
          body = nil
        // Others may write there, too.
        case nil: break
        }
      }
    } catch {
      throw InstructionsFault("\(rest.first ?? "after the last benchmark"): \(error)")
    }
    if let name = rest.first { throw InstructionsFault("\(name): it was not counted") }
  }
}
