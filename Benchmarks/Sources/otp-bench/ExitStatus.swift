/// What the exit status says, the same for every command.
enum ExitStatus: Int32 {
  case fine = 0
  /// Wrong usage, a file that cannot be read, a benchmark that failed its check.
  case failed = 1
  case regression = 2
  /// Only when it was asked for strictly.
  case improvement = 4
  case nothingToCompare = 5

  static let help = """
    Exit status: 0 fine, 1 failed, 2 regression, 4 improvement beyond tolerance
    (with --strict alone), 5 nothing to compare with.
    """
}
