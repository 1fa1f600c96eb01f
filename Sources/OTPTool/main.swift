import Foundation

// A file that is opened must not get the number of a standard stream that is closed. What takes its place can be used
// the wrong way round alone, so that reading or writing there is an error as before.
for (descriptor, way) in [
  (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
]
where fcntl(descriptor, F_GETFD) == -1 {
  _ = open("/dev/null", way)
}

// A reader that went away or a file that may not grow is an error of writing, and a summary is still written.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
let outcome = Tool.run(CommandLine.words)
if let message = outcome.message {
  printToStandardError("otp: \(message)")
}
exit(outcome.status.rawValue)

extension CommandLine {
  /// The words after the tool's name; nil when one is not UTF-8. (`CommandLine.arguments` repairs those, and
  /// would open another file than the one that was named.)
  static var words: [String]? {
    var words: [String] = []
    for index in 1..<max(Int(argc), 1) {
      guard let word = unsafeArgv[index].flatMap({ String(validatingCString: $0) }) else {
        return nil
      }
      words.append(word)
    }
    return words
  }
}
