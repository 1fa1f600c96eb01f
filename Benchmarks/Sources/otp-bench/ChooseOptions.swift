import BackendBenchmarks
import BackendChoice
import Foundation
import OTP
import OTPVerification

/// What the command line asks `choose` for: the work that a backend is wanted for.
struct ChooseOptions {
  var work = BulkVerification.someCredentials
  var rounds = 21
  var printsJSON = false

  /// Set in the processes that `choose` starts itself.
  var startUp: BackendName?

  static let help = """
    Usage: otp-bench choose [OPTION...]

    Measures every backend on this machine for the given work, verification in bulk with prepared keys, and
    recommends one: the fastest, or, of those that are too close to call, the one that needs the least memory.
    In each round every backend is measured once, in random order, and the ratio to OpenSSL is taken within the
    round. Two backends are too close to call when the 95 % intervals of these ratios overlap, or when one
    is less than 3 % ahead.

    Options:
      --algorithm A    sha1, sha256 or sha512; sha1 if not given
      --window B,F     steps back and forward, up to \(Window.maximum) each; 1,1 if not given
      --credentials N  credentials in the table, 100000 if not given; at most 1000000000. Where the memory does
                       not hold them for all backends at once, fewer are measured, and it says so
      --threads N      tasks that share a batch, 1 if not given; at most as many as there are cores
      --rounds N       rounds, 21 if not given; fewer than \(Ranking.fewestRounds) are too few to recommend one
      --json           print JSON
      --help           show this help and exit

    \(ExitStatus.help)

    """

  init(_ words: Words) throws {
    var words = words
    while let word = words.next() {
      switch word {
      case "--algorithm": work.algorithm = try Self.algorithm(words.argument(of: word))
      case "--window": work.window = try Self.window(words.argument(of: word))
      case "--credentials": work.credentials = try words.count(of: word, upTo: 1_000_000_000)
      case "--threads":
        work.threads = try words.count(of: word, upTo: ProcessInfo.processInfo.activeProcessorCount)
      case "--rounds": rounds = try words.count(of: word, upTo: 1000)
      case "--json": printsJSON = true
      case "--start-up": startUp = try Self.backend(words.argument(of: word))
      default: throw words.unknown(word)
      }
    }
  }

  private static func backend(_ text: String) throws -> BackendName {
    guard let name = BackendName(rawValue: text) else {
      throw BenchError("there is no backend '\(text)'")
    }
    return name
  }

  private static func algorithm(_ text: String) throws -> HashAlgorithm {
    guard let algorithm = HashAlgorithm(rawValue: text) else {
      let all = HashAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
      throw BenchError("--algorithm must be one of: \(all)")
    }
    return algorithm
  }

  private static func window(_ text: String) throws -> Window {
    let steps = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard steps.count == 2, let back = steps[0], let forward = steps[1],
      let window = try? Window(back: back, forward: forward)
    else {
      throw BenchError(
        "--window must be two whole numbers from 0 to \(Window.maximum) with a comma between them")
    }
    return window
  }
}
