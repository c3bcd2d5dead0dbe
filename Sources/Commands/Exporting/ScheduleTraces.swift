import Boundary
import Foundation
import Reporting
import Runs

/// Saved schedules as one trace: each is run again for its steps.
enum ScheduleTraces {
  /// The schedules at a path: one, or those of an exploration; nil where it is neither.
  static func files(_ path: String) throws -> [String]? {
    if path.hasSuffix("." + Schedule.fileExtension) { return [path] }
    guard ExplorationMerge.isExploration(path) else { return nil }
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/schedules").sorted()
    return names.map { path + "/schedules/" + $0 }
  }

  /// Writes the trace and ends the process.
  static func export(_ files: [String], to target: String) throws {
    let schedules = try files.map { ($0, try ScheduleFile.read($0)) }
    BackgroundRun.runAndExit {
      let simulations = try Simulations(executable: Executable.path, interruption: try Interruption())
      defer { simulations.cleanUp() }
      var document = TraceDocument()
      for (file, schedule) in schedules {
        guard let finding = try await ScheduleReport(simulations).run(schedule) else {
          throw HarnessFailure("\(file): the process broke or was interrupted; replay tells more")
        }
        ScheduleTrace.add(finding.steps, title: file, to: &document)
      }
      try write(document.json, to: target)
      return .passed
    } finish: {
      ScheduleFile.exitCode($0)
    }
  }

  private static func write(_ text: String, to target: String) throws {
    if target == "-" {
      print(text, terminator: "")
      return
    }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: target), options: .atomic)
    } catch {
      throw HarnessFailure("\(target): cannot be written: \(ReportingError.reason(error))")
    }
  }
}
