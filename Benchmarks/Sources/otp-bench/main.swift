import Foundation

do {
  openStandardDescriptors()
  let status = try Bench.run(CommandLine.arguments.dropFirst())
  try flushStandardOutput()
  exit(status.rawValue)
} catch {
  let known = error as? BenchError
  writeToStandardError("otp-bench: \(known?.message ?? "\(error)")\n")
  exit((known?.status ?? .failed).rawValue)
}
