/// One block on its way through an executor: a wait for it can be followed to the thread that runs it.
final class Job: @unchecked Sendable {
  // Sendable: `state` is only touched under the graph's lock, `body` by the thread that runs the job.
  private enum State {
    case queued((any Executor)?)
    case running(ThreadRecord)
    case finished
  }

  let label: String
  private var state: State
  /// Whether another thread might have run this job just as well, at the same time as the jobs of this one.
  private let isOneOfMany: Bool

  /// The job's work; nil once it runs.
  private var body: (@Sendable () -> Void)?

  init(label: String, on executor: any Executor, _ body: @escaping @Sendable () -> Void) {
    self.label = label
    self.body = body
    state = .queued(executor)
    isOneOfMany = !executor.isOneThread
  }

  /// A job for a thread that is not known beforehand.
  init(label: String, _ body: @escaping @Sendable () -> Void) {
    self.label = label
    self.body = body
    state = .queued(nil)
    isOneOfMany = false
  }

  /// Runs the job on the calling thread; objects that only its body held end with it.
  func run() {
    let thread = ThreadRecord.current
    let outer = WaitForGraph.update {
      state = .running(thread)
      defer { thread.activity = label }
      return thread.activity
    }
    runBody()
    WaitForGraph.update {
      state = .finished
      thread.activity = outer
    }
  }

  @inline(never)
  private func runBody() {
    guard let body = body.take() else { preconditionFailure("a job runs once") }
    if isOneOfMany { LockOrder.runAsTask(body) } else { body() }
  }

  /// Under the graph's lock: whether this job has ended.
  var isFinished: Bool {
    if case .finished = state { true } else { false }
  }

  /// Under the graph's lock: whether this job can never end.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    switch state {
    case .queued(let executor): executor?.isStuck(&walk) ?? false
    case .running(let thread): walk.isStuck(thread)
    case .finished: false
    }
  }
}

/// Runs blocks: a serial queue or a pool of threads.
protocol Executor: WaitTarget {
  /// Runs a block; the label is its name in the trace of a simulation.
  func execute(_ label: String, _ block: @escaping @Sendable () -> Void)
  /// Whether all blocks run on one thread.
  var isOneThread: Bool { get }
}

extension SerialQueue: Executor {
  func execute(_ label: String, _ block: @escaping @Sendable () -> Void) { async(block) }

  // A private queue gives each of its blocks a task itself.
  var isOneThread: Bool { true }
}
