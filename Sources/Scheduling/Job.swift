/// One block on its way through an executor, so that whoever waits for it can be followed to the thread that runs it.
final class Job: @unchecked Sendable {
  // Sendable: `state` is only touched under the graph's lock.
  private enum State {
    case queued(any Executor)
    case running(ThreadRecord)
    case finished
  }

  let label: String
  private var state: State
  /// Whether another thread might have run this job just as well, at the same time as the jobs of this one.
  private let isOneOfMany: Bool

  init(label: String, on executor: any Executor) {
    self.label = label
    state = .queued(executor)
    isOneOfMany = !executor.isOneThread
  }

  /// Runs `body` as this job on the calling thread.
  func run(_ body: () -> Void) {
    let thread = ThreadRecord.current
    let outer = WaitForGraph.update {
      state = .running(thread)
      defer { thread.activity = label }
      return thread.activity
    }
    if isOneOfMany { LockOrder.runAsTask(body) } else { body() }
    WaitForGraph.update {
      state = .finished
      thread.activity = outer
    }
  }

  /// Under the graph's lock: whether this job has ended.
  var isFinished: Bool {
    if case .finished = state { true } else { false }
  }

  /// Under the graph's lock: whether this job can never end.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    switch state {
    case .queued(let executor): executor.isStuck(&walk)
    case .running(let thread): walk.isStuck(thread)
    case .finished: false
    }
  }
}

/// Runs blocks: a serial queue or a pool of threads.
protocol Executor: WaitTarget {
  func execute(_ block: @escaping @Sendable () -> Void)
  /// Whether all blocks run on one thread.
  var isOneThread: Bool { get }
}

extension SerialQueue: Executor {
  func execute(_ block: @escaping @Sendable () -> Void) { async(block) }

  // A private queue gives each of its blocks a task itself.
  var isOneThread: Bool { true }
}
