import Dispatch
import Synchronization

/// One command of the tool: its help text and what it does.
struct Command: Sendable {
  /// The words that choose it: `code`, or `uri parse`.
  let name: String

  /// What follows the options in the usage line, and must be given.
  var operands: [String] = []

  /// One line for the list of commands.
  let summary: String

  /// More for the command's own help.
  var details = ""

  let options: [Option]

  let run: @Sendable (Arguments) throws -> ExitStatus

  var help: String {
    let operands = operands.map { " " + $0 }.joined()
    let labels = (options + [.help]).map { ($0.label, $0.help) }
    return """
      Usage: otp \(name) [OPTION...]\(operands)

      \(summary)\(details.isEmpty ? "" : "\n\n" + details)

      Options:
      \(columns(labels))

      """
  }
}

/// A long option.
struct Option: Sendable {
  let name: String

  /// What the help calls its argument, or nil when it takes none.
  var argument: String?

  let help: String

  static let help = Option(name: "help", help: "show this help and exit")

  var label: String { "--\(name)" + (argument.map { " " + $0 } ?? "") }
}

/// What the tool's exit status says.
enum ExitStatus: Int32 {
  /// Done, or the code matched.
  case done = 0
  case noMatch = 1
  case wrongInput = 2
  /// A backend, or something else outside the tool, failed or is not there.
  case unavailable = 3
  /// Ended by the interrupt signal: 128 and its number.
  case interrupted = 130
}

/// A fault that ends the tool with one line on standard error.
struct ToolError: Error {
  let status: ExitStatus
  let message: String

  init(_ message: String, status: ExitStatus = .wrongInput) {
    self.status = status
    self.message = message
  }
}

/// Lines of two columns, the right one aligned.
func columns(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { left, right in
    let gap = String(repeating: " ", count: width - left.count + 2)
    let indent = "\n" + String(repeating: " ", count: width + 4)
    return "  " + left + gap + right.split(separator: "\n").joined(separator: indent)
  }.joined(separator: "\n")
}

/// Runs asynchronous work and waits for it on the main thread, which is none that tasks run on. (An
/// asynchronous `main` would give that thread up to Dispatch, which valgrind does not survive.)
func waitFor<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) throws -> R {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Result<R, any Error>?>(nil)
  Task.detached {
    let outcome: Result<R, any Error>
    do {
      outcome = .success(try await work())
    } catch {
      outcome = .failure(error)
    }
    result.withLock { $0 = outcome }
    done.signal()
  }
  done.wait()
  guard let outcome = result.withLock({ $0 }) else {
    preconditionFailure("the semaphore is signalled after the result is there")
  }
  return try outcome.get()
}
