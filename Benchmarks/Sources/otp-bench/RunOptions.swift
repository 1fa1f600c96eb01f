/// What the command line asks for.
struct RunOptions {
  var filter: String?
  var jsonPath: String?
  var isQuick = false

  /// Whether the ledgers are measured, and not the backends.
  var ledgers = false

  /// Where the SQLite ledger's file is.
  var folder = "/var/tmp"

  var repetitions: Int { isQuick ? 3 : 9 }
  var secondsPerRepetition: Double { isQuick ? 0.01 : ledgers ? 0.3 : 0.1 }

  static let help = """
    Usage: otp-bench run [OPTION...]

    Compares the backends on this machine: bulk verification with a window of one step back
    and one forward on one thread, one code with a prepared key, and preparing a key.

    With --ledgers it measures the ledgers instead: attempts that are settled one by one, in groups and
    from concurrent verifications, each against a reference. OTP_BENCH_REDIS names a Redis server,
    unix:///path or redis://host:port, and OTP_BENCH_POSTGRESQL a PostgreSQL server, as libpq takes it;
    a ledger whose server is not named is left out. What they hold is overwritten.

    Options:
      --ledgers       measure the ledgers
      --folder PATH   where the SQLite ledger's file is, /var/tmp if not given: a folder on a disk
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
      case "--ledgers": ledgers = true
      case "--folder": folder = try Self.argument(of: word, words.next())
      case "--json": jsonPath = try Self.argument(of: word, words.next())
      case "--quick": isQuick = true
      default: throw BenchError("there is no option \(word); see 'otp-bench run --help'")
      }
    }
  }

  private static func argument(of option: String, _ word: String?) throws -> String {
    guard let word else { throw BenchError("\(option) needs an argument") }
    return word
  }
}
