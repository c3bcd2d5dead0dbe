import CoreFoundation
import Foundation

/// A thread of its own that runs blocks sent to it, one after the other, in its run loop.
///
/// It ends once this object is released and the blocks sent before have run.
public final class RunLoopThread: @unchecked Sendable {
  // Sendable: the run loop locks itself; everything else does not change.
  private let label: String
  private let engine: Engine

  /// Runs the blocks.
  private enum Engine {
    case live(Started)
    case simulated(SimulatedMailbox)
  }

  /// Starts the thread; `label` names it in reports.
  public init(label: String) {
    self.label = label
    engine = Simulation.current.map { .simulated(SimulatedMailbox(label, in: $0)) } ?? .live(Self.start(label))
  }

  private static func start(_ label: String) -> Started {
    let started = Locked<Started?>(nil)
    let task = LiveOrder.isOn ? LiveOrder.task(label) : nil
    let hasStarted = DispatchSemaphore(value: 0)
    NamedThread.start(label) {
      let isOver = Locked(false)
      let record = ThreadRecord.current
      record.noted = task
      Simulation.pass("start", 0, label)
      started.withLock {
        $0 = Started(runLoop: CFRunLoopGetCurrent(), record: record, generation: record.generation, isOver: isOver)
      }
      // A run loop with nothing to wait for does not wait.
      RunLoop.current.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
      hasStarted.signal()
      while !isOver.withLock({ $0 }) { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }
    hasStarted.wait()
    guard let started = started.withLock({ $0 }) else { preconditionFailure("a thread that runs has started") }
    return started
  }

  /// A thread that has started, as it reports itself.
  private struct Started: @unchecked Sendable {
    // Sendable: a run loop may be sent blocks and woken by any thread.
    let runLoop: CFRunLoop
    let record: ThreadRecord
    let generation: UInt64
    let isOver: Locked<Bool>
  }

  deinit {
    switch engine {
    case .simulated(let mailbox): mailbox.close()
    case .live(let thread):
      let isOver = thread.isOver
      Self.send(
        {
          isOver.withLock { $0 = true }
          // A block alone does not end the run loop's wait.
          CFRunLoopStop(CFRunLoopGetCurrent())
        }, to: thread.runLoop)
    }
  }

  /// Whether the calling thread is this one.
  public var isCurrent: Bool {
    switch engine {
    case .simulated(let mailbox): mailbox.isCurrent
    case .live(let thread): ThreadRecord.current === thread.record && thread.record.generation == thread.generation
    }
  }

  /// Sends a block and returns.
  public func async(_ block: @escaping @Sendable () -> Void) {
    Simulation.pass("send", 0, label)
    switch engine {
    case .simulated(let mailbox): mailbox.send(block)
    case .live(let thread): Self.send(Simulation.isOn ? noting(block) : block, to: thread.runLoop)
    }
  }

  /// The block, which says that it begins where the order of a live process is noted.
  private func noting(_ block: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    {
      [label] in
      Simulation.pass("thread-block", 0, label)
      block()
    }
  }

  /// The thread's record in the wait-for graph.
  private var record: ThreadRecord {
    switch engine {
    case .simulated(let mailbox): mailbox.record
    case .live(let thread): thread.record
    }
  }

  /// Runs `body` on the thread and returns when it has ended, with its value or error; inline on the thread itself.
  ///
  /// - Parameter label: names the block in reports.
  public func run<Value>(_ label: String, _ body: () throws -> Value) throws -> Value {
    isCurrent ? try body() : try BlockingHop.run("\(label) on \(self.label)", on: self, body: body)
  }

  private static func send(_ block: @escaping @Sendable () -> Void, to runLoop: CFRunLoop) {
    CFRunLoopPerformBlock(runLoop, kCFRunLoopDefaultMode, block)
    CFRunLoopWakeUp(runLoop)
  }
}

extension RunLoopThread: Executor {
  var waitName: String { "thread \"\(label)\"" }

  var isOneThread: Bool { true }

  func execute(_ label: String, _ block: @escaping @Sendable () -> Void) { async(block) }

  /// A block sent can never start when the thread is stuck.
  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool { walk.isStuck(record) }
}
