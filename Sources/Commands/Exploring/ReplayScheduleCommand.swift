import ArgumentParser
import Boundary
import Exploring
import Foundation
import Reporting
import Runs
import Scenarios

/// `contextbench replay`: a saved schedule again.
struct ReplayScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Run a saved schedule again.",
    discussion: """
      Follows the schedule step by step, by the names of its steps, and judges what comes of it. Ends with 1 when the \
      violation happens again, with 2 when the program no longer does what the schedule says and the violation did \
      not happen, saying at which segment; with 0 when the schedule fits and the violation is gone.
      """)

  @Argument(help: "Schedules that explore or shrink saved.")
  var files: [String]

  @Flag(help: "Print only how each schedule ended.")
  var brief = false

  @Flag(help: "For tests: end with 0 when every schedule shows its violation again, with 1 otherwise.")
  var expectViolation = false

  @Option(
    help: ArgumentHelp("Write the steps as Chrome trace events, for Perfetto; of one schedule.", valueName: "file"))
  var trace: String?

  func validate() throws {
    if trace != nil, files.count != 1 { throw ValidationError("--trace is for one schedule.") }
  }

  func run() throws {
    let schedules = try files.map { ($0, try ScheduleFile.read($0)) }
    precondition(trace == nil || schedules.count == 1, "a trace is that of one schedule")
    BackgroundRun.runAndExit { [brief, expectViolation, trace] in
      let simulations = try Simulations(executable: Executable.path, interruption: try Interruption())
      defer { simulations.cleanUp() }
      var status = ExitStatus.passed
      for (file, schedule) in schedules {
        let report = ScheduleReport(simulations)
        let finding = brief ? try await report.run(schedule) : try await report.show(schedule)
        if let trace, let finding { try Self.write(finding, of: file, to: trace) }
        let ended = Self.judge(file, schedule, finding)
        status = status.combined(with: expectViolation ? Self.turned(ended) : ended)
      }
      return status
    } finish: {
      ScheduleFile.exitCode($0)
    }
  }

  /// How a replay counts where the violation is expected.
  private static func turned(_ status: ExitStatus) -> ExitStatus {
    switch status {
    case .violation: .passed
    case .passed, .inconclusive: .violation
    default: status
    }
  }

  private static func write(_ finding: SimulationFinding, of file: String, to trace: String) throws {
    var document = TraceDocument()
    ScheduleTrace.add(finding.steps, title: file, to: &document)
    do throws(ReportingError) {
      try OutputFile.write(document.json, to: trace)
    } catch {
      throw HarnessFailure("--trace: \(error)")
    }
  }

  private static func judge(_ file: String, _ schedule: Schedule, _ finding: SimulationFinding?) -> ExitStatus {
    guard let finding else {
      print("\(file): the process broke or was interrupted")
      return .harnessFailure
    }
    precondition(!schedule.kinds.isEmpty, "a schedule shows a kind")
    let hasHappened = Set(finding.kinds).isSuperset(of: schedule.kinds)
    for found in finding.violations where schedule.kinds.contains(found.violation.kind.rawValue) {
      print("\(found.violation.kind.rawValue): \(found.violation.subject): \(found.violation.seen)")
    }
    let divergence = finding.divergence.map { "segment \($0.segment + 1) does not fit: \($0.reason)" }
    let kinds = schedule.kinds.joined(separator: ", ")
    if hasHappened {
      print("\(file): \(kinds) happened again" + (divergence.map { ", though \($0)" } ?? ""))
      return .violation
    }
    if let divergence {
      print("\(file): \(divergence); \(kinds) did not happen")
      return .inconclusive
    }
    print("\(file): the schedule fits, and \(kinds) did not happen")
    return .passed
  }
}

/// Schedules on the command line.
enum ScheduleFile {
  /// Reads a schedule, and checks that its cell exists; exits with 64 otherwise.
  static func read(_ path: String) throws -> Schedule {
    do {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let schedule = try Schedule(text: text)
      _ = try ExploredScenario(schedule.cell, Executable.loader)
      return schedule
    } catch let problem as Schedule.Problem {
      StandardError.write("\(path):\(problem)")
    } catch let problems as ScenarioProblems {
      StandardError.write("\(path): its scenario cannot be run:\n\(problems)")
    } catch {
      StandardError.write(
        FileManager.default.fileExists(atPath: path)
          ? "\(path): cannot be read as UTF-8 text: give a file that explore or shrink wrote"
          : "\(path): no such file: explore prints the path of each schedule that it saves")
    }
    throw ExitStatus.usage.exitCode
  }

  static func exitCode(_ result: Result<ExitStatus, HarnessFailure>) -> Int32 {
    switch result {
    case .success(let status): return status.rawValue
    case .failure(let failure):
      StandardError.write(failure.description)
      return ExitStatus.harnessFailure.rawValue
    }
  }
}
