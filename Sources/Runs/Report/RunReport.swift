import Measuring
import Reporting

/// The result of a run, for its table and its exit code.
package struct RunReport: Sendable {
  /// The results folder as it is shown.
  package var folder: String
  /// Cells that were planned.
  package var plannedCellCount: Int
  /// The command that brings a violation back.
  let replay: ReplayCommand
  /// Cells that ended, in their order.
  package private(set) var records: [CellRecord] = []
  /// Failures of the harness, besides cells.
  package private(set) var harnessFailures: [String] = []
  /// Warnings: the run does not fail for them.
  package private(set) var warnings: [String] = []
  /// The machine it ran on, and how quiet that was just before; nil where it was not measured.
  package var machine: Machine?
  package var noiseBefore: NoiseSummary?
  /// Scenarios with tables that were shown while others ran.
  private(set) var shownScenarios: Set<String> = []
  /// Whether Ctrl-C ended the run.
  package private(set) var isInterrupted = false

  /// A report without cells.
  init(folder: String, plannedCellCount: Int, replay: ReplayCommand) {
    precondition(!folder.isEmpty && plannedCellCount >= 0, "a run has a folder, and cells or none")
    self.folder = folder
    self.replay = replay
    self.plannedCellCount = plannedCellCount
  }

  /// Cells that are judged: of those that only ran to be compared with, only the ones that did not run.
  var judged: [CellRecord] { records.filter { $0.cell.arm != .base || $0.outcome.ending == .harnessFailed } }

  /// How the run ended: like the worst of its cells.
  package var ending: RunEnding {
    let worst = judged.map(\.outcome.ending).max() ?? .passed
    return harnessFailures.isEmpty ? worst : .harnessFailed
  }

  /// The run's outcome, with its comparison.
  package func outcome(_ comparison: ComparisonDocument?) -> RunOutcome {
    RunOutcome(
      ending, isInterrupted: isInterrupted, harnessFailures: harnessFailures, comparison: comparison)
  }

  mutating func add(_ record: CellRecord) {
    precondition(!isInterrupted, "nothing is added to a run that was interrupted")
    precondition(records.count < plannedCellCount, "a cell that ended was planned")
    records.append(record)
  }

  mutating func markShown(_ scenario: String) {
    precondition(!shownScenarios.contains(scenario), "a table is shown once")
    shownScenarios.insert(scenario)
  }

  mutating func addWarning(_ message: String) { warnings.append(message) }

  /// How quiet the machine was while the cells ran; nil without a cell.
  package var noiseDuring: NoiseSummary? {
    records.isEmpty
      ? nil
      : NoiseSummary(
        cells: records.map { ($0.row.noise, $0.row.processSeconds ?? 0) }, cores: machine?.cores ?? 1)
  }

  mutating func addHarnessFailure(_ message: String) {
    precondition(!message.isEmpty, "a failure says its reason")
    harnessFailures.append(message)
  }

  /// This report, ended by Ctrl-C.
  func interrupted() -> RunReport {
    precondition(!isInterrupted, "a run is interrupted once")
    var report = self
    report.isInterrupted = true
    return report
  }
}
