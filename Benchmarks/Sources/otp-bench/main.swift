import Foundation

do {
  exit(try Bench.run(CommandLine.arguments.dropFirst()).rawValue)
} catch {
  writeToStandardError("otp-bench: \((error as? BenchError)?.message ?? "\(error)")\n")
  exit(ExitStatus.failed.rawValue)
}
