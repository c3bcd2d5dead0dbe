import Foundation

/// Something a thread can wait for.
///
/// - Note: `isStuck` is called under the graph's lock and must only read state that the lock guards.
protocol WaitTarget: AnyObject, Sendable {
  /// Name for messages.
  var waitName: String { get }
  /// Whether no thread can end this wait: each that could waits for one in the walk.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool
}

/// The waits of threads for each other: finds a deadlock when its last wait closes the cycle, not by a time-out.
///
/// Each wait of the stack and of the strategies is announced here before it blocks. A thread waits for one target; a
/// queue is blocked by the thread that holds it, a job by the thread that runs it or the executor it is queued on, a
/// group by any of its jobs, a full pool by all of its threads together.
package enum WaitForGraph {
  /// A closed cycle of waits.
  package struct Cycle: Sendable, CustomStringConvertible {
    /// One line for each waiting thread of the cycle, with the target of its wait.
    package let links: [String]
    /// Names of the contexts, queues and groups in the cycle.
    package let participants: [String]

    package var description: String { "deadlock: " + links.joined(separator: "; ") }
  }

  /// Handles a cycle; the wait continues when the handler returns.
  package typealias Handler = @Sendable (Cycle) -> Void

  private static let handler = Locked<Handler?>(nil)

  /// Sets the handler of cycles found from now on; nil restores the default, which prints to standard error.
  package static func setHandler(_ new: Handler?) { handler.withLock { $0 = new } }

  /// Guards every edge of the graph.
  private static let lock = Locked<UInt64>(0)

  /// Waits of the process so far that could have closed a cycle: those announced, and entries into queues that were
  /// free, where no thread had to wait.
  package static var announcedWaits: UInt64 { lock.withLock { $0 } + UInt64(ThreadRecord.countedEntries) }

  /// Runs `body` with the graph's edges held still.
  static func update<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }

  /// Announces that the calling thread is about to wait for `target`; reports when that closes a cycle.
  ///
  /// A thread that joins an existing deadlock closes nothing and is not reported.
  static func beginWait(_ thread: ThreadRecord, for target: any WaitTarget) {
    lock.withLock { $0 &+= 1 }
    _ = beginWait(thread, for: target, ifNeeded: { true }, isOver: { false })
  }

  /// The same where the thread may not have to wait after all; whether it has to.
  ///
  /// - Parameters:
  ///   - isNeeded: begins the wait, or says that there is nothing to wait for; called under the graph's lock.
  ///   - isOver: whether the wait has ended while the cycle was reported; called under the graph's lock.
  static func beginWait(
    _ thread: ThreadRecord, for target: any WaitTarget, ifNeeded isNeeded: () -> Bool, isOver: () -> Bool
  ) -> Bool {
    let begun: (isNeeded: Bool, cycle: Cycle?) = lock.withLock { _ in
      guard isNeeded() else { return (false, nil) }
      thread.waitsFor = target
      let cycle = Walk.cycle(through: target, closedBy: thread) {
        thread.waitsFor = nil
      } redo: {
        thread.waitsFor = target
      }
      return (true, cycle)
    }
    guard let cycle = begun.cycle else { return begun.isNeeded }
    report(cycle)
    // The handler may have waited for something itself.
    update { thread.waitsFor = isOver() ? nil : target }
    return true
  }

  /// Ends the wait of `thread`: it can continue, though it may not have noticed yet.
  ///
  /// Called by the thread that ends a wait, where that can itself wait for `thread` next, and by `thread` in any case.
  static func endWait(_ thread: ThreadRecord) {
    update { thread.waitsFor = nil }
  }

  /// Blocks the calling thread by `block`, which waits for `target`.
  static func wait<Result>(for target: any WaitTarget, _ block: (ThreadRecord) throws -> Result) rethrows -> Result {
    let thread = ThreadRecord.current
    beginWait(thread, for: target)
    WaitCheckpoints.begin.reach(thread.stepName)
    defer {
      WaitCheckpoints.over.reach(thread.stepName)
      endWait(thread)
    }
    return try block(thread)
  }

  /// Announces a member of a group that a thread may wait for already; reports when that closes a cycle.
  ///
  /// - Parameters:
  ///   - executor: runs the member.
  ///   - add: makes the member known; called under the graph's lock.
  ///   - remove: undoes `add`; called under the graph's lock.
  static func addMember(on executor: any WaitTarget, add: () -> Void, remove: () -> Void) {
    let cycle: Cycle? = lock.withLock { _ in
      add()
      return Walk.cycle(through: executor, closedBy: nil, undo: remove, redo: add)
    }
    if let cycle { report(cycle) }
  }

  private static func report(_ cycle: Cycle) {
    precondition(!cycle.links.isEmpty, "a cycle has a wait")
    if let simulation = Simulation.current {
      simulation.note(cycle)
    } else if let handler = handler.current {
      handler(cycle)
    } else {
      FileHandle.standardError.write(Data((cycle.description + "\n").utf8))
    }
  }
}

/// Places of a wait where other threads can come between two steps.
enum WaitCheckpoints {
  /// The wait is announced, and the thread about to block.
  static let begin = Checkpoint("wait.begin")
  /// Nothing blocks the thread any more, and it has not gone on.
  static let over = Checkpoint("wait.over")
}
