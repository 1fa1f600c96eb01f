import BenchmarkTestSupport
import Foundation
import RunComparison
import Testing

/// What the build says of the commit: the script that it runs, in repositories with a source file and a README.
@Suite struct BuiltCommitTests {
  @Test func whatIsBuiltDecides() throws {
    try withRepository { repository in
      let first = try repository.git("rev-parse", "HEAD")
      #expect(try repository.builtCommit() == first)

      try repository.write("not built", to: "README.md")
      try repository.write("not built", to: "result.json")
      #expect(try repository.builtCommit() == first)

      // Git ignores files that it does not know; a build does not.
      try repository.write("// new", to: "Sources/OTP/New.swift")
      #expect(try repository.builtCommit() == first + "-dirty")
      try repository.commit()
      let second = try repository.git("rev-parse", "HEAD")
      #expect(second != first)
      #expect(try repository.builtCommit() == second)

      try repository.write("// changed", to: "Sources/OTP/New.swift")
      #expect(try repository.builtCommit() == second + "-dirty")
      try repository.git("checkout", "--quiet", "--", "Sources")
      try FileManager.default.removeItem(atPath: repository.folder + "/Sources/OTP/Old.swift")
      #expect(try repository.builtCommit() == second + "-dirty")
    }
  }

  @Test func worktreesHaveTheirOwn() throws {
    try withRepository { repository in
      let first = try repository.git("rev-parse", "HEAD")
      try repository.write("// changed", to: "Sources/OTP/Old.swift")
      try repository.commit()
      let tree = Repository(folder: repository.folder + "-tree")
      try repository.git("worktree", "add", "--quiet", "--detach", tree.folder, first)
      #expect(try tree.builtCommit() == first)
      // As git sets it for its hooks.
      #expect(try tree.builtCommit(["GIT_DIR": repository.folder + "/.git"]) == first)
    }
  }

  @Test func nothingIsMadeUp() throws {
    try withFolder { folder in
      let repository = Repository(folder: folder + "/repository")
      try repository.write("// old", to: "Sources/OTP/Old.swift")
      // Should the folder lie in a repository.
      let elsewhere = ["GIT_CEILING_DIRECTORIES": folder]
      #expect(try repository.builtCommit(elsewhere) == "unknown")
      try repository.git("init", "--quiet")
      #expect(try repository.builtCommit(elsewhere) == "unknown")
    }
  }

  /// Otherwise each build would compile it.
  @Test func theSameIsNotWrittenAgain() throws {
    try withRepository { repository in
      _ = try repository.builtCommit()
      let before = try FileManager.default.attributesOfItem(atPath: repository.output)
      _ = try repository.builtCommit()
      let after = try FileManager.default.attributesOfItem(atPath: repository.output)
      #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    }
  }

  @Test func theProgramHasOneOfThisRepository() throws {
    try withFolder { folder in
      let run = try BenchRun([
        "run", "--filter", "^prepare/sha1/swift$", "--quick", "--json", folder + "/x.json",
      ])
      #expect(run.status == 0, "\(run.errors)")
      let json = try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: folder + "/x.json")))
      let context = try #require((json as? [String: Any])?["context"] as? [String: Any])
      let commit = try #require(context["commit"] as? String)
      let sources = Repository(folder: Repository.package)
      // An archive of the sources is no repository.
      guard (try? sources.git("rev-parse", "HEAD")) != nil else {
        #expect(commit == "unknown")
        return
      }
      let hash = try #require(commit.wholeMatch(of: /([0-9a-f]{40})(-dirty)?/)?.1)
      #expect(try sources.git("cat-file", "-t", String(hash)) == "commit")
    }
  }

  private func withRepository(_ work: (Repository) throws -> Void) throws {
    try withFolder { folder in
      let repository = Repository(folder: folder + "/repository")
      try repository.write("// old", to: "Sources/OTP/Old.swift")
      try repository.write("text", to: "README.md")
      try repository.git("init", "--quiet")
      try repository.commit()
      try work(repository)
    }
  }
}

private struct Repository {
  let folder: String

  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  var output: String { folder + "-build/BuiltCommit.swift" }

  func write(_ text: String, to file: String) throws {
    let url = URL(fileURLWithPath: "\(folder)/\(file)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: false, encoding: .utf8)
  }

  func commit() throws {
    try git("add", "--all")
    try git(
      "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgSign=false",
      "commit", "--quiet", "--message", "test")
  }

  @discardableResult
  func git(_ words: String...) throws -> String {
    try Programs().run(["git", "-C", folder] + words, seconds: 60)
      .trimmingCharacters(in: .newlines)
  }

  /// What the build's script writes.
  func builtCommit(_ environment: [String: String] = [:]) throws -> String {
    try Programs().run(
      ["/bin/sh", Self.package + "/Scripts/built-commit", folder, output],
      environment: environment, seconds: 60)
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let match = try #require(text.wholeMatch(of: /let builtCommit = "(.*)"\n/))
    return String(match.1)
  }
}
