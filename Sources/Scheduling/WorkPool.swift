/// An operation queue in effect: at most `width` jobs at a time, each on a thread of the pool, in the order they came.
public final class WorkPool: @unchecked Sendable {
  // Sendable: `running` is only touched under the graph's lock; the threads lock their shared state.
  private let threads: WorkerThreads
  private let all: WaitGroup
  private let width: Int
  private let label: String
  private var running: [ThreadRecord] = []

  /// A pool of at most `width` threads, named by `label` in reports.
  public init(label: String, width: Int) {
    precondition(width > 0, "a pool has at least one thread")
    threads = WorkerThreads(label: label, width: width)
    all = WaitGroup(label: label)
    self.width = width
    self.label = label
  }

  /// Enqueues a job named `label` and returns.
  public func submit(_ label: String, _ body: @escaping @Sendable () -> Void) {
    all.run(label, on: self, body)
  }

  /// Blocks the calling thread until every job submitted here is done.
  public func waitUntilAllFinished() { all.wait() }

  /// Enqueues `body` on `queue` once every job submitted here is done.
  public func notifyWhenAllFinished(on queue: SerialQueue, _ body: @escaping @Sendable () -> Void) {
    all.notify(on: queue, body)
  }
}

extension WorkPool: Executor {
  var waitName: String { "pool \"\(label)\"" }

  var isOneThread: Bool { width == 1 }

  func execute(_ label: String, _ block: @escaping @Sendable () -> Void) {
    threads.add(label) { [self] in
      let thread = ThreadRecord.current
      WaitForGraph.update { running.append(thread) }
      block()
      WaitForGraph.update { running.removeAll { $0 === thread } }
    }
  }

  /// A queued job can never start when every thread of the pool is stuck.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    running.count >= width && walk.areAllStuck(running)
  }
}
