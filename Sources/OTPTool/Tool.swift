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

  /// Runs the command that `words` ask for; a message is for standard error.
  static func run(_ words: [String]?) -> (status: ExitStatus, message: String?) {
    guard let words else { return (.wrongInput, "an argument is not UTF-8") }
    do {
      return (try runCommand(words), nil)
    } catch let error as ToolError {
      return (error.status, error.message)
    } catch let error as OTPError {
      return (status(of: error), error.description)
    } catch {
      // What is left is the JSON encoder's, which has no reason to fail on our records.
      return (.unavailable, "\(type(of: error))")
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
      let near = commands.filter { $0.words.first == first }.map { "'otp \($0.name)'" }
      throw ToolError(
        near.isEmpty
          ? "there is no such command; see 'otp --help'" : "give \(near.joined(separator: " or "))")
    }
    let arguments = try Arguments(Array(words.dropFirst(command.words.count)), for: command)
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
