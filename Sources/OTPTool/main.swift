import Foundation

let outcome = Tool.run(Array(CommandLine.arguments.dropFirst()))
if let message = outcome.message {
  FileHandle.standardError.write(Data("otp: \(message)\n".utf8))
}
exit(outcome.status.rawValue)
