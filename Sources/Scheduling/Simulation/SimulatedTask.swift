import Dispatch

/// One thread of control of a simulation: a block of a queue, a job of a pool, a thread with a mailbox.
package final class SimulatedTask: @unchecked Sendable {
  // Sendable: only who has the baton of the simulation touches a task; the semaphore locks itself.

  enum State {
    case ready
    /// Waits until ``Simulation/wake(_:)`` names the object.
    case parked(on: ObjectIdentifier, reason: String)
    /// The same, and nothing is missing: a mailbox is empty.
    case idle(on: ObjectIdentifier)
    case over
  }

  /// In the order in which tasks were made, from 0, the main task.
  package let number: Int
  /// What the task is, for traces; not unique.
  package let name: String
  unowned let simulation: Simulation
  var state = State.ready
  /// What the task does when it is next chosen.
  var step: Step
  /// Raised when the task is chosen.
  let baton = DispatchSemaphore(value: 0)

  init(number: Int, name: String, in simulation: Simulation) {
    self.number = number
    self.name = name
    self.simulation = simulation
    step = Step(point: "start", resource: 0, subject: name)
  }

  var isReady: Bool {
    if case .ready = state { true } else { false }
  }
}

/// What a task is about to do.
package struct Step: Sendable, Equatable {
  /// The kind of place: `enter`, `enqueue`, `save.beforeCommit`.
  package let point: String
  /// Names what it is done to: two steps of different resources can be exchanged; 0 where everything is concerned.
  package let resource: UInt64
  /// The same for readers; empty unless the simulation records its trace.
  package let subject: String
}
