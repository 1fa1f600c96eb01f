import BackendBenchmarks
import Foundation
import LedgerBenchmarks
import OTP

/// How long a backend takes in a process that never used it, up to its first code: its library starts, tests itself
/// or measures its kernels.
struct StartUp {
  /// From the start of the command, in seconds.
  let seconds: Double

  /// The code's truncated value: of another backend it must be the same.
  let value: UInt32

  /// Measures it in this process, which must be a new one.
  init(of name: BackendName, _ algorithm: HashAlgorithm) throws {
    let start = ContinuousClock.now
    let backend = try name.make()
    value = try Self.firstCode(backend, algorithm)
    seconds = (ContinuousClock.now - start) / .seconds(1)
  }

  private static func firstCode(
    _ backend: some HMACBackend, _ algorithm: HashAlgorithm
  ) throws -> UInt32 {
    let secret = try Secret(bytes: Array(0..<20))
    return try backend.makeKeyring([secret], algorithm: algorithm)
      .truncatedValues(keys: [0], counters: [1])[0]
  }

  /// As a process writes it for the one that started it.
  var line: String { "\(seconds) \(value)" }

  /// Measures it in a process of its own.
  init(inNewProcess name: String, _ algorithm: HashAlgorithm) throws {
    guard let program = Bundle.main.executablePath else {
      throw BenchError("this program does not know where it is")
    }
    let words = [program, "choose", "--start-up", name, "--algorithm", algorithm.rawValue]
    let fields = try ChildProcess.output(of: words).split(whereSeparator: \.isWhitespace)
    guard fields.count == 2, let seconds = Double(fields[0]), let value = UInt32(fields[1]) else {
      throw BenchError("a process that starts '\(name)' wrote something else")
    }
    self.seconds = seconds
    self.value = value
  }
}
