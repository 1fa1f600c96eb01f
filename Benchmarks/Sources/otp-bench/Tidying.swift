import BenchmarkResults
import Foundation
import RunComparison

/// Runs work that starts programs, with a folder for its files. Afterwards nothing of both is left, also when the work
/// fails or a signal ends it.
func tidying(_ work: (Programs, String) throws -> ExitStatus) throws -> ExitStatus {
  let programs = Programs()
  // Before there is something to tidy up.
  Interrupt.ends(programs)
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("otp-bench-\(UUID().uuidString)").path
  try makeFolder(folder)
  let result = Result { try work(programs, folder) }
  let isRemoved = remove(folder)
  if !isRemoved {
    writeToStandardError("otp-bench: warning: \(folder) cannot be removed\n")
  }
  if programs.isInterrupted { Interrupt.end() }
  return try result.get()
}

/// Removes a folder that something may still write to: a compiler that has lost its build goes on for a while.
/// - Returns: false when that took too long.
private func remove(_ folder: String) -> Bool {
  let start = ContinuousClock.now
  while FileManager.default.fileExists(atPath: folder) {
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      guard ContinuousClock.now - start < .seconds(60) else { return false }
      usleep(10_000)
    }
  }
  return true
}

/// - Throws: ``BenchError`` with the path and the reason.
func makeFolder(_ folder: String) throws {
  do {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  } catch {
    throw BenchError("\(folder) cannot be made: \(fileSystemReason(error))")
  }
}
