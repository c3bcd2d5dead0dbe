import Synchronization

/// The queues that one thread is inside of, kept while lock orders are looked for; only touched by that thread.
final class OrderTrace {
  /// A queue that is held. It lives as long.
  struct Held {
    let number: UInt64
    private let queue: Unmanaged<SerialQueue>

    init(_ queue: SerialQueue) {
      number = queue.number
      self.queue = .passUnretained(queue)
    }

    var name: String { queue._withUnsafeGuaranteedRef { $0.name } }
  }

  /// The thread that waits for a block of the main queue, with all queues that it holds.
  struct Caller: @unchecked Sendable {
    // Sendable: it is only used while its thread waits.
    let held: [Held]
    let task: UInt64

    init(_ trace: OrderTrace) {
      held = trace.held
      task = trace.task
    }
  }

  /// An entry of the current task that the graph knows.
  private struct Known: Hashable {
    let held: [UInt64]
    let inner: UInt64
    let task: UInt64
  }

  /// Outermost first; on the main thread the main queue is the first.
  var held: [Held] = []
  /// Number of the sequence of steps: a thread, or one block or job of those that any thread may run.
  private(set) var task: UInt64
  private var known: Set<Known> = []

  private static let tasks = Atomic<UInt64>(0)
  /// More entries than this are not remembered; the graph knows them.
  private static let knownMax = 512

  init(_ thread: ThreadRecord) {
    task = Self.makeTask()
    if thread.isMain { held = [Held(.main)] }
  }

  private static func makeTask() -> UInt64 { tasks.add(1, ordering: .relaxed).newValue }

  /// Whether this task has not come into `inner` with the same queues held before.
  func isNew(_ inner: UInt64) -> Bool {
    if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
    return known.insert(Known(held: held.map(\.number), inner: inner, task: task)).inserted
  }

  /// Notes that the queue is left, if it was entered while this was kept.
  func leave(_ queue: SerialQueue) {
    if let last = held.last, last.number == queue.number { held.removeLast() }
  }

  /// Runs `body` as a task of its own.
  func asNewTask(_ body: () -> Void) {
    let (outerHeld, outer) = (held, task)
    task = Self.makeTask()
    body()
    (held, task) = (outerHeld, outer)
  }

  /// Runs `body` on this thread for another.
  func inPlace<Result>(of caller: Caller, _ body: () throws -> Result) rethrows -> Result {
    let (ownHeld, ownTask) = (held, task)
    held += caller.held
    task = caller.task
    defer { (held, task) = (ownHeld, ownTask) }
    return try body()
  }
}
