import Foundation

/// Something a thread can wait for.
///
/// - Note: `isStuck` is called under the graph's lock and must only read what that lock guards.
protocol WaitTarget: AnyObject, Sendable {
  /// Name for messages.
  var waitName: String { get }
  /// Whether nobody can end this wait: everyone who could is waiting for somebody in the walk.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool
}

/// Who waits for whom: finds a deadlock when its last wait closes the cycle, not by a time-out.
///
/// Each wait of the stack and of the strategies is announced here before it blocks. A thread waits for one target; a
/// queue is blocked by the thread that holds it, a job by the thread that runs it or the executor it is queued on, a
/// group by any of its jobs, a full pool by all of its threads together.
package enum WaitForGraph {
  /// A closed cycle of waits.
  package struct Cycle: Sendable, CustomStringConvertible {
    /// One line for each waiting thread of the cycle: who waits for what, held by whom.
    package let links: [String]
    /// Names of the contexts, queues and groups in the cycle.
    package let participants: [String]

    package var description: String { "deadlock: " + links.joined(separator: "; ") }
  }

  /// What is done with a cycle; the wait goes on when the handler returns.
  package typealias Handler = @Sendable (Cycle) -> Void

  private static let handler = Locked<Handler?>(nil)

  /// Sets what is done with cycles found from now on; nil restores the default, which prints to standard error.
  package static func setHandler(_ new: Handler?) { handler.withLock { $0 = new } }

  /// Guards every edge of the graph.
  private static let lock = Locked<UInt64>(0)

  /// Waits announced since the process started.
  package static var announcedWaits: UInt64 { lock.withLock { $0 } }

  /// Runs `body` with the graph's edges held still.
  static func update<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }

  /// Announces that the calling thread is about to wait for `target`; reports when that closes a cycle.
  static func beginWait(_ thread: ThreadRecord, for target: any WaitTarget) {
    let cycle: Cycle? = lock.withLock { waits in
      waits &+= 1
      thread.waitsFor = target
      var walk = Walk(from: thread)
      return target.isStuck(&walk) ? walk.cycle(closing: target) : nil
    }
    guard let cycle else { return }
    if let handler = handler.withLock({ $0 }) {
      handler(cycle)
    } else {
      FileHandle.standardError.write(Data((cycle.description + "\n").utf8))
    }
  }

  static func endWait(_ thread: ThreadRecord) {
    lock.withLock { _ in thread.waitsFor = nil }
  }

  /// A depth-first search for threads that can still run.
  struct Walk {
    private var path: [ThreadRecord]

    init(from thread: ThreadRecord) { path = [thread] }

    /// Whether `thread` waits, directly or not, only for threads of the path.
    mutating func isStuck(_ thread: ThreadRecord) -> Bool {
      if path.contains(where: { $0 === thread }) { return true }
      guard let target = thread.waitsFor else { return false }
      path.append(thread)
      if target.isStuck(&self) { return true }
      path.removeLast()
      return false
    }

    func cycle(closing target: any WaitTarget) -> Cycle {
      let waits = path.compactMap { thread in thread.waitsFor.map { (thread, $0) } }
      return Cycle(
        links: waits.map { "\($0.name) waits for \($1.waitName)" },
        participants: waits.map { $1.waitName })
    }
  }
}
