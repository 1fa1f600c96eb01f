import OTP
import OTPVerification

/// The tool as a whole: its commands, and which one the command line asks for.
enum Tool {
  static let commands: [Command] = [
    .code, .check, .bulk, .ledgerState, .ledgerReset, .uriParse, .uriBuild, .backends, .evidence,
  ]

  static var help: String {
    """
    Usage: otp COMMAND [OPTION...]

    One-time passwords: HOTP (RFC 4226) and TOTP (RFC 6238).

    Commands:
    \(columns(commands.map { ($0.name, $0.summary) }))

    Options:
      --help     show this help, or a command's: otp COMMAND --help
      --version  show the version

    Exit status: 0 done or matched, 1 no match or failed evidence, 2 wrong usage or
    input, 3 a backend, a ledger or another part is unavailable, 130 interrupted.
    """
  }

  /// The help of the commands that begin with the same word.
  private static func help(_ word: String, _ commands: [Command]) -> String {
    """
    Usage: otp \(word) COMMAND [OPTION...]

    Commands:
    \(columns(commands.map { ($0.name, $0.summary) }))

    The options of one: otp \(commands[0].name) --help
    """
  }

  /// Runs the command that `words` ask for; a message is for standard error.
  static func run(_ words: [String]?) -> (status: ExitStatus, message: String?) {
    guard let words else { return (.wrongInput, "an argument is not UTF-8") }
    do {
      return (try runCommand(words), nil)
    } catch {
      return fault(error)
    }
  }

  /// The exit status that an error gives, and its message.
  static func fault(_ error: any Error) -> (status: ExitStatus, message: String) {
    switch error {
    case let error as ToolError: (error.status, error.message)
    case let error as OTPError: (status(of: error), error.description)
    // What is left is the JSON encoder's, which has no reason to fail on our records.
    default: (.unavailable, "\(type(of: error))")
    }
  }

  private static func runCommand(_ words: [String]) throws -> ExitStatus {
    guard let first = words.first else { throw ToolError("no command given; see 'otp --help'") }
    switch first {
    case "--help", "-h", "help":
      try printLine(help)
      return .done
    case "--version":
      try printLine("otp \(SwiftBackend.version)")
      return .done
    default:
      break
    }
    guard let command = commands.first(where: { words.starts(with: $0.words) }) else {
      let near = commands.filter { $0.words.first == first }
      guard !near.isEmpty else { throw ToolError("there is no such command; see 'otp --help'") }
      if words.count == 2, ["--help", "-h"].contains(words[1]) {
        try printLine(help(first, near))
        return .done
      }
      throw ToolError("give \(near.map { "'otp \($0.name)'" }.joined(separator: " or "))")
    }
    let rest = Array(words.dropFirst(command.words.count))
    let arguments = try Arguments(rest == ["-h"] ? ["--help"] : rest, for: command)
    if arguments.asksForHelp {
      try printLine(command.help)
      return .done
    }
    return try command.run(arguments)
  }

  private static func status(of error: OTPError) -> ExitStatus {
    let codes: [OTPError.Code] = [
      .backendUnavailable, .backendFailure, .unsupportedAlgorithm, .ledgerUnavailable,
      .ledgerUncertain,
    ]
    return codes.contains(error.code) ? .unavailable : .wrongInput
  }
}

extension Command {
  fileprivate var words: [String] {
    name.split(separator: " ").map(String.init)
  }
}
