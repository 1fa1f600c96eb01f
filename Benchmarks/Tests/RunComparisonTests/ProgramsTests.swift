import BenchmarkTestSupport
import Foundation
import RunComparison
import Testing

@Suite struct ProgramsTests {
  @Test func outputIsReturnedWhole() throws {
    // More than a pipe holds, on both streams.
    let output = try Programs().run(
      shell("head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2"), seconds: 60)
    #expect(output == String(repeating: "x", count: 300_000))
  }

  @Test func failuresSayWhy() {
    expect(.failed(status: 7, "bad\n")) {
      try Programs().run(shell("echo bad >&2; exit 7"), seconds: 60)
    }
    expect(.killed(signal: SIGSEGV, "")) { try Programs().run(shell("kill -SEGV $$"), seconds: 60) }
    let error = #expect(throws: ProgramError.self) {
      try Programs().run(["/nowhere/program"], seconds: 60)
    }
    guard case .notStarted = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.hasPrefix("/nowhere/program cannot be started: ") == true)
  }

  /// The program and what it started are ended, and not only it: its child would hold the named pipe open for ever.
  @Test func whatTakesTooLongIsEnded() throws {
    try withFolder { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      // Reading opens at once here, so that the child can open it for writing.
      let end = open(pipe, O_RDONLY | O_NONBLOCK)
      defer { close(end) }
      expect(.tookTooLong(seconds: 1)) {
        try Programs().run(shell("exec 3>'\(pipe)'; sleep 1000 & wait"), seconds: 1)
      }
      // No writer is left: that is the end of the file.
      var byte: UInt8 = 0
      #expect(poll(until: { read(end, &byte, 1) == 0 }))
    }
  }

  @Test func anInterruptEndsWhatRuns() async throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let programs = Programs()
    let marker = folder + "/started"
    Thread.detachNewThread {
      _ = poll { FileManager.default.fileExists(atPath: marker) }
      programs.interrupt()
    }
    try await onOwnThread {
      expect(.interrupted) {
        try programs.run(shell("touch '\(marker)'; exec sleep 1000"), seconds: 500)
      }
      // Nothing starts any more, but what tidies up.
      expect(.interrupted) { try programs.run(shell("touch '\(folder)/second'"), seconds: 60) }
      #expect(!FileManager.default.fileExists(atPath: folder + "/second"))
      let tidied = try programs.run(shell("echo tidy"), seconds: 60, isTidying: true)
      #expect(tidied == "tidy\n")
    }
    #expect(programs.isInterrupted)
  }

  /// Whatever thread starts it: those that tests run on block most signals.
  @Test func programsCanBeEndedBySignals() throws {
    let text = try Programs().run(["grep", "SigBlk", "/proc/self/status"], seconds: 60)
    #expect(text.hasSuffix("0000000000000000\n"))
  }

  /// What takes no notice of the request is killed, and so is its child, which would hold the named pipe open.
  @Test func whatIgnoresAnInterruptIsKilledAfterTheGrace() async throws {
    try await expectInterrupt(
      Programs(grace: 0.1),
      of: "trap '' INT; exec 3>\"$PIPE\"; touch \"$STARTED\"; sleep 1000; true"
    ) { $0.interrupt() }
  }

  @Test func aSecondInterruptKills() async throws {
    try await expectInterrupt(
      Programs(grace: 500),
      of: "trap '' INT; exec 3>\"$PIPE\"; touch \"$STARTED\"; sleep 1000; true"
    ) {
      $0.interrupt()
      $0.interrupt()
    }
  }

  /// The shell ends by the signal, and has what it runs in the background ignore it.
  @Test func nothingIsLeftOfWhatEndsByAnInterrupt() async throws {
    try await expectInterrupt(
      Programs(grace: 500), of: "exec 3>\"$PIPE\"; sleep 1000 & touch \"$STARTED\"; wait"
    ) { $0.interrupt() }
  }

  /// A folder that it writes to can be removed then. It takes a while to end, since it has much memory to hand back.
  @Test func whatIsKilledHasEndedAfterwards() async throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (pipe, started) = (folder + "/pipe", folder + "/started")
    #expect(mkfifo(pipe, 0o600) == 0)
    let end = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(end) }
    let programs = Programs(grace: 500)
    Thread.detachNewThread {
      _ = poll { FileManager.default.fileExists(atPath: started) }
      programs.interrupt()
    }
    // In the background, it ignores the request. It keeps the last line in memory, which has no end.
    let script = """
      exec 3>"$PIPE"
      { head -c 300000000 /dev/zero; touch "$STARTED"; sleep 1000; } | tail -n 1 &
      wait
      """
    try await onOwnThread {
      expect(.interrupted) {
        try programs.run(
          shell(script), environment: ["PIPE": pipe, "STARTED": started], seconds: 100)
      }
      var byte: UInt8 = 0
      #expect(read(end, &byte, 1) == 0)
    }
  }

  /// Runs a script that opens `$PIPE` and then makes the file `$STARTED`, ends it, and expects that nothing of it is
  /// left long before its own end.
  private func expectInterrupt(
    _ programs: Programs, of script: String, by interrupt: @escaping @Sendable (Programs) -> Void
  ) async throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (pipe, started) = (folder + "/pipe", folder + "/started")
    #expect(mkfifo(pipe, 0o600) == 0)
    let end = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(end) }
    Thread.detachNewThread {
      _ = poll { FileManager.default.fileExists(atPath: started) }
      interrupt(programs)
    }
    let begin = ContinuousClock.now
    try await onOwnThread {
      expect(.interrupted) {
        try programs.run(
          shell(script), environment: ["PIPE": pipe, "STARTED": started], seconds: 100)
      }
    }
    #expect(ContinuousClock.now - begin < .seconds(90))
    var byte: UInt8 = 0
    #expect(poll(until: { read(end, &byte, 1) == 0 }))
  }

  /// Interrupts in the middle of it, and insistent ones, let it end.
  @Test func whatTidiesUpIsNotInterrupted() async throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (pipe, started) = (folder + "/pipe", folder + "/started")
    #expect(mkfifo(pipe, 0o600) == 0)
    let end = open(pipe, O_RDWR)
    defer { close(end) }
    let programs = Programs(grace: 0)
    Thread.detachNewThread {
      _ = poll { FileManager.default.fileExists(atPath: started) }
      programs.interrupt()
      programs.interrupt()
      _ = write(end, "\n", 1)
    }
    try await onOwnThread {
      let script = "touch '\(started)'; read line <'\(pipe)'; echo tidy"
      let text = try programs.run(shell(script), seconds: 60, isTidying: true)
      #expect(text == "tidy\n")
    }
  }

  @Test func environmentIsAddedAndNotReplaced() throws {
    let output = try Programs().run(
      shell("echo $OTP_BENCH_TEST $HOME"),
      environment: ["OTP_BENCH_TEST": "set", "HOME": "/replaced"], seconds: 60)
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(output == "set \(home)\n")
  }

  private func shell(_ script: String) -> [String] { ["/bin/sh", "-c", script] }

  private func expect(
    _ problem: ProgramError.Problem, location: SourceLocation = #_sourceLocation,
    _ work: () throws -> String
  ) {
    let error = #expect(throws: ProgramError.self, sourceLocation: location) { try work() }
    #expect(error?.problem == problem, sourceLocation: location)
  }
}

/// Waits until something holds, which another process or thread brings about.
/// - Returns: false when that took too long.
func poll(until isTrue: () -> Bool) -> Bool {
  let start = ContinuousClock.now
  while !isTrue() {
    if ContinuousClock.now - start > .seconds(60) { return false }
    usleep(1000)
  }
  return true
}
