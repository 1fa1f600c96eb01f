import Foundation

/// The processes of a group, after the first of them was collected.
enum ProcessGroup {
  /// What was killed ends at once unless it waits for a disk.
  private static let limit = Duration.seconds(30)

  /// Waits until none of a group that was killed runs any more, but no longer than ``limit``.
  static func waitForEnd(of group: pid_t) {
    let start = ContinuousClock.now
    while runs(group), ContinuousClock.now - start < limit { usleep(1000) }
  }

  /// Those that have ended count as members until their parent collects them, which may be never in a container; so
  /// the system's table is asked where there is one.
  private static func runs(_ group: pid_t) -> Bool {
    guard kill(-group, 0) == 0 else { return false }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else {
      return true
    }
    return names.contains { name in
      guard let process = pid_t(name),
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return false }
      // After the program's name, which may hold anything: the state, the parent, the group.
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 17, fields[2] == "\(group)" else { return false }
      // The first thread may have ended before others.
      return !["Z", "X"].contains(fields[0]) || fields[17] != "1"
    }
  }
}
