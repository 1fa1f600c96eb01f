import Foundation
import Synchronization

/// Notes the interrupt signal, so that a run can end between two batches. A second one ends the process at
/// once.
enum Interrupt {
  private static let flag = Atomic(false)

  /// The signal's handler writes to it, and whoever waits for input waits for it too: the signal may reach
  /// another thread than the one that waits.
  private static let pipeEnds: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    return (ends[0], ends[1])
  }()

  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  static func startWatching() {
    // Before the first signal, since a handler must not be the one to initialise them.
    _ = (isRequested, pipeEnds)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      Interrupt.flag.store(true, ordering: .relaxed)
      var byte: UInt8 = 0
      _ = Foundation.write(Interrupt.pipeEnds.write, &byte, 1)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
    sigaction(SIGINT, &action, nil)
    // Whoever started this process may have left the signal blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Waits until there is something to read. False when the signal came first.
  static func waitForInput(from descriptor: Int32) -> Bool {
    while !isRequested {
      var files = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pipeEnds.read, events: Int16(POLLIN), revents: 0),
      ]
      // An error of poll's own is left to the read that follows.
      if poll(&files, 2, -1) > 0, files[0].revents != 0 { return true }
      if errno != EINTR, files[0].revents == 0, files[1].revents == 0 { return true }
    }
    return false
  }
}
