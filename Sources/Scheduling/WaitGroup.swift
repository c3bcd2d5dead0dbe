/// Jobs that are waited for together.
public final class WaitGroup: @unchecked Sendable {
  // Sendable: `jobs` and `finished` are only touched under the graph's lock; the countdown locks itself.
  private let group = Countdown()
  private let label: String
  /// Members in the order they came; finished ones are dropped once they are the greater part.
  private var jobs: [Job] = []
  private var finished = 0

  /// A group without members; `label` names it in reports.
  public init(label: String) { self.label = label }

  /// Enqueues `body` on a serial queue as a member of the group.
  public func run(_ label: String, on queue: SerialQueue, _ body: @escaping @Sendable () -> Void) {
    submit(label, to: queue, body)
  }

  /// Enqueues `body` on a pool as a member of the group.
  public func run(_ label: String, on pool: WorkPool, _ body: @escaping @Sendable () -> Void) {
    submit(label, to: pool, body)
  }

  private func submit(_ label: String, to executor: any Executor, _ body: @escaping @Sendable () -> Void) {
    let job = Job(label: label, on: executor, body)
    group.enter()
    WaitForGraph.addMember(on: executor) {
      jobs.append(job)
    } remove: {
      jobs.removeLast()
    }
    executor.execute(label) {
      job.run()
      self.dropFinished()
      self.group.leave()
    }
  }

  private func dropFinished() {
    WaitForGraph.update {
      finished += 1
      guard finished * 2 > jobs.count else { return }
      jobs.removeAll { $0.isFinished }
      finished = 0
    }
  }

  /// Counts one more piece of work that ends with ``leave()``; the graph cannot follow to the thread that will end it.
  public func enter() { group.enter() }

  /// Ends one piece of work counted by ``enter()``.
  public func leave() { group.leave() }

  /// Blocks the calling thread until no member is left.
  public func wait() {
    WaitForGraph.wait(for: self) { _ in group.wait(for: waitName) }
  }

  /// Enqueues `body` on `queue` once no member is left.
  public func notify(on queue: SerialQueue, _ body: @escaping @Sendable () -> Void) {
    group.notify { queue.async(body) }
  }
}

extension WaitGroup: WaitTarget {
  var waitName: String { "group \"\(label)\"" }

  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    for job in jobs where job.isStuck(&walk) { return true }
    return false
  }
}
