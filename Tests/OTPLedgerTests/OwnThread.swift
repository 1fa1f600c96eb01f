import Dispatch

/// Runs a task on a thread that no other task has.
final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "OwnThread")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits until the tasks have done what they can do for now.
  func finishJobs() { queue.sync {} }
}
