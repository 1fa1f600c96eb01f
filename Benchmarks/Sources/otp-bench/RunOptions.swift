/// What the command line asks for.
struct RunOptions {
  var filter: String?
  var jsonPath: String?
  var repetitions = 9
  var secondsPerRepetition = 0.1

  static let help = """
    Usage: otp-bench run [OPTION...]

    Compares the backends on this machine: bulk verification with a window of one step back
    and one forward on one thread, one code with a prepared key, and preparing a key.

    Options:
      --filter REGEX  run only the benchmarks whose name matches
      --json FILE     write every repetition as Google Benchmark's JSON
      --quick         few short repetitions: shows that it runs, not how fast
      --help          show this help and exit

    """

  init(_ words: some Sequence<String>) throws {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--filter": filter = try Self.argument(of: word, words.next())
      case "--json": jsonPath = try Self.argument(of: word, words.next())
      case "--quick": (repetitions, secondsPerRepetition) = (3, 0.01)
      default: throw BenchError("there is no option \(word); see 'otp-bench run --help'")
      }
    }
  }

  private static func argument(of option: String, _ word: String?) throws -> String {
    guard let word else { throw BenchError("\(option) needs an argument") }
    return word
  }
}
