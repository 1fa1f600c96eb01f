import BenchmarkTestSupport
import Foundation
import RunComparison
import Testing

@Suite struct RevisionBuildTests {
  @Test func aCommitsFilesLieInAWorktreeWhileTheyAreNeeded() throws {
    try withRepository { repository, folder in
      try repository.commit("file", "first")
      try repository.commit("file", "second")
      let build = try RevisionBuild(repositoryAround: repository.folder, Programs())
      let text = try build.withWorktree(of: build.commit("HEAD~1"), at: folder + "/tree") {
        sources in
        #expect(try repository.worktrees().count == 2)
        return try String(contentsOfFile: sources + "/file", encoding: .utf8)
      }
      #expect(text == "first")
      #expect(try repository.worktrees().count == 1)
      #expect(!FileManager.default.fileExists(atPath: folder + "/tree"))
    }
  }

  @Test func nothingIsLeftAfterAFailure() throws {
    try withRepository { repository, folder in
      try repository.commit("file", "first")
      let build = try RevisionBuild(repositoryAround: repository.folder, Programs())
      let commit = try build.commit("HEAD")
      #expect(throws: RevisionError.noBenchmarks) {
        try build.withWorktree(of: commit, at: folder + "/tree") {
          _ = try build.executable(of: $0, in: folder + "/build")
        }
      }
      #expect(try repository.worktrees().count == 1)
    }
  }

  /// An interrupt lets nothing start any more, but this.
  @Test func nothingIsLeftAfterAnInterrupt() throws {
    try withRepository { repository, folder in
      try repository.commit("file", "first")
      let programs = Programs()
      let build = try RevisionBuild(repositoryAround: repository.folder, programs)
      let commit = try build.commit("HEAD")
      let error = #expect(throws: ProgramError.self) {
        try build.withWorktree(of: commit, at: folder + "/tree") { _ in
          programs.interrupt()
          try programs.run(["true"], seconds: 60)
        }
      }
      #expect(error?.problem == .interrupted)
      #expect(try repository.worktrees().count == 1)
      #expect(!FileManager.default.fileExists(atPath: folder + "/tree"))
    }
  }

  /// What git leaves when it is interrupted while it makes a worktree.
  @Test func halfAWorktreeIsRemovedToo() throws {
    try withRepository { repository, folder in
      try repository.commit("file", "first")
      let build = try RevisionBuild(repositoryAround: repository.folder, Programs())
      try build.withWorktree(of: build.commit("HEAD"), at: folder + "/tree") { tree in
        try FileManager.default.removeItem(atPath: tree + "/.git")
        try repository.git("worktree", "lock", "--reason", "initializing", tree)
        #expect(try repository.worktrees().count == 2)
      }
      #expect(try repository.worktrees().count == 1)
      #expect(!FileManager.default.fileExists(atPath: folder + "/tree"))
    }
  }

  @Test func referencesThatNameNoCommit() throws {
    try withRepository { repository, _ in
      try repository.commit("file", "first")
      let build = try RevisionBuild(repositoryAround: repository.folder, Programs())
      for reference in ["nowhere", "HEAD~1", "HEAD:file", "--help", ""] {
        #expect(throws: RevisionError.unknown(reference)) { try build.commit(reference) }
      }
    }
    #expect(throws: ProgramError.self) { try RevisionBuild(repositoryAround: "/", Programs()) }
  }

  @Test func aBuildThatFailsSaysWhy() throws {
    try withRepository { repository, folder in
      try FileManager.default.createDirectory(
        atPath: repository.folder + "/Benchmarks", withIntermediateDirectories: true)
      try repository.commit(
        "Benchmarks/Package.swift", "// swift-tools-version: 6.2\nthis is no manifest\n")
      let build = try RevisionBuild(repositoryAround: repository.folder, Programs())
      let error = #expect(throws: ProgramError.self) {
        try build.executable(of: repository.folder, in: folder + "/build")
      }
      #expect(error?.description.contains("ended with status 1: ") == true)
      #expect(error?.description.contains("Package.swift") == true)
    }
  }

  private func withRepository(_ work: (Repository, String) throws -> Void) throws {
    try withFolder { folder in
      let repository = Repository(folder: folder + "/repository")
      try Programs().run(["git", "init", "--quiet", repository.folder], seconds: 60)
      try work(repository, folder)
    }
  }
}

private struct Repository {
  let folder: String

  func commit(_ file: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
    try git("add", "--all")
    try git(
      "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgSign=false",
      "commit", "--quiet", "--message", "test")
  }

  func worktrees() throws -> [Substring] {
    try git("worktree", "list").split(separator: "\n")
  }

  @discardableResult
  func git(_ words: String...) throws -> String {
    try Programs().run(["git", "-C", folder] + words, seconds: 60)
  }
}
