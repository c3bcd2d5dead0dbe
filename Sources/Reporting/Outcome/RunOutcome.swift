import Checking
import Foundation

/// How a run ended, and its comparison with a baseline; `outcome.json` of the results folder.
///
/// Written when a run has come to its end, or was ended by Ctrl-C: a folder without one belongs to a run that was killed,
/// or was written by an earlier version.
package struct RunOutcome: RunDocument, Sendable, Hashable {
  package static let fileName = "outcome.json"

  /// Version of the CSV columns and of this file.
  package var schemaVersion = CellKey.schemaVersion
  /// The exit code of the process.
  package private(set) var exitCode: ExitStatus
  /// ``ExitStatus/meaning`` of the code, for readers of the file.
  package private(set) var meaning: String
  /// Whether Ctrl-C ended the run.
  package var isInterrupted: Bool
  /// Failures of the harness, besides cells; each a sentence.
  package private(set) var harnessFailures: [String]
  /// The comparison with a baseline; nil without `--baseline` and `--against`.
  package var comparison: ComparisonDocument?

  /// The run's outcome, from the outcomes of its cells.
  package init(
    _ ending: RunEnding, isInterrupted: Bool = false, harnessFailures: [String] = [],
    comparison: ComparisonDocument? = nil
  ) {
    exitCode = ExitStatus(ending, isInterrupted: isInterrupted).combined(with: comparison?.status ?? .passed)
    precondition(harnessFailures.isEmpty || exitCode != .passed, "a run in which the harness failed has not passed")
    meaning = exitCode.meaning
    self.isInterrupted = isInterrupted
    self.harnessFailures = harnessFailures
    self.comparison = comparison
  }

  /// Adds a failure of the harness after the run.
  package mutating func addHarnessFailure(_ sentence: String) {
    harnessFailures.append(sentence)
    exitCode = exitCode.combined(with: .harnessFailure)
    meaning = exitCode.meaning
  }

  /// Why the run ended with its code where no cell says so, each a sentence; empty when the cells say all.
  package var reasons: [String] {
    var reasons = harnessFailures
    if isInterrupted { reasons.append("the run was interrupted: \(ExitStatus.interrupted.meaning)") }
    if let problem = comparison?.problem { reasons.append(problem) }
    return reasons
  }
}

extension RunOutcome {
  /// The outcome that a results folder has; nil when it has none.
  ///
  /// - Throws: `ReportingError` when it is damaged, or of another version.
  package init?(ofRun folder: String) throws(ReportingError) {
    guard FileManager.default.fileExists(atPath: folder + "/" + Self.fileName) else { return nil }
    try self.init(readingFrom: folder)
  }
}
