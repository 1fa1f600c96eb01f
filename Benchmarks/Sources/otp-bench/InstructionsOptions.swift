/// What the command line asks `instructions` for.
struct InstructionsOptions {
  enum Action {
    case record, check, stages
  }

  let action: Action
  var filter: String?
  var folder = Self.defaultFolder
  var isStrict = false

  private static let defaultFolder = "Benchmarks/Thresholds"

  /// What records all anew where the options have the files.
  var recordCommand: String {
    "otp-bench instructions record" + (folder == Self.defaultFolder ? "" : " --folder \(folder)")
  }

  private var givenCredentials: [Int] = []

  /// In the tables of ``Action/stages``.
  var credentials: [Int] { givenCredentials.isEmpty ? [1000, 100_000] : givenCredentials }

  static let help = """
    Usage: otp-bench instructions record [OPTION...]
           otp-bench instructions check [OPTION...]
           otp-bench instructions stages [--credentials N]...

    Counts the instructions of one call of each benchmark's body with valgrind's callgrind, and its calls of
    the C allocator. Neither depends on the load of the machine. What runs on several threads, waits for a
    disk or a server, or takes long is left out, and so are other libraries.

    'record' writes the counts to files, which are kept with the sources. 'check' compares: it fails when a
    benchmark takes over 0.5 % more instructions, or any allocation more, and names it, the worst first; when
    one that was recorded is no more, or a file is not there, it fails with status 1. A file holds for the
    compiler and the libraries that it names; with others, or where the processor lacks a kernel, there is
    nothing to compare with, which is status 5.

    'stages' shows what the parts of bulk verification take, in instructions per verification, with the
    kernel that OTP_KERNEL names, or else avx2.

    Options:
      --filter REGEX   count only benchmarks whose name matches somewhere, or contains the text as it stands
      --folder PATH    where the files are, Benchmarks/Thresholds if not given
      --strict         'check' names what takes less, too, and fails then with status 4: record it
      --credentials N  in the table of 'stages', for each a column; 1000 and 100000 if not given. Ten million
                       take some minutes and gigabytes
      --help           show this help and exit

    \(ExitStatus.help)

    """

  init(_ words: Words) throws {
    var words = words
    switch words.next() {
    case "record": action = .record
    case "check": action = .check
    case "stages": action = .stages
    case let word:
      throw BenchError(
        (word.map { "'\($0)' is none of" } ?? "'instructions' needs a word more:")
          + " 'record', 'check' and 'stages'; see 'otp-bench instructions --help'")
    }
    let usesFiles = action == .record || action == .check
    while let word = words.next() {
      switch word {
      case "--filter" where usesFiles: filter = try words.argument(of: word)
      case "--folder" where usesFiles: folder = try words.argument(of: word)
      case "--strict" where action == .check: isStrict = true
      case "--credentials" where action == .stages:
        givenCredentials.append(try words.count(of: word, upTo: 100_000_000))
      default: throw words.unknown(word)
      }
    }
  }
}
