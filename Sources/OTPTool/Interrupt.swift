import Foundation
import Synchronization

/// Notes the interrupt signal, so that a run can end between two batches. A second one ends the process at
/// once.
enum Interrupt {
  private static let flag = Atomic(false)

  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  static func startWatching() {
    // Before the first signal, since a handler must not be the one to initialise it.
    _ = isRequested
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interrupt.flag.store(true, ordering: .relaxed) }
    // Without SA_RESTART: a read that waits returns.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    sigaction(SIGINT, &action, nil)
  }
}
