import Foundation

let outcome = await Tool.run(Array(CommandLine.arguments.dropFirst()))
if let message = outcome.message {
  printToStandardError("otp: \(message)")
}
exit(outcome.status.rawValue)
