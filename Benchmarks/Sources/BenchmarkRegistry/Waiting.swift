import CCallgrind
import Dispatch
import Synchronization

/// Runs asynchronous work for a caller that is not, and waits for it. The thread that waits must be none of
/// those that tasks share: the benchmarks' is the main thread, which no task of theirs needs.
///
/// When it returns, the work is released, and nobody but the caller has the result: whoever counts memory next would
/// find in it what is freed later.
///
/// Where instructions are counted, the thread that waits does the work, too: how threads wake each other is chance.
package func waiting<R: Sendable>(
  for work: @escaping @Sendable () async throws -> R
) throws -> R {
  let place = Place(work)
  let thread = ccallgrind_is_running() ? CallingThread() : nil
  Task.detached(executorPreference: thread) {
    await place.fill()
    place.isFull.signal()
  }
  thread?.runJobs { place.result.withLock { $0 != nil } }
  place.isFull.wait()
  guard let result = place.result.withLock({ $0.take() }) else {
    preconditionFailure("the signal comes after the result")
  }
  return try result.get()
}

private final class Place<R: Sendable>: Sendable {
  /// The task refers to this place alone, so that the work is gone when it is done.
  private let given: Mutex<(@Sendable () async throws -> R)?>

  let result = Mutex<Result<R, any Error>?>(nil)
  let isFull = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () async throws -> R) {
    given = Mutex(work)
  }

  /// Does the work, and lets go of it and of the result, which it does at its end: not inlined, so that this comes
  /// before the signal.
  @inline(never)
  func fill() async {
    guard let work = given.withLock({ $0.take() }) else {
      preconditionFailure("the work is done once")
    }
    let result: Result<R, any Error>
    do {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    self.result.withLock { $0 = result }
  }
}

/// Runs what a task and its child tasks do on one thread, one after the other.
private final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Runs jobs, and waits for others to send some, until all is done.
  func runJobs(until isDone: () -> Bool) {
    while !isDone() {
      arrivals.wait()
      let job = jobs.withLock { $0.removeFirst() }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
