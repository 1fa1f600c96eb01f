import Foundation

/// A state of the repository, built in a folder that is gone afterwards.
package struct RevisionBuild: Sendable {
  /// The repository's top folder, with the files as they are.
  package let repository: String
  private let programs: Programs

  /// How many seconds a build may take, and one of git's commands.
  private static let limits = (build: 3600.0, git: 300.0)

  /// Of the repository that a folder is in.
  package init(repositoryAround folder: String, _ programs: Programs) throws {
    self.programs = programs
    repository = try Self.git(["-C", folder, "rev-parse", "--show-toplevel"], programs)
  }

  /// The hash of the commit that a reference names.
  package func commit(_ reference: String) throws -> String {
    do {
      return try git([
        "rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}",
      ])
    } catch {
      throw RevisionError.unknown(reference)
    }
  }

  /// Hands over the folder of a commit's files, which is a worktree of the repository, for as long as `work` runs.
  package func withWorktree<R>(
    of commit: String, at folder: String, _ work: (String) throws -> R
  ) throws -> R {
    defer {
      // Where there is none, nothing is to be removed. An interrupt may have left half of one, which git takes for none
      // and keeps in its list, unless the folder is gone; and it is locked until it is whole, hence the second force.
      try? FileManager.default.removeItem(atPath: folder)
      _ = try? git(["worktree", "remove", "--force", "--force", folder], isTidying: true)
    }
    // A hook of the repository has no business here.
    try git([
      "-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet", "--detach", folder, commit,
    ])
    return try work(folder)
  }

  /// Builds the benchmarks.
  /// - Parameters:
  ///   - sources: the folder of a state's files.
  ///   - folder: where the build's files go.
  package func executable(of sources: String, in folder: String) throws -> BenchmarkExecutable {
    let package = "\(sources)/Benchmarks"
    guard FileManager.default.fileExists(atPath: "\(package)/Package.swift") else {
      throw RevisionError.noBenchmarks
    }
    let command = [
      "swift", "build", "-c", "release", "--package-path", package, "--scratch-path", folder,
      "--product", "otp-bench",
    ]
    try programs.run(command, seconds: Self.limits.build)
    let path = try programs.run(command + ["--show-bin-path"], seconds: Self.limits.build)
    return BenchmarkExecutable(
      path: path.trimmingCharacters(in: .newlines) + "/otp-bench", programs)
  }

  @discardableResult
  private func git(_ words: [String], isTidying: Bool = false) throws -> String {
    try Self.git(["-C", repository] + words, programs, isTidying: isTidying)
  }

  private static func git(
    _ words: [String], _ programs: Programs, isTidying: Bool = false
  ) throws -> String {
    try programs.run(["git"] + words, seconds: limits.git, isTidying: isTidying)
      .trimmingCharacters(in: .newlines)
  }
}

package enum RevisionError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case noBenchmarks

  package var description: String {
    switch self {
    case .unknown(let reference): "there is no commit '\(reference)'"
    case .noBenchmarks: "has no package of benchmarks"
    }
  }
}
