/// What the command line asks for.
struct RunOptions {
  var filter: String?
  var jsonPath: String?
  var isQuick = false

  /// What is measured.
  enum Subject { case backends, peers, ledgers }

  var subject = Subject.backends

  /// Where the SQLite ledger's file is.
  var folder = "/var/tmp"

  var repetitions: Int { isQuick ? 3 : 9 }
  var secondsPerRepetition: Double { isQuick ? 0.01 : subject == .ledgers ? 0.3 : 0.1 }

  static let help = """
    Usage: otp-bench run [OPTION...]

    Compares the backends on this machine: bulk verification with a window of one step back
    and one forward on one thread, one code with a prepared key, and preparing a key.

    With --peers it measures the SIMD kernels against intel-ipsec-mb, liboath, OpenSSL and libgcrypt, and
    verification in bulk against the kernels: with keys that are prepared or come with the attempts,
    with few credentials and many, on one thread and two.

    With --ledgers it measures the ledgers instead: attempts that are settled one by one, in groups and
    from concurrent verifications, each against a reference. OTP_BENCH_REDIS names a Redis server,
    unix:///path or redis://host:port, and OTP_BENCH_POSTGRESQL a PostgreSQL server, as libpq takes it;
    a ledger whose server is not named is left out. What they hold is overwritten.

    Options:
      --peers         measure the kernels and verification in bulk
      --ledgers       measure the ledgers
      --folder PATH   where the SQLite ledger's file is, /var/tmp if not given: a folder on a disk
      --filter REGEX  run only the benchmarks whose name matches
      --json FILE     write every repetition as Google Benchmark's JSON
      --quick         few short repetitions: shows that it runs, not how fast
      --help          show this help and exit

    """

  init(_ words: Words) throws {
    var words = words
    while let word = words.next() {
      switch word {
      case "--filter": filter = try words.argument(of: word)
      case "--peers": subject = .peers
      case "--ledgers": subject = .ledgers
      case "--folder": folder = try words.argument(of: word)
      case "--json": jsonPath = try words.argument(of: word)
      case "--quick": isQuick = true
      default: throw words.unknown(word)
      }
    }
  }
}
