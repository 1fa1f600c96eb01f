/// What the command line asks `instructions` for.
struct InstructionsOptions {
  enum Action: Equatable {
    case record, check
    /// Of one benchmark: what the two start under callgrind.
    case count(String)
  }

  let action: Action
  var filter: String?
  var folder = "Benchmarks/Thresholds"
  var isStrict = false

  static let help = """
    Usage: otp-bench instructions record [OPTION...]
           otp-bench instructions check [OPTION...]

    Counts the instructions of one call of each benchmark's body with valgrind's callgrind, and its calls of
    the C allocator. Neither depends on the load of the machine. What runs on several threads, waits for a
    disk or a server, or takes long is left out, and so are other libraries.

    'record' writes the counts to files, which are kept with the sources. 'check' compares: it fails when a
    benchmark takes over 0.5 % more instructions, or any allocation more, and names it; when one that was
    recorded is no more, it fails with status 1. A file holds for the compiler and for the libraries that it
    names; with others there is nothing to compare with, which is status 5.

    Options:
      --filter REGEX   count only benchmarks whose name matches somewhere, or contains the text as it stands
      --folder PATH    where the files are, Benchmarks/Thresholds if not given
      --strict         'check' fails with status 4 when a benchmark takes less: record it
      --help           show this help and exit

    \(ExitStatus.help)

    """

  init(_ words: Words) throws {
    var words = words
    switch words.next() {
    case "record": action = .record
    case "check": action = .check
    case "count": action = .count(try words.argument(of: "count"))
    case let word: throw BenchError("'instructions \(word ?? "")': it is 'record' or 'check'")
    }
    while let word = words.next() {
      switch word {
      case "--filter" where action == .record || action == .check: filter = try words.argument(of: word)
      case "--folder" where action == .record || action == .check: folder = try words.argument(of: word)
      case "--strict" where action == .check: isStrict = true
      default: throw words.unknown(word)
      }
    }
  }
}
