import Boundary
import Foundation
import Reporting
import Runs

/// The folder `schedules/` of a results folder.
package struct ScheduleFolder: Sendable {
  private let path: String

  /// Makes the folder where it is not there yet.
  package init(in results: String) throws(HarnessFailure) {
    path = results + "/schedules"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw HarnessFailure("\(path): the folder cannot be used: \(error)")
    }
  }

  /// Writes a schedule and gives its path; a number follows the name where there is one of that name.
  package func save(_ schedule: Schedule, named name: String) throws(HarnessFailure) -> String {
    precondition(!name.isEmpty, "a file has a name")
    func file(_ number: Int) -> String {
      "\(path)/\(name)\(number > 1 ? "-\(number)" : "").\(Schedule.fileExtension)"
    }
    var number = 1
    while FileManager.default.fileExists(atPath: file(number)) { number += 1 }
    let file = file(number)
    do {
      try Data(schedule.text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw HarnessFailure("\(ReportingError(writing: file, error))")
    }
    return file
  }
}
