/// One command of `otp-bench`: the word that chooses it, its help text and what it does.
struct Command: Sendable {
  let name: String

  /// One line for the list of commands.
  let summary: String

  /// The whole text that `--help` shows, which ends with a newline.
  let help: String

  /// - Parameter words: what follows the command's name, without `--help`.
  let run: @Sendable (Words) throws -> ExitStatus
}

/// The words after a command, taken one by one.
struct Words {
  private var rest: ArraySlice<String>

  /// The command that they follow.
  private let command: String

  init(_ words: ArraySlice<String>, after command: String) {
    rest = words
    self.command = command
  }

  mutating func next() -> String? { rest.popFirst() }

  /// The argument of an option that was just taken.
  mutating func argument(of option: String) throws -> String {
    guard let word = rest.popFirst() else { throw BenchError("\(option) needs an argument") }
    return word
  }

  /// A whole number from 1 on.
  mutating func count(of option: String, upTo limit: Int) throws -> Int {
    guard let count = Int(try argument(of: option)), (1...limit).contains(count) else {
      throw BenchError("\(option) must be a whole number from 1 to \(limit)")
    }
    return count
  }

  /// A number above 0.
  mutating func amount(of option: String, upTo limit: Int) throws -> Double {
    guard let amount = Double(try argument(of: option)), amount > 0, amount <= Double(limit) else {
      throw BenchError("\(option) must be a number above 0, up to \(limit)")
    }
    return amount
  }

  /// The error for a word that the command does not know.
  func unknown(_ word: String) -> BenchError {
    let what = word.hasPrefix("-") ? "there is no option \(word)" : "'\(word)' is one too many"
    return BenchError("\(what); see 'otp-bench \(command) --help'")
  }
}

/// A fault that ends the run with one line on standard error.
struct BenchError: Error {
  let message: String
  let status: ExitStatus

  init(_ message: String, _ status: ExitStatus = .failed) {
    self.message = message
    self.status = status
  }
}
