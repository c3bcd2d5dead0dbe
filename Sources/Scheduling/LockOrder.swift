import Foundation
import Synchronization

/// Finds queues that are entered in orders that could deadlock, though no run did: A → B here, B → A there.
///
/// Off by default; then it costs a load and a branch for each entry. The same thread in both orders, and orders under
/// a common outer queue, cannot deadlock and are not reported.
package enum LockOrder {
  /// A ring of orders, reported once.
  package struct Cycle: Sendable, CustomStringConvertible {
    /// One entry into a queue inside another.
    package struct Link: Sendable {
      package let outer: String
      package let inner: String
      /// The thread in which this order was seen first.
      package let thread: String
      /// Return addresses of that entry, innermost first.
      package let backtrace: [String]
    }

    package let links: [Link]

    /// Names of the contexts and queues in the ring.
    package var participants: [String] { links.map(\.outer) }

    package var description: String {
      "lock order: " + links.map { "\($0.inner) is entered inside \($0.outer) (\($0.thread))" }.joined(separator: ", ")
    }
  }

  /// Handles a cycle; the entry continues when the handler returns.
  package typealias Handler = @Sendable (Cycle) -> Void

  private static let on = Atomic<Bool>(false)
  private static let backtraces = Atomic<Bool>(true)
  private static let handler = Locked<Handler?>(nil)
  private static let graph = Locked(OrderGraph<Place>())
  /// By names, which outlive the queues.
  private static let seen = Locked<Set<StepPair>>([])
  private static let entries = Atomic<Int>(0)

  @inline(__always)
  static var isOn: Bool { on.load(ordering: .relaxed) }

  /// Turns the search on or off for the whole process; only entries made while it is on are known.
  ///
  /// - Parameter keepsBacktraces: whether an order that is new is kept with its return addresses, which take long.
  package static func setEnabled(_ isEnabled: Bool, keepsBacktraces: Bool = true) {
    backtraces.store(keepsBacktraces, ordering: .relaxed)
    on.store(isEnabled, ordering: .relaxed)
  }

  /// Sets the handler of cycles; nil restores the default, which prints to standard error.
  package static func setHandler(_ new: Handler?) { handler.withLock { $0 = new } }

  /// Forgets all orders seen so far.
  package static func reset() {
    graph.withLock { $0 = OrderGraph<Place>() }
    seen.withLock { $0 = [] }
  }

  /// The orders seen since ``reset()``, by the names of the queues.
  package static var orders: Set<StepPair> {
    seen.current
  }

  /// Entries into a queue inside another that were looked at so far.
  package static var nestedEntries: Int { entries.load(ordering: .relaxed) }

  /// Where an order was seen.
  private struct Place {
    let outer: [UInt64: String]
    let inner: String
    let thread: String
    let backtrace: [String]
  }

  // MARK: Steps of threads

  /// Notes that the calling thread is about to come into `queue`.
  @inline(never)
  static func willEnter(_ queue: SerialQueue, _ thread: ThreadRecord) {
    let trace = trace(of: thread)
    defer { trace.held.append(OrderTrace.Held(queue)) }
    note(queue, trace, thread)
  }

  /// Notes that the calling thread has come into `queue` without waiting for it.
  @inline(never)
  static func hasEntered(_ queue: SerialQueue, _ thread: ThreadRecord) {
    trace(of: thread).held.append(OrderTrace.Held(queue))
  }

  /// The calling thread is about to wait for a block of the main queue; returns it as the block's caller.
  static func willSend(to main: SerialQueue, _ thread: ThreadRecord) -> OrderTrace.Caller? {
    guard isOn else { return nil }
    let trace = trace(of: thread)
    note(main, trace, thread)
    return OrderTrace.Caller(trace)
  }

  /// Runs the block of the main queue that `caller` waits for.
  static func serving<Result>(_ caller: OrderTrace.Caller?, _ body: () throws -> Result) rethrows -> Result {
    guard let caller else { return try body() }
    return try trace(of: .current).inPlace(of: caller, body)
  }

  /// Runs a block of `queue` in the queue's turn.
  static func run(_ body: () -> Void, in queue: SerialQueue) {
    runAsTask {
      trace(of: .current).held.append(OrderTrace.Held(queue))
      body()
    }
  }

  /// Runs a block that any thread might run, as a task of its own.
  static func runAsTask(_ body: () -> Void) {
    guard isOn else { return body() }
    trace(of: .current).asNewTask(body)
  }

  private static func trace(of thread: ThreadRecord) -> OrderTrace {
    if let trace = thread.orders { return trace }
    let trace = OrderTrace(thread)
    thread.orders = trace
    return trace
  }

  private static func note(_ queue: SerialQueue, _ trace: OrderTrace, _ thread: ThreadRecord) {
    guard !trace.held.isEmpty else { return }
    entries.add(1, ordering: .relaxed)
    guard trace.isNew(queue.number) else { return }
    seen.withLock { for held in trace.held { $0.insert(StepPair(held.name, queue.name)) } }
    let rings = graph.withLock { graph in
      graph.enter(
        queue.number, holding: trace.held.map(\.number), task: trace.task,
        at: Place(
          outer: Dictionary(trace.held.map { ($0.number, $0.name) }) { first, _ in first }, inner: queue.name,
          thread: thread.stepName, backtrace: backtraces.load(ordering: .relaxed) ? ThreadRecord.backtrace : []))
    }
    for ring in rings { report(ring.map { ($0.edge.outer, $0.place) }) }
  }

  /// Forgets `queue`, which is gone.
  @inline(never)
  static func forget(_ queue: SerialQueue) { graph.withLock { $0.forget(queue.number) } }

  private static func report(_ ring: [(outer: UInt64, place: Place)]) {
    precondition(ring.count >= 2, "queues that are entered in a cycle are two at least")
    let cycle = Cycle(
      links: ring.map { outer, place in
        Cycle.Link(
          outer: place.outer[outer] ?? "queue \(outer)", inner: place.inner, thread: place.thread,
          backtrace: place.backtrace)
      })
    if let handler = handler.current {
      handler(cycle)
    } else {
      FileHandle.standardError.write(Data((cycle.description + "\n").utf8))
    }
  }
}
