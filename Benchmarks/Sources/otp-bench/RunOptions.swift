import Foundation

/// What the command line asks `run` for.
struct RunOptions {
  var filter: String?
  var json: OutputFile?
  var isQuick = false
  var lists = false

  /// What is measured, before the filter.
  enum Selection {
    case backends, peers, ledgers, large, everything

    /// Of a repetition, if nothing else is asked for.
    fileprivate var seconds: Double {
      switch self {
      // Their bodies take a thousandth, and whoever compares backends does not wait.
      case .backends: 0.03
      case .peers, .large, .everything: 0.1
      // A disk needs more.
      case .ledgers: 0.3
      }
    }
  }

  private var selection: Selection?

  /// Where the SQLite ledger's file is.
  var folder = RunOptions.defaultFolder
  static let defaultFolder = "/var/tmp"

  private var givenRepetitions: Int?
  private var givenSeconds: Double?

  /// Whoever names benchmarks means those of that name, whatever table they stand in.
  var selected: Selection { selection ?? (filter == nil ? .backends : .everything) }

  var repetitions: Int { givenRepetitions ?? (isQuick ? 3 : 9) }
  var secondsPerRepetition: Double {
    givenSeconds ?? (isQuick ? 0.01 : selected.seconds)
  }

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

    With --large it measures verification in bulk, the reading of codes and ids included, with a thousand to
    ten million credentials, and what a table of ten million takes: gigabytes, and some minutes.

    With --full it measures all that needs no --large, some ten minutes. With --filter alone, it measures
    what matches of that. Each benchmark compares its results with those of a second backend, or of a
    second way, before its time is taken, and fails if they differ.

    Options:
      --peers          measure the kernels and verification in bulk
      --ledgers        measure the ledgers
      --large          measure with up to ten million credentials
      --full           measure everything else
      --filter REGEX   measure only benchmarks whose name matches somewhere, or contains the text as it
                       stands: w1+1 means what it says
      --list           print the names that would be measured, and measure nothing
      --folder PATH    where the SQLite ledger's file is, /var/tmp if not given: a folder on a disk
      --json FILE      write every repetition as Google Benchmark's JSON
      --quick          few short repetitions: shows that it runs, not how fast
      --repetitions N  repetitions of each benchmark, 9 if not given
      --seconds S      least time of a repetition; if not given, 0.1, for the comparison of backends 0.03,
                       for ledgers 0.3
      --help           show this help and exit

    \(ExitStatus.help)

    """

  init(_ words: Words) throws {
    var words = words
    while let word = words.next() {
      switch word {
      case "--peers": try select(.peers)
      case "--ledgers": try select(.ledgers)
      case "--large": try select(.large)
      case "--full": try select(.everything)
      case "--filter": filter = try words.argument(of: word)
      case "--list": lists = true
      case "--folder": folder = try Self.existing(words.argument(of: word))
      case "--json": json = try OutputFile(words.argument(of: word))
      case "--quick": isQuick = true
      case "--repetitions": givenRepetitions = try words.count(of: word, upTo: 1000)
      case "--seconds": givenSeconds = try words.amount(of: word, upTo: 3600)
      default: throw words.unknown(word)
      }
    }
  }

  private static func existing(_ folder: String) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else { throw BenchError("--folder: there is no folder \(folder)") }
    return folder
  }

  private mutating func select(_ new: Selection) throws {
    guard selection == nil || selection == new else {
      throw BenchError("--peers, --ledgers, --large and --full exclude each other")
    }
    selection = new
  }
}
