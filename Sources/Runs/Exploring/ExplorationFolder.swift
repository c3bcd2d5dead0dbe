import Boundary
import Foundation
import Reporting

/// The results folder of an exploration: `exploration.json`, `exploration.csv`, `pairs.csv` and `schedules/`.
package struct ExplorationFolder: Sendable {
  package let path: String

  /// Makes the folder.
  package init(_ path: String) throws(HarnessFailure) {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path + "/schedules", withIntermediateDirectories: true)
    } catch {
      throw HarnessFailure("--out: \(path): the folder cannot be used: \(error)")
    }
    guard !FileManager.default.fileExists(atPath: path + "/exploration.json") else {
      throw HarnessFailure("--out: \(path): holds the results of another exploration. Choose another folder.")
    }
  }

  /// Writes a schedule and gives its path; a number follows the name where there is one of that name.
  package func save(_ schedule: Schedule, named name: String) throws(HarnessFailure) -> String {
    func file(_ number: Int) -> String {
      path + "/schedules/\(name)\(number > 1 ? "-\(number)" : "").\(Schedule.fileExtension)"
    }
    var number = 1
    while FileManager.default.fileExists(atPath: file(number)) { number += 1 }
    let file = file(number)
    try write(schedule.text, to: file)
    return file
  }

  /// Writes what was found of all cells.
  package func write(_ document: ExplorationDocument) throws(HarnessFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(document).write(to: URL(fileURLWithPath: path + "/exploration.json"), options: .atomic)
    } catch {
      throw HarnessFailure("\(path): cannot be written: \(error)")
    }
    try write(document.csv, to: path + "/exploration.csv")
    try write(document.pairsCSV, to: path + "/pairs.csv")
  }

  private func write(_ text: String, to file: String) throws(HarnessFailure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw HarnessFailure("\(file): cannot be written: \(error)")
    }
  }
}
