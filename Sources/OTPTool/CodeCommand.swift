import OTP
import OTPVerification

extension Command {
  static let code = Command(
    name: "code",
    summary: "Prints the one-time code of a key.",
    options: CredentialInput.keyOptions + [
      CredentialInput.t0Option, CredentialInput.counterOption, CredentialInput.uriOption,
    ] + Moment.options + [.backend, .json],
    run: { arguments in
      let credential = try CredentialInput(arguments)
      let moment = try Moment(credential, arguments)
      let backend = try arguments.backend()
      let code = try credential.hotp.code(
        for: credential.secret, counter: moment.movingFactor, using: backend)
      if arguments.has("json") {
        try printJSON(try CodeRecord(code, credential, moment, backend: backend.information.name))
      } else {
        try printLine(code.text)
      }
      return .done
    })

  static let check = Command(
    name: "check", operands: ["CODE"],
    summary: "Looks for a code in a window of steps, and prints the step and its offset.",
    details: """
      It keeps no state: a code that was accepted before matches again. For TOTP the window
      lies around the time's step; for HOTP it begins at --counter, and BACK must be 0.
      Spaces and hyphens in CODE are ignored. Exit status: 0 for a match, 1 for none.
      """,
    options: CredentialInput.keyOptions + [
      CredentialInput.t0Option, CredentialInput.counterOption, CredentialInput.uriOption,
    ] + Moment.options + [
      Option(
        name: "window", argument: "BACK,FORWARD",
        help: "steps that may be late and early (default: 0,0)"), .backend, .json,
    ],
    run: { arguments in
      let credential = try CredentialInput(arguments)
      let moment = try Moment(credential, arguments)
      let window = try arguments.pair("window").map { try Window(back: $0, forward: $1) } ?? .none
      if case .hotp = credential.factor, window.back > 0 {
        throw ToolError("--window must have BACK 0 for HOTP: a used counter never comes back")
      }
      let code = try OneTimeCode(
        ignoringSeparatorsIn: arguments.operands[0], digits: credential.hotp.digits)
      let attempt = Attempt(key: 0, step: moment.movingFactor, code: code)
      let match = try firstMatch(
        of: attempt, credential, window: window, backend: try arguments.backend())
      if arguments.has("json") {
        try printJSON(CheckRecord(match))
      } else {
        try printLine(match.map { "step \($0.step) offset \($0.offset)" } ?? "no match")
      }
      return match == nil ? .noMatch : .done
    })
}

private func firstMatch(
  of attempt: Attempt, _ credential: CredentialInput, window: Window, backend: some HMACBackend
) throws -> StepMatch? {
  let keyring = try backend.makeKeyring(
    [credential.secret], algorithm: credential.hotp.algorithm)
  let matcher = try WindowMatcher(keyring: keyring, hotp: credential.hotp, window: window)
  return try matcher.matches(for: [attempt])[0]
}

private struct CodeRecord: Encodable {
  let type: String
  let code: String
  let digits: Int
  let algorithm: String
  let backend: String
  var counter: UInt64?
  var step: UInt64?
  var time: Int64?
  var period: Int64?
  var t0: Int64?
  var secondsLeft: Int64?

  init(
    _ code: OneTimeCode, _ credential: CredentialInput, _ moment: Moment, backend: String
  ) throws {
    self.code = code.text
    digits = code.digits
    algorithm = credential.hotp.algorithm.rawValue
    self.backend = backend
    switch credential.factor {
    case .hotp(_, let counter):
      type = "hotp"
      self.counter = counter
    case .totp(let totp):
      type = "totp"
      step = moment.movingFactor
      time = moment.time?.seconds
      period = totp.period
      t0 = totp.t0.seconds
      secondsLeft = try moment.time.map { try totp.secondsLeft(at: $0) }
    }
  }
}

private struct CheckRecord: Encodable {
  let match: Bool
  var step: UInt64?
  var offset: Int?

  init(_ match: StepMatch?) {
    self.match = match != nil
    step = match?.step
    offset = match?.offset
  }
}
