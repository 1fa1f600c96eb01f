import Foundation
import PackagePlugin

/// Gives a target the constant `builtCommit`, before each build: what a program says of its sources is then true for as
/// long as it exists, whatever is checked out or changed after it was built.
@main struct BuiltCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let folder = context.pluginWorkDirectoryURL.appending(path: "Sources")
    return [
      .prebuildCommand(
        displayName: "Commit that is built", executable: URL(filePath: "/bin/sh"),
        arguments: [
          context.package.directoryURL.appending(path: "Scripts/built-commit").path(),
          context.package.directoryURL.appending(path: "..").path(),
          folder.appending(path: "BuiltCommit.swift").path(),
        ],
        outputFilesDirectory: folder)
    ]
  }
}
