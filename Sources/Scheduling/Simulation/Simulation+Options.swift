extension Simulation {
  /// How a simulation is run.
  package struct Options: Sendable {
    /// A simulation with more steps is given up.
    package var stepsMax = 1_000_000
    /// After so many steps tasks take turns, whatever the policy says: a task that polls would keep others from making the
    /// change it waits for.
    package var policyStepsMax = Int.max
    /// Whether tasks and steps have the names that schedules use; policies by name need them.
    package var namesSteps = false
    /// Whether every step is kept for readers, with its names.
    package var recordsTrace = false
    /// Whether pairs of steps that may be in conflict are collected.
    package var collectsPairs = false
    /// Whether calls of tasks are steps where the process has an interception.
    package var interceptsCalls = false
    /// The duration of one step by the simulation's clock.
    package var stepNanoseconds: UInt64 = 1_000

    package init() {}
  }
}
