/// `otp-bench` as a whole: its commands, and which one the command line asks for.
enum Bench {
  /// A new one joins by one word.
  static let commands: [Command] = [
    .run, .choose, .compare, .compareRevisions, .instructions, .htmlReport, .chart,
  ]

  static var help: String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { command in
      let gap = String(repeating: " ", count: width - command.name.count + 2)
      return "  \(command.name)\(gap)\(command.summary)"
    }
    return """
      Usage: otp-bench COMMAND [OPTION...]

      Commands:
      \(lines.joined(separator: "\n"))

      Each command shows its options with --help.

      \(ExitStatus.help)

      """
  }

  /// Runs the command that `words` ask for.
  static func run(_ words: ArraySlice<String>) throws -> ExitStatus {
    guard let first = words.first else {
      throw BenchError("no command given; see 'otp-bench --help'")
    }
    if first == "--help" {
      print(help, terminator: "")
      return .fine
    }
    guard let command = commands.first(where: { $0.name == first }) else {
      throw BenchError("there is no command '\(first)'; see 'otp-bench --help'")
    }
    if words.contains("--help") {
      print(command.help, terminator: "")
      return .fine
    }
    return try command.run(Words(words.dropFirst(), after: first))
  }
}
