import Foundation
import OTP
import OTPVerification

extension Command {
  static let ledgerState = Command(
    name: "ledger state", operands: ["ID"],
    summary: "Shows what a ledger keeps of a credential.",
    details: """
      That is the last step whose code was accepted (of HOTP, the last counter), the wrong codes since the
      last success, and the Unix seconds at which a lock ends. A ledger knows nothing of a credential until
      its first attempt, and shows no step and no failures then. Nothing is changed.
      """,
    options: [.sharedLedger, .ledgerFile, .json],
    run: { arguments in
      let (id, choice) = try credential(arguments)
      let state = try waitFor { try await choice.openExisting().checkedStates(of: [id])[0] }
      if arguments.has("json") {
        try printJSON(StateRecord(state))
      } else {
        let until =
          switch state.lockedUntil {
          case 0: "not locked"
          case .max: "until a reset"
          default: "until \(state.lockedUntil)"
          }
        try printLine(
          columns([
            ("last step", state.lastStep.map { "\($0)" } ?? "none"),
            ("failures", "\(state.failures)"), ("locked", until), ("drift", "\(state.drift)"),
          ]))
      }
      return .done
    })

  static let ledgerReset = Command(
    name: "ledger reset", operands: ["ID"],
    summary: "Ends a credential's lock: for a user who locked themself out.",
    details: """
      The count of wrong codes begins anew, and codes that were used stay used. With --everything the ledger
      forgets the credential: for one that has got a new key. With the old key, codes could be used again.
      """,
    options: [
      .sharedLedger, .ledgerFile,
      Option(name: "everything", help: "forget the last step, too: only with a new key"),
    ],
    run: { arguments in
      let (id, choice) = try credential(arguments)
      let part: ResetPart = arguments.has("everything") ? .everything : .throttle
      try waitFor { try await choice.openExisting().reset(id, part) }
      return .done
    })

  private static func credential(
    _ arguments: Arguments
  ) throws -> (CredentialID, LedgerChoice) {
    let id = try CredentialID(arguments.operands[0])
    let choice = try LedgerChoice(arguments)
    guard choice.kind != "memory" else {
      throw ToolError("a ledger is needed that others see: give --ledger or --ledger-file")
    }
    return (id, choice)
  }
}

extension Option {
  fileprivate static let sharedLedger = Option(
    name: "ledger", argument: "LEDGER",
    help: "sqlite:PATH, redis://HOST, unix:///PATH (Redis), or\npostgresql://HOST/DATABASE")
}

private struct StateRecord: Encodable {
  let lastStep: UInt64?
  let failures: UInt32
  /// Absent when there is no lock, or one that only a reset ends.
  let lockedUntil: Int64?
  let lockedForGood: Bool
  let drift: Int32

  init(_ state: CredentialState) {
    lastStep = state.lastStep
    failures = state.failures
    lockedForGood = state.lockedUntil == .max
    lockedUntil = state.lockedUntil == 0 || lockedForGood ? nil : state.lockedUntil
    drift = state.drift
  }
}
