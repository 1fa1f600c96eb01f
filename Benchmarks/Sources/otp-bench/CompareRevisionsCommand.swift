import BenchmarkRegistry
import Foundation
import RunComparison

extension Command {
  static let compareRevisions = Command(
    name: "compare-revisions", summary: "Builds two commits and compares them.",
    help: """
      Usage: otp-bench compare-revisions [OPTION...] BASE_REF [HEAD_REF]

      Builds both commits in worktrees of the repository that the current folder is in, and compares their
      executables as 'compare' does. Without HEAD_REF it is the files as they are, changes and all, which must
      not change while they are built. Worktrees and builds are removed at the end. Standard error says what is
      under way. Where this program knows no benchmark that matches, or BASE_REF has none, the status is 5.

      \(ComparisonOptions.verdicts)

      Options:
        --head-executable FILE
                             an otp-bench that was built from the files as they are, and is measured as it is;
                             not with HEAD_REF
      \(ComparisonOptions.help(filter: "bulk verification, most of it with our own kernels, and parsing if not given"))

      \(ExitStatus.help)

      """
  ) { words in
    var words = words
    var options = ComparisonOptions()
    options.filter = quickFilter
    var references: [String] = []
    var headExecutable: String?
    while let word = words.next() {
      if try options.take(word, &words) { continue }
      if word == "--head-executable" {
        headExecutable = try words.argument(of: word)
        continue
      }
      guard !word.hasPrefix("-"), references.count < 2 else { throw words.unknown(word) }
      references.append(word)
    }
    guard let base = references.first else { throw BenchError("BASE_REF is needed") }
    let head = references.count == 2 ? references[1] : nil
    guard head == nil || headExecutable == nil else {
      throw BenchError("--head-executable and HEAD_REF exclude each other")
    }
    let whatIsMeasured = try countKnown(filter: options.settings.filter)
    return try tidying { programs, folder in
      let build = try RevisionBuild(
        repositoryAround: FileManager.default.currentDirectoryPath, programs)
      let built = headExecutable.map { BenchmarkExecutable(path: $0, programs) }
      return try compare(
        build, base, head, built: built, whatIsMeasured, options, in: folder)
    }
  }

  /// What says most about verification in little time: bulk verification with prepared keys, of our own code with each
  /// algorithm, of the libraries' with one; with raw keys; and parsing.
  private static let quickFilter = [
    #"^verify/warm/sha(1|256|512)/w1\+1/(multibuffer|swift)/b4096/n1000/t1$"#,
    #"^verify/warm/sha1/w1\+1/(openssl|gcrypt)/b4096/n1000/t1$"#,
    #"^verify/cold/sha(1|256|512)/w1\+1/multibuffer/b1000/n1000/t1$"#, "^uri/parse",
  ].joined(separator: "|")

  /// Before the builds, which take minutes: what is misspelt matches nothing.
  /// - Returns: how many match, of how many.
  private static func countKnown(filter text: String) throws -> String {
    let filter = try NameFilter(text)
    let names = try Suite().registry.benchmarks.map(\.name)
    let compared = names.count { filter.matches($0) }
    guard compared > 0 else {
      throw BenchError(
        "nothing to compare: no benchmark matches the filter '\(text)'; "
          + "'otp-bench run --full --list' names all", .nothingToCompare)
    }
    return "\(compared) of \(names.count) benchmarks"
  }

  private static func compare(
    _ build: RevisionBuild, _ base: String, _ head: String?, built: BenchmarkExecutable?,
    _ whatIsMeasured: String, _ options: ComparisonOptions, in folder: String
  ) throws -> ExitStatus {
    let commits = (base: try build.commit(base), head: try head.map(build.commit))
    func side(_ folderName: String, _ sources: String, _ name: String, _ whatIsBuilt: String)
      throws -> ExecutableComparison.Side
    {
      try phase("building \(whatIsBuilt)") {
        .init(
          executable: try build.executable(of: sources, in: "\(folder)/\(folderName)-build"),
          name: name)
      }
    }
    func commitText(_ name: String, _ commit: String) -> String { "\(name) (\(commit.prefix(7)))" }
    return try build.withWorktree(of: commits.base, at: "\(folder)/base") { baseSources in
      let baseSide: ExecutableComparison.Side
      do {
        baseSide = try side("base", baseSources, base, commitText(base, commits.base))
      } catch RevisionError.noBenchmarks {
        throw BenchError(
          "nothing to compare with: \(base) \(RevisionError.noBenchmarks)", .nothingToCompare)
      }
      // Before the other build, which takes as long again.
      try baseSide.checkAsBase(options.settings)
      func compare(with headSources: String) throws -> ExitStatus {
        let name = head ?? "the files as they are"
        let whatIsBuilt =
          commits.head.map { commitText(name, $0) } ?? "HEAD, the files as they are"
        let headSide =
          try built.map { .init(executable: $0, name: name) }
          ?? side("head", headSources, name, whatIsBuilt)
        let comparison = try phase(
          "measuring \(whatIsMeasured), \(counted(options.pairs, "pair")) of processes or more"
        ) {
          try ExecutableComparison(base: baseSide, head: headSide, options: options)
            .measured(in: folder)
        }
        return try report(comparison, options)
      }
      guard let commit = commits.head else { return try compare(with: build.repository) }
      return try build.withWorktree(of: commit, at: "\(folder)/head", compare)
    }
  }
}
