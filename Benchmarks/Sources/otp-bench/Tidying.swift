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
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let result = Result { try work(programs, folder) }
  try? FileManager.default.removeItem(atPath: folder)
  if programs.isInterrupted { Interrupt.end() }
  return try result.get()
}
