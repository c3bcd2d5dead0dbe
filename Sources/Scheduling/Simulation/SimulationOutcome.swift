/// How a simulation went.
package struct SimulationOutcome: Sendable {
  package enum Ending: Sendable, Equatable {
    /// Every task is over, or waits for nothing.
    case finished
    /// No task can continue: each of those that wait, with its reason.
    case deadlock([String])
    /// More steps than allowed.
    case stepLimit
    /// A task ended it by ``Simulation/abandon()``.
    case abandoned
    /// A task did no step for so long that it never will: its name.
    case stalled(String)
    /// A task made a call that cannot be simulated: its name.
    case notSimulated(String)
  }

  /// One step, as chosen.
  package struct Entry: Sendable, Equatable, CustomStringConvertible {
    package let task: Int
    package let name: String
    /// The task's name in schedules.
    package let key: String
    package let step: Step
    /// How many tasks could have gone on.
    package let choices: Int
    /// The next step of the task that ran until then, where it could have continued and was not chosen.
    package let preempted: Step?
    /// When the step was chosen, by the simulation's clock.
    package let clock: UInt64
    /// Whether the task was woken, and continues behind a step that it has had before.
    package let isResumption: Bool
    /// How many tasks were inside of a private queue.
    package let turnsHeld: Int

    package var description: String { "\(task) \(name): \(step.point) \(step.subject)" }
  }

  package let ending: Ending
  package let steps: Int
  /// How many steps had a choice of tasks.
  package let decisions: Int
  /// How many steps each task had, by its number.
  package let stepsByTask: [Int]
  /// Deadlocks that the wait-for graph found, in the order in which they closed.
  package let cycles: [WaitForGraph.Cycle]
  /// The waits of the main task, but for the blocks that it serves.
  package let mainWaits: [String]
  /// Every step; empty unless it was recorded.
  package let trace: [Entry]
  /// Names the order of the steps: equal for equal traces.
  package let fingerprint: UInt64
  /// The policy as it was at the end.
  package let policy: any SchedulePolicy
  /// An event of outside that a task may have waited for, and no simulation has.
  package let unseen: String?
  /// How many simulated processes were killed; their threads stay for ever.
  package let kills: Int
  /// Steps of different tasks on one resource, directly one after the other there; empty unless they were collected.
  package let pairs: Set<StepPair>
}

/// Two places by their names, in an order: steps of different tasks, the second directly after the first on one resource; or
/// queues, the second entered inside the first.
package struct StepPair: Sendable, Hashable {
  package let first: String
  package let second: String

  package init(_ first: String, _ second: String) {
    self.first = first
    self.second = second
  }

  /// The same two in the other order.
  package var reversed: StepPair { StepPair(second, first) }
}

/// Pairs of steps of different tasks that came directly one after the other on one resource.
struct PairCoverage {
  private(set) var pairs: Set<StepPair> = []
  /// By resource: the task that was there last, and its step.
  private var last: [UInt64: (task: Int, point: String)] = [:]

  mutating func add(_ step: Step, of task: Int) {
    guard step.resource > 0 else { return }
    if let before = last[step.resource], before.task != task { pairs.insert(StepPair(before.point, step.point)) }
    last[step.resource] = (task, step.point)
  }
}
