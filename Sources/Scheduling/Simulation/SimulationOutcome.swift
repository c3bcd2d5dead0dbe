/// How a simulation went.
package struct SimulationOutcome: Sendable {
  package enum Ending: Sendable, Equatable {
    /// Every task is over, or waits for nothing.
    case finished
    /// No task can continue: which ones wait, and for what.
    case deadlock([String])
    /// More steps than allowed.
    case stepLimit
  }

  /// One step, as chosen.
  package struct Entry: Sendable, Equatable, CustomStringConvertible {
    package let task: Int
    package let name: String
    package let step: Step
    /// How many tasks could have gone on.
    package let choices: Int

    package var description: String { "\(task) \(name): \(step.point) \(step.subject)" }
  }

  package let ending: Ending
  package let steps: Int
  /// The task of every step at which there was a choice.
  package let decisions: [Int]
  /// Deadlocks that the wait-for graph found, in the order in which they closed.
  package let cycles: [WaitForGraph.Cycle]
  /// Every step; empty unless it was recorded.
  package let trace: [Entry]
  /// Names the order of the steps: equal for equal traces.
  package let fingerprint: UInt64
  /// The policy as it was at the end.
  package let policy: any SchedulePolicy
}
