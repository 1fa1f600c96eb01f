import Foundation
import OTP
import OTPEvidence
import OTPVerification

extension Command {
  static let evidence = Command(
    name: "evidence",
    summary: "Shows what this build can prove: vectors, refused parameters, refused replays.",
    details: """
      It runs offline against real backends and a real ledger, and records the names of cases and
      whether they passed, the version, the system, each backend's library and kernels, and the time,
      but no key, URI or code. Exit status: 0 when all passed, 1 when one failed, 3 when the ledger or a
      backend is not available. The credentials that it needs in the ledger are its own, with random
      names, and are removed at the end.
      """,
    options: [
      Option(
        name: "backend", argument: "NAME", help: "\(BackendName.list), or all\n(default: all)"),
      .ledger, .ledgerFile,
      Option(name: "format", argument: "FORMAT", help: "text, json or junit (default: text)"),
      Option(
        name: "output", argument: "FILE",
        help: "write to this file, or for - to standard output (the default)"),
    ],
    run: { arguments in
      let format = arguments.value(of: "format") ?? "text"
      guard ["text", "json", "junit"].contains(format) else {
        throw ToolError("--format must be text, json or junit")
      }
      let backends: [any HMACBackend]
      if arguments.value(of: "backend") ?? "all" == "all" {
        backends = try BackendName.allCases.map { try $0.make() }
      } else {
        backends = [try arguments.backend()]
      }
      let choice = try LedgerChoice(arguments)
      let file = try arguments.value(of: "output").flatMap { path in
        path == "-" ? nil : try OutputFile(path, of: "output", not: choice.files)
      }
      let now = UnixTime(seconds: Int64(Foundation.time(nil)))
      let chosen = backends
      // What an earlier run wrote is no evidence of this one, whatever becomes of it.
      try file?.write([])
      let reports = try waitFor {
        let ledger = try await choice.open()
        // One that does not answer is no evidence against it.
        _ = try await ledger.states(of: [CredentialID("evidence")])
        var reports: [EvidenceReport] = []
        for backend in chosen {
          reports.append(
            await collectEvidence(
              backend: backend, kernels: KernelRow.rows(of: backend).map(\.text), ledger: ledger,
              ledgerName: choice.kind, at: now))
        }
        return reports
      }
      let text =
        switch format {
        case "json": try json(zip(reports, chosen).map(EvidenceRecord.init))
        case "junit": reports.junit
        default: reports.text
        }
      if let file {
        try file.write(Array((text + "\n").utf8))
      } else {
        try printLine(text)
      }
      return reports.allSatisfy(\.hasPassed) ? .done : .noMatch
    })

  private static func json(_ records: [EvidenceRecord]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(records), as: UTF8.self)
  }
}

private struct EvidenceRecord: Encodable {
  let version: String
  let operatingSystem: String
  let architecture: String
  let backend: String
  let library: String
  let instructionSet: String
  /// Absent for a backend that has no kernels of its own.
  let kernels: [KernelRow]?
  let ledger: String
  /// ISO 8601, in UTC.
  let time: String
  let unixTime: Int64
  let passed: Bool
  let cases: [CaseRecord]

  struct CaseRecord: Encodable {
    let group: String
    let name: String
    let passed: Bool
    let failure: String?
  }

  init(_ report: EvidenceReport, of backend: any HMACBackend) {
    version = report.version
    operatingSystem = report.operatingSystem
    architecture = report.architecture
    self.backend = report.backend.name
    library = report.backend.library
    instructionSet = report.backend.instructionSet
    let rows = KernelRow.rows(of: backend)
    kernels = rows.isEmpty ? nil : rows
    ledger = report.ledger
    time = report.timeText
    unixTime = report.time.seconds
    passed = report.hasPassed
    cases = report.cases.map {
      CaseRecord(
        group: $0.group.rawValue, name: $0.name, passed: $0.hasPassed, failure: $0.failure)
    }
  }
}
