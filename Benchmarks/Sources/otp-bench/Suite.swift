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

  /// - Parameter folder: where the SQLite ledger's file is.
  init(folder: String = RunOptions.defaultFolder) throws {
    backends = try Backends()
    measured = try BackendSuite(backends, cores: ProcessInfo.processInfo.activeProcessorCount)
    ledgers = LedgerSuite(
      folder: folder, credentialCount: 102_400, environment: ProcessInfo.processInfo.environment)
    registry = Registry(measured.benchmarks + ledgers.benchmarks)
  }
}
