/// What the stages of verification in bulk cost, by the functions that do their work.
package struct StageCosts {
  /// A stage: what is called by others of functions whose names have all of these parts, without the stages that
  /// these call.
  private struct Stage {
    let name: String
    let parts: [String]
    var inner: String?

    /// Functions and protocols' entries to them, but not their closures: those are called by what they call.
    func contains(_ function: String) -> Bool {
      parts.allSatisfy { function.contains($0) }
        && (function.hasSuffix("F") || function.hasSuffix("TW"))
    }
  }

  // Parts of the names as the linker has them.
  private static let stages = [
    Stage(name: "parse", parts: ["12AttemptBatchV6append"]),
    Stage(name: "look-up", parts: ["12AttemptChunkC15findCredentials"]),
    Stage(name: "HMAC", parts: ["KeyringV", "15truncatedValues"]),
    Stage(name: "compare", parts: ["12AttemptChunkC6search"], inner: "HMAC"),
    Stage(name: "settle", parts: ["12MemoryLedgerC6settle_8consumes"]),
  ]

  /// The stages in their order, what is in none of them, and the sum.
  package let instructions: [(stage: String, count: Int)]

  /// - Throws: ``InstructionsFault`` when a stage's function is not called: it has another name now, or was inlined.
  package init(_ profile: CallgrindProfile) throws {
    var rows: [(stage: String, count: Int)] = []
    for stage in Self.stages {
      let calls = profile.calls.filter {
        stage.contains($0.key.callee) && !stage.contains($0.key.caller)
      }
      guard !calls.isEmpty else {
        throw InstructionsFault("no function of the stage '\(stage.name)' is called")
      }
      let inner = rows.first { $0.stage == stage.inner }?.count ?? 0
      rows.append((stage.name, calls.values.reduce(0) { $0 + $1.instructions } - inner))
    }
    let rest = profile.instructions - rows.reduce(0) { $0 + $1.count }
    instructions = rows + [("rest", rest), ("all", profile.instructions)]
  }
}
