import Dispatch
import Foundation
import Synchronization

/// A queue that runs one block at a time: the main queue, a private one, or the confinement to one thread.
///
/// A thread *holds* a queue while the queue is anywhere on its stack of ``sync(_:)`` calls and dequeued blocks; the
/// main thread always holds the main queue. `sync` on a held queue runs inline.
public final class SerialQueue: @unchecked Sendable {
  // Sendable: `line` is only touched under the graph's lock, `block` there or by the thread that has the turn;
  // everything else does not change or locks itself.

  private enum Kind: Equatable {
    case main
    case own
    case thread
  }

  private let kind: Kind
  /// The thread that the queue is confined to.
  private let confinement: (thread: ThreadRecord, generation: UInt64)?
  /// Visits of threads that run blocks of this queue, from when they are asked for until they are over.
  let visits = Countdown()
  /// The owner of the turn; of the main queue only when it is served off the main thread.
  let turn = Atomic<UInt>(OwnerWord.free)
  /// The threads that wait for the turn, first come, first served.
  var line = WaitQueue()
  /// The block that has the turn, until it has run.
  var block: (@Sendable () -> Void)?
  /// Number of the queue, never given again.
  let number: UInt64
  private let label: Locked<String>

  /// The main queue; in a simulation that of the calling task's process.
  public static var main: SerialQueue {
    @inline(__always) get { Simulation.isOn ? Simulation.mainQueue : processMain }
  }

  /// The main queue of another process of a simulation.
  static func simulatedMain() -> SerialQueue { SerialQueue(kind: .main, label: "main queue") }

  static let processMain = {
    dispatchMain.setSpecific(key: mainMark, value: ())
    return SerialQueue(kind: .main, label: "main queue")
  }()

  // Named, since the compiler takes closures passed to `DispatchQueue.main` itself for `@MainActor` ones.
  private static let dispatchMain = DispatchQueue.main

  /// Found in blocks of the main queue that did not come through here, such as `@MainActor` code off the main thread.
  private static let mainMark = DispatchSpecificKey<Void>()

  private static let count = Atomic<UInt64>(0)

  /// A private queue.
  public convenience init(label: String) {
    self.init(kind: .own, label: label)
  }

  private init(
    kind: Kind, label: String, confinement: (thread: ThreadRecord, generation: UInt64)? = nil
  ) {
    self.kind = kind
    self.confinement = confinement
    self.label = Locked(label)
    number = Self.count.add(1, ordering: .relaxed).newValue
  }

  deinit {
    if LockOrder.isOn { LockOrder.forget(self) }
  }

  /// Confinement to the calling thread: nothing can be enqueued; only this thread holds it.
  package static func confinedToCurrentThread(label: String) -> SerialQueue {
    let thread = ThreadRecord.current
    return SerialQueue(kind: .thread, label: label, confinement: (thread, thread.generation))
  }

  /// Name for messages.
  package var name: String { label.withLock { $0 } }

  /// Changes the name used in messages.
  package func rename(_ name: String) { label.withLock { $0 = name } }

  /// Whether blocks can be enqueued: false for a confinement.
  package var acceptsBlocks: Bool { kind != .thread }

  /// Names the queue as long as it lives, for ``ThreadRecord/isInside(_:)``.
  @inlinable @inline(__always)
  package var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  package var isMain: Bool { kind == .main }

  /// Whether the calling thread holds this queue.
  package var isHeld: Bool { isHeld(by: ThreadRecord.Reference.current) }

  @inline(__always)
  private func isHeld(by thread: ThreadRecord.Reference) -> Bool {
    if OwnerWord.owner(turn.load(ordering: .relaxed)) == thread.address { return true }
    return kind != .own && isHeldOtherwise(by: thread)
  }

  @inline(never)
  private func isHeldOtherwise(by thread: ThreadRecord.Reference) -> Bool {
    if let confinement {
      return thread.with { confinement.thread === $0 && confinement.generation == $0.generation }
    }
    // Off the main thread, a block of the main queue may be on the stack all the same: so it is on Linux in an `async`
    // main, after `dispatchMain()` and under test runners.
    return thread.with { $0.isMain } || DispatchQueue.getSpecific(key: Self.mainMark) != nil
  }

