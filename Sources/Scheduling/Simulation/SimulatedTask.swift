import Foundation

/// One thread of control of a simulation: a block of a queue, a job of a pool, a thread with a mailbox.
package final class SimulatedTask: @unchecked Sendable {
  // Sendable: only the holder of the simulation's baton touches a task; the baton locks itself.

  enum State {
    case ready
    /// Waits until ``Simulation/wake(_:)`` names the object.
    case parked(on: ObjectIdentifier, reason: String)
    /// The same, and nothing is missing: a mailbox is empty.
    case idle(on: ObjectIdentifier)
    /// Until the clock is there.
    case sleeping(UInt64)
    case over
  }

  /// In the order in which tasks were made, from 0, the main task.
  package let number: Int
  /// The task's name in traces; not unique.
  package let name: String
  /// The same for schedules: with its number among the tasks of that name, from the second on; empty unless the
  /// simulation names its steps.
  let key: String
  unowned let simulation: Simulation
  let process: SimulatedProcess
  /// Whether it serves the main queue of its process.
  var isMain = false
  var state = State.ready
  /// Whether a timer made the task.
  var isOfTimer = false
  /// The step to be made when the task is next chosen.
  var step: Step
  /// Whether it was parked at its last step, and continues there.
  var isResuming = false
  /// The thread that it runs on; nil before it begins.
  var thread: ThreadRecord?
  /// The task's values, as a thread of its own would have them.
  var values: [UUID: AnyObject] = [:]
  /// The task's work; nil once it has begun.
  var work: SimulatedWork?
  /// Raised when the task is chosen, after the first time.
  let baton = Baton()

  init(
    number: Int, name: String, key: String, in simulation: Simulation, _ process: SimulatedProcess,
    _ work: SimulatedWork?
  ) {
    self.work = work
    self.process = process
    self.number = number
    self.name = name
    self.key = key
    self.simulation = simulation
    step = Step(point: "start", resource: 0, subject: name)
  }

  /// Whether it is inside of a private queue.
  var holdsTurn: Bool { thread?.innermost.map { $0 != process.queue.address } ?? false }

  var isOver: Bool {
    if case .over = state { true } else { false }
  }

  var isReady: Bool {
    if case .ready = state { true } else { false }
  }
}

/// The work of a task, done once. All that it holds is released while the task has the baton, and not beside the task that gets
/// it next: the effect of a deinitialiser is part of the order.
final class SimulatedWork: @unchecked Sendable {
  // Sendable: made by one task and run by another, and the baton orders them.
  private var body: (@Sendable () -> Void)?

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  @inline(never)
  func run() {
    guard let body = body.take() else { preconditionFailure("a task's work is done once") }
    body()
  }
}

/// The next step of a task.
package struct Step: Sendable, Equatable {
  /// The kind of place: `enter`, `enqueue`, `save.beforeCommit`.
  package let point: String
  /// The resource of the step: two steps of different resources can be exchanged; 0 where everything is concerned.
  package let resource: UInt64
  /// The same for readers; empty unless the simulation names its steps.
  package let subject: String

  package init(point: String, resource: UInt64 = 0, subject: String = "") {
    self.point = point
    self.resource = resource
    self.subject = subject
  }
}

/// Numbers of resources, in the order in which steps come to them, so that a repeated simulation has the same numbers.
struct SimulatedResources {
  private var known: [UInt64: UInt64] = [:]
  private var count: UInt64 = 0

  /// The number of a resource that the process knows by another one; 0 for none.
  mutating func number(of resource: UInt64) -> UInt64 {
    guard resource > 0 else { return 0 }
    if let known = known[resource] { return known }
    count += 1
    known[resource] = count
    return count
  }
}
