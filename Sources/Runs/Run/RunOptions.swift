import Boundary
import Reporting
import Scenarios

/// The options of `contextbench run`.
package struct RunOptions: Sendable {
  /// Scenarios in order, read and found right.
  package var scenarios: [Scenario]
  /// Folder for the results; nil = `contextbench-results/` and the run's identifier.
  package var out: String?
  /// The part of the plan that runs; nil = all of it.
  package var shard: Shard?
  /// The run to resume; nil = a new one.
  package var resumed: ResumedRun?
  /// The baseline's executable, with cells beside those of this one; nil = none.
  package var base: String?
  /// Counts instructions, and then nothing is timed; nil = cells are timed.
  package var counter: InstructionCounter?
  /// Whether the order of each cell's steps is noted, and kept with its kept files.
  package var notesOrder = false
  /// Whether stores are kept.
  package var keepsStores = false
  /// Progress display of a run.
  package var progress = ProgressForm.bar
  /// Ends the run before its plan is through; nil = nothing does.
  package var stop: StopCondition?
  /// Receives the row of each cell when it has been written; nil = none.
  package var onCell: (@Sendable (CellRow) -> Void)?
  /// Receives the run so far and the name of a scenario that has ended while others are to follow; nil = none.
  package var onScenario: (@Sendable (RunReport, String) -> Void)?
  /// The executable that runs cells: this one.
  package var executable: String
  /// Arguments of this process, for the manifest.
  package var arguments: [String]
  /// The command that brings a violation back.
  package var replay = ReplayCommand()
  /// The strategies and workloads of this executable.
  package var vocabulary: ScenarioVocabulary
  /// Version of the executable, for the manifest.
  package var version: String
  /// Allocator of the executable, for the manifest.
  package var allocator: String

  /// Every executable that runs cells.
  package var executables: [String] { [executable] + (base.map { [$0] } ?? []) }

  /// Makes options.
  package init(
    scenarios: [Scenario], vocabulary: ScenarioVocabulary, executable: String, arguments: [String], version: String,
    allocator: String
  ) {
    self.scenarios = scenarios
    self.vocabulary = vocabulary
    self.executable = executable
    self.arguments = arguments
    self.version = version
    self.allocator = allocator
  }
}

/// The limits of a live run, on a machine that stays on.
package enum LiveLimit {
  /// Why a scenario cannot be run live; nil when it can.
  package static func problem(of scenario: Scenario) -> ScenarioProblem? {
    // The death of a process does not make the system forget its writes.
    guard InjectedFault.powerLoss.rate(scenario.settings) > 0 else { return nil }
    return ScenarioProblem(
      source: scenario.path, key: InjectedFault.powerLoss.rateKey, what: "needs a simulation",
      advice: "Use explore, or fault_death_rate for the death of a process")
  }
}