  /// Enqueues `block` and returns.
  ///
  /// - Precondition: the queue accepts blocks.
  public func async(_ block: @escaping @Sendable () -> Void) {
    switch kind {
    case .main:
      if let simulation = Simulation.current {
        precondition(self === Self.main, "a simulated process sends blocks to its own main queue")
        return simulation.sendToMain(block)
      }
      Self.dispatchMain.async { self.holdingMain(block) }
    case .own: enqueue(block)
    case .thread: preconditionFailure("\(name) is confined to a thread and cannot be sent blocks")
    }
  }

  /// Runs `block` in this queue's turn before it returns: inline when the calling thread holds the queue, on the main
  /// thread for the main queue, else on the calling thread.
  ///
  /// Without contention nothing is locked, and the wait-for graph is not asked.
  /// - Precondition: the queue accepts blocks, or the calling thread is the one it is confined to.
  public func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
    let thread = ThreadRecord.Reference.current
    if isHeld(by: thread) { return try block() }
    guard kind == .own else { return try syncOnMain(thread, block) }
    let outer = enter(thread)
    defer { leave(thread, to: outer) }
    return try block()
  }

  /// Runs `block` in this queue's turn if that can be had without waiting: where the calling thread holds the queue, or
  /// none does. Nil otherwise, and for the main queue off the main thread.
  package func syncIfFree<Result>(_ block: () throws -> Result) rethrows -> Result? {
    let thread = ThreadRecord.Reference.current
    if isHeld(by: thread) { return try block() }
    guard kind == .own, let outer = enterIfFree(thread) else { return nil }
    defer { leave(thread, to: outer.address) }
    return try block()
  }

  /// Waits until every block enqueued before has run, and has released its objects, and the queue.
  ///
  /// - Precondition: the calling thread does not hold the queue. The graph cannot follow this wait.
  package func drain() {
    precondition(!isHeld, "\(name) cannot be drained from one of its own blocks")
    sync {}
    // The thread that ran the last one keeps the queue a little longer than the turn.
    visits.wait(for: "the last block of \(name)")
  }

  // MARK: Main

  @inline(never)
  private func syncOnMain<Result>(
    _ reference: ThreadRecord.Reference, _ block: () throws -> Result
  ) rethrows -> Result {
    precondition(kind == .main, "\(name) is confined to another thread; this one cannot enter it")
    let caller = LockOrder.willSend(to: self, reference.record)
    if let simulation = Simulation.current {
      return try sync(on: simulation, caller, block, rethrowing: { throw $0 })
    }
    return try WaitForGraph.wait(for: self) { thread in
      try Self.dispatchMain.sync {
        // Ended by the serving thread: the main thread may wait for this thread next, before it has noticed.
        defer { WaitForGraph.endWait(thread) }
        return try holdingMain { try LockOrder.serving(caller, block) }
      }
    }
  }

  private func sync<Value>(
    on simulation: Simulation, _ caller: OrderTrace.Caller?, _ block: () throws -> Value,
    rethrowing fail: (any Error) throws -> Value
  ) rethrows -> Value {
    var result: Result<Value, any Error>?
    WaitForGraph.wait(for: self) { thread in
      withoutActuallyEscaping(block) { block in
        let isOver = Permit()
        simulation.sendToMain {
          do {
            result = .success(try LockOrder.serving(caller, block))
          } catch {
            result = .failure(error)
          }
          WaitForGraph.endWait(thread)
          isOver.give()
        }
        isOver.wait(for: name)
      }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return try fail(error)
    case nil: preconditionFailure("a block that is over has a result")
    }
  }

  /// Makes the calling thread the one that serves the main queue while `body` runs.
  func serveSimulation(_ body: () -> Void) { holdingMain(body) }

  private func holdingMain<Result>(_ block: () throws -> Result) rethrows -> Result {
    let thread = ThreadRecord.Reference.current
    if thread.with({ $0.isMain }) { return try block() }
    // Dispatch may let the thread that waits serve the queue itself.
    WaitForGraph.update { thread.with { $0.waitsFor = nil } }
    if LockOrder.isOn { LockOrder.willEnter(self, thread.record) }
    let outer = thread.with { $0.enter(self) }
    turn.store(thread.address, ordering: .releasing)
    defer {
      thread.with { $0.leave(self, to: outer) }
      turn.store(OwnerWord.free, ordering: .releasing)
    }
    return try block()
  }
}

extension SerialQueue: WaitTarget {
  var waitName: String { name }

  // A thread in line makes the owner take the graph's lock to leave, so that the owner is the same for a whole walk.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    let owner = OwnerWord.thread(turn.load(ordering: .acquiring)) ?? (isMain ? .main : nil)
    return owner.map { walk.isStuck($0) } ?? false
  }
}
