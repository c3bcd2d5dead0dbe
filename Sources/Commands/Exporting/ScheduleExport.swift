import Boundary
import Exploring
import Foundation
import Reporting
import Runs

/// Saved schedules in other forms: each is run again for its steps.
enum ScheduleExport {
  /// The schedules at a path: one, or those of an exploration; nil where it is neither.
  static func files(_ path: String) throws -> [String]? {
    if path.hasSuffix("." + Schedule.fileExtension) { return [path] }
    guard ExplorationMerge.isExploration(path) else { return nil }
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/schedules").sorted()
    return names.map { path + "/schedules/" + $0 }
  }

  /// Writes them as one trace and ends the process.
  static func exportTrace(_ files: [String], to target: String) throws {
    try export(files, to: target) { schedules, report in
      var document = TraceDocument()
      for (file, schedule) in schedules {
        guard let finding = try await report.run(schedule) else { throw broken(file) }
        ScheduleTrace.add(finding.steps, title: file, to: &document)
      }
      return document.json
    }
  }

  /// Writes a document about them and ends the process.
  ///
  /// - Parameter path: the named file: a schedule, or the folder of an exploration.
  static func exportDocument(
    _ path: String, _ files: [String], to target: String, prints line: String? = nil,
    as text: @escaping @Sendable (SchedulesDocument) -> String
  ) throws {
    try export(files, to: target, prints: line) { schedules, report in
      var entries: [SchedulesDocument.Entry] = []
      for (file, schedule) in schedules {
        guard let shown = try await report.look(at: schedule) else { throw broken(file) }
        entries.append(entry(file, schedule, shown))
      }
      let name = URL(fileURLWithPath: path).lastPathComponent
      guard let exploration = ExplorationDocument(in: path) else {
        return text(SchedulesDocument(title: name, cells: [], entries: entries))
      }
      return text(SchedulesDocument(title: "Exploration \(name)", cells: exploration.rows, entries: entries))
    }
  }

  private static func entry(
    _ file: String, _ schedule: Schedule, _ shown: ScheduleReport.Shown
  ) -> SchedulesDocument.Entry {
    let cell = schedule.cell
    let isAgain = Set(shown.finding.kinds).isSuperset(of: schedule.kinds)
    let violations = shown.finding.violations.map(\.violation).filter { schedule.kinds.contains($0.kind.rawValue) }
    let seen = violations.map { "\($0.kind.rawValue): \($0.subject): \($0.seen)" }
    return SchedulesDocument.Entry(
      title: "\(schedule.kinds.joined(separator: ", ")): \(cell.scenario), \(cell.strategy)",
      seen: isAgain ? seen : ["\(schedule.kinds.joined(separator: ", ")) does not happen any more"],
      facts: [("settings", cell.assignments.joined(separator: ", ")), ("found by", schedule.policy)]
        + [("revision", schedule.revision ?? "")].filter { !$0.1.isEmpty }
        + [("preemptions", String(schedule.preemptions))],
      command: ShellWord.line([Program.current.name, "replay", file]),
      interleaving: shown.table?.document, note: shown.note)
  }

  private static func broken(_ file: String) -> HarnessFailure {
    HarnessFailure("\(file): the process broke or was interrupted; replay tells more")
  }

  private static func export(
    _ files: [String], to target: String, prints line: String? = nil,
    _ text: @escaping @Sendable ([(file: String, schedule: Schedule)], ScheduleReport) async throws -> String
  ) throws {
    let schedules = try files.map { (file: $0, schedule: try ScheduleFile.read($0)) }
    BackgroundRun.runAndExit {
      let simulations = try Simulations(executable: Executable.path, interruption: try Interruption())
      defer { simulations.cleanUp() }
      try write(try await text(schedules, ScheduleReport(simulations)), to: target)
      if let line { print(line) }
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
    do throws(ReportingError) {
      try OutputFile.write(text, to: target)
    } catch {
      throw HarnessFailure("\(error)")
    }
  }
}
