import Dispatch

/// Jobs that are waited for together.
package final class WaitGroup: @unchecked Sendable {
  // Sendable: `jobs` is only touched under the graph's lock; the Dispatch group locks itself.
  private let group = DispatchGroup()
  private let label: String
  private var jobs: [Job] = []

  package init(label: String) { self.label = label }

  /// Enqueues `body` on a serial queue as a member of the group.
  package func run(_ label: String, on queue: SerialQueue, _ body: @escaping @Sendable () -> Void) {
    submit(label, to: queue, body)
  }

  /// Enqueues `body` on a pool as a member of the group.
  package func run(_ label: String, on pool: WorkPool, _ body: @escaping @Sendable () -> Void) {
    submit(label, to: pool, body)
  }

  private func submit(_ label: String, to executor: any Executor, _ body: @escaping @Sendable () -> Void) {
    let job = Job(label: label, on: executor)
    WaitForGraph.update { jobs.append(job) }
    group.enter()
    executor.execute(job) {
      body()
      WaitForGraph.update { self.jobs.removeAll { $0 === job } }
      self.group.leave()
    }
  }

  /// Counts one more piece of work that ends with ``leave()``; the graph cannot follow who will end it.
  package func enter() { group.enter() }

  /// Ends one piece of work counted by ``enter()``.
  package func leave() { group.leave() }

  /// Blocks the calling thread until no member is left.
  package func wait() {
    let thread = ThreadRecord.current
    WaitForGraph.beginWait(thread, for: self)
    group.wait()
    WaitForGraph.endWait(thread)
  }

  /// Enqueues `body` on `queue` once no member is left.
  package func notify(on queue: SerialQueue, _ body: @escaping @Sendable () -> Void) {
    group.notify(queue: .global()) { queue.async(body) }
  }
}

extension WaitGroup: WaitTarget {
  var waitName: String { "group \"\(label)\"" }

  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    for job in jobs where job.isStuck(&walk) { return true }
    return false
  }
}
