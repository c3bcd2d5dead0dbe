/// Threads of tasks, kept from one simulation to the next: each that is idle sleeps on a word of its own, and the one that fell asleep
/// last is woken first.
final class SimulationThreads: Sendable {
  // Sendable: the baton orders who gives work and the thread that does it.
  private final class Idle: @unchecked Sendable {
    let baton = Baton()
    var work: (@Sendable () -> Void)?
  }

  private let idle = Locked<[Idle]>([])
  private let label: String
  private let idleMax: Int

  /// - Parameter idleMax: how many threads stay when there is nothing to do.
  init(label: String, idleMax: Int) {
    precondition(idleMax >= 0, "threads that are kept are counted")
    self.label = label
    self.idleMax = idleMax
  }

  /// Runs `work` on a thread that has nothing to do, or on a new one.
  func run(_ work: @escaping @Sendable () -> Void) {
    guard let thread = idle.withLock({ $0.popLast() }) else { return start(work) }
    thread.work = work
    thread.baton.signal()
  }

  private func start(_ work: @escaping @Sendable () -> Void) {
    NamedThread.start(label) { [self] in
      work()
      let own = Idle()
      while stays(own) {
        own.baton.wait()
        // Released before the thread is idle again.
        own.work.take()?()
      }
    }
  }

  /// Makes the calling thread one of those that are idle; false where there are enough.
  private func stays(_ thread: Idle) -> Bool {
    idle.withLock { idle in
      guard idle.count < idleMax else { return false }
      idle.append(thread)
      return true
    }
  }
}
