import Foundation

/// What a folder's file system is.
package struct FileSystem: Equatable {
  package let type: String
  package let device: String

  /// Nothing reaches a disk there, so that syncing costs nothing.
  package var isMemory: Bool { ["tmpfs", "ramfs"].contains(type) }

  /// - Parameter path: absolute.
  package init?(of path: String) {
    guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else {
      return nil
    }
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    self.init(of: resolved, mounts: mounts)
  }

  /// - Parameter mounts: a line each, beginning with device, mount point and type, later ones over earlier
  ///   ones.
  package init?(of path: String, mounts: String) {
    var best: (depth: Int, FileSystem)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count >= 3 else { continue }
      let point = fields[1] == "/" ? "" : String(fields[1])
      guard path == point || path.hasPrefix(point + "/") else { continue }
      if point.utf8.count >= best?.depth ?? 0 {
        best = (
          point.utf8.count, FileSystem(type: String(fields[2]), device: String(fields[0]))
        )
      }
    }
    guard let best else { return nil }
    self = best.1
  }

  private init(type: String, device: String) {
    self.type = type
    self.device = device
  }
}
