import BackendBenchmarks
import BenchmarkRegistry
import Foundation
import LedgerBenchmarks
import OTP

/// Everything that is measured. It must live until the run ends.
struct Suite {
  let backends: Backends
  let measured: BackendSuite
  let ledgers: LedgerSuite
  let registry: Registry

  /// - Parameters:
  ///   - folder: where the SQLite ledger's file is.
  ///   - leastAttempts: what a call of a verification's body handles at least.
  init(
    folder: String = RunOptions.defaultFolder,
    leastAttempts: Int = VerificationWorkloads.usualLeastAttempts
  ) throws {
    backends = try Backends()
    measured = try BackendSuite(
      backends, cores: ProcessInfo.processInfo.activeProcessorCount,
      leastAttempts: leastAttempts)
    ledgers = LedgerSuite(
      folder: folder, credentialCount: 102_400, environment: ProcessInfo.processInfo.environment)
    registry = Registry(measured.benchmarks + ledgers.benchmarks)
  }
}
