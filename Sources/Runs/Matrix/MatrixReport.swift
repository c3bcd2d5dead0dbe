import Reporting

/// A matrix, and how the run that it is made of ended.
package struct MatrixReport: Sendable {
  /// The results folder as it is shown.
  package let folder: String
  package private(set) var matrix: Matrix
  /// What the harness failed at.
  package private(set) var harnessFailures: [String] = []
  /// Whether Ctrl-C ended it.
  package private(set) var isInterrupted = false

  init(folder: String, matrix: Matrix) {
    self.folder = folder
    self.matrix = matrix
  }

  /// Adds the cells of one run; `replay` is the command that brings their violations back.
  mutating func add(_ report: RunReport, replay: ReplayCommand) {
    for record in report.records {
      matrix.add(record, replay: replay.text(for: record.cell))
      if record.outcome.ending == .harnessFailed {
        let key = record.row.key
        harnessFailures += record.outcome.reasons.map { "\(key.scenario), \(key.strategy), \(key.mergePolicy): \($0)" }
      }
    }
    harnessFailures += report.harnessFailures
    if report.isInterrupted { isInterrupted = true }
  }

  /// How it ended: what strategies show is what was asked for, and no failure.
  package var ending: RunEnding { harnessFailures.isEmpty ? .passed : .harnessFailed }
}
