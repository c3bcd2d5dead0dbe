import Boundary
import Foundation
import Reporting
import Runs

/// The results folder of an exploration: `exploration.json`, `exploration.csv`, `pairs.csv` and `schedules/`.
package struct ExplorationFolder: Sendable {
  package let path: String
  /// The schedules that were found.
  package let schedules: ScheduleFolder
  private let owner: FolderOwner

  /// Makes the folder, and owns it.
  package init(_ path: String) throws(HarnessFailure) {
    self.path = path
    do {
      owner = try FolderOwner(ofNew: path, without: "exploration.json", of: "exploration")
      schedules = try ScheduleFolder(in: path)
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
  }

  /// Lets other processes write into it.
  package func release() { owner.release() }

  /// Writes the findings of all cells.
  package func write(_ document: ExplorationDocument) throws(HarnessFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(document).write(to: URL(fileURLWithPath: path + "/exploration.json"), options: .atomic)
    } catch {
      throw HarnessFailure("\(ReportingError(writing: path, error))")
    }
    try write(document.csv, to: path + "/exploration.csv")
    try write(document.pairsCSV, to: path + "/pairs.csv")
  }

  private func write(_ text: String, to file: String) throws(HarnessFailure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw HarnessFailure("\(ReportingError(writing: file, error))")
    }
  }
}
