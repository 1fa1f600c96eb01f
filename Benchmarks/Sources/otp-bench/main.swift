import Foundation

do {
  exit(try Bench.run(CommandLine.arguments.dropFirst()).rawValue)
} catch {
  let known = error as? BenchError
  writeToStandardError("otp-bench: \(known?.message ?? "\(error)")\n")
  exit((known?.status ?? .failed).rawValue)
}
