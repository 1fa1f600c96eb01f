import RunComparison

/// What the commands that compare have in common.
struct ComparisonOptions {
  var tolerance = Tolerance(percent: 3)
  var failsForImprovement = false
  var markdown: OutputFile?
  var json: OutputFile?
  var filter: String?
  var pairs = 20
  private var repetitions = 5
  private var seconds = 0.01
  private var limit = 300.0

  /// - Precondition: there is a filter.
  var settings: ProcessSettings {
    ProcessSettings(
      filter: filter ?? "", repetitions: repetitions, seconds: seconds, limit: limit)
  }

  /// What is said of each benchmark, and the exit status that follows.
  static let verdicts = """
    Verdicts, and the exit status that each leads to. Of several the first in this list decides:
      missing       only BASE has it: 1
      regression    slower by more than the tolerance, and not by chance: 2
      improvement   faster by as much, and not by chance: 4 with --strict, otherwise 0
      no change     the whole interval lies within the tolerance: 0
      inconclusive  neither: the interval reaches beyond the tolerance. It says what is needed to tell: 0
      new           only HEAD has it: 0
    Where nothing is missing and no benchmark is in both, there is nothing to compare: 5.
    """

  /// - Parameter filter: what the filter is if not given.
  static func help(filter: String) -> String {
    """
      --filter REGEX       compare only benchmarks whose name matches, as run --filter takes it;
                           \(filter)
      --tolerance PERCENT  how much slower or faster is no change, 3 if not given
      --strict             end with status 4 when something is faster by more than the tolerance
      --markdown FILE      write the comparison as Markdown too
      --json FILE          write it as JSON too
      --pairs N            pairs of processes, 20 if not given; up to three times as many while an interval
                           is wider than the tolerance
      --repetitions N      repetitions of each benchmark in a process, 5 if not given
      --seconds S          least time of a repetition, 0.01 if not given
      --limit S            how many seconds a process may take, 300 if not given
      --help               show this help and exit
    """
  }

  /// Takes an option and its argument.
  /// - Returns: false for another word.
  mutating func take(_ word: String, _ words: inout Words) throws -> Bool {
    switch word {
    case "--filter": filter = try words.argument(of: word)
    case "--tolerance": tolerance = Tolerance(percent: try words.amount(of: word, upTo: 1000))
    case "--strict": failsForImprovement = true
    case "--markdown": markdown = try OutputFile(words.argument(of: word))
    case "--json": json = try OutputFile(words.argument(of: word))
    case "--pairs": pairs = try words.count(of: word, upTo: 1000)
    case "--repetitions": repetitions = try words.count(of: word, upTo: 1000)
    case "--seconds": seconds = try words.amount(of: word, upTo: 3600)
    case "--limit": limit = try words.amount(of: word, upTo: 86_400)
    default: return false
    }
    return true
  }
}
