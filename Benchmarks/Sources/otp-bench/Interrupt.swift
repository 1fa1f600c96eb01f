import Foundation
import RunComparison

/// Has the signals that end a run do something else instead, so that it can tidy up before it ends.
enum Interrupt {
  /// The handler writes the signal to it, which is all that a handler may do.
  private static let pipeEnds: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    return (ends[0], ends[1])
  }()

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Ends the programs.
  static func ends(_ programs: Programs) { calls { programs.interrupt() } }

  /// - Parameter action: called for each signal, in a thread of its own.
  static func calls(_ action: @escaping @Sendable () -> Void) {
    // Before the first signal, since a handler must not be the one to initialise it.
    let ends = pipeEnds
    for signal in signals where !(signal == SIGHUP && isIgnored(signal)) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(Interrupt.pipeEnds.write, &byte, 1)
      }
      action.sa_flags = SA_RESTART
      sigaction(signal, &action, nil)
    }
    // Whoever started this process may have left them blocked.
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(ends.read, &byte, 1) == 1 { action() }
    }
  }

  /// So `nohup` has it, whose programs go on when the terminal is gone.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends this process as the signal would have.
  static func end() -> Never {
    signal(SIGINT, SIG_DFL)
    raise(SIGINT)
    exit(128 + SIGINT)
  }
}
