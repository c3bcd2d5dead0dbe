import ArgumentParser
import Boundary
import Exploring
import Foundation
import Measuring
import Reporting
import Runs

/// `contextbench shrink`: a saved schedule, or a script of `anything`, becomes a smaller one that shows the same.
struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink", abstract: "Make a saved schedule, or a script of steps, smaller.",
    discussion: """
      Of a schedule it tries fewer clients, operations and rows, then fewer preemptions and segments, as long as the \
      same kinds of violations happen. Writes the smaller schedule and prints its interleaving. Of a script that \
      anything left (histories/CELL/script-N.txt) it tries fewer steps and edits; writes and prints what is needed. \
      Ends with 2 when the file does not show its violation any more.
      """)

  @Argument(help: "A schedule that explore saved, or a script that a run of anything left.")
  var file: String

  @Option(help: ArgumentHelp("Wall time: 30s, 5m.", valueName: "time"))
  var timeBudget = "60s"

  @Option(help: ArgumentHelp("File for the smaller one; without it beside the given one.", valueName: "file"))
  var out: String?

  func validate() throws {
    if TimeSpan.seconds(timeBudget) == nil {
      throw ValidationError("--time-budget: \(timeBudget) is no time. Write 90s, 5m or 2h.")
    }
  }

  func run() throws {
    let seconds = TimeSpan.valid(timeBudget)
    let url = URL(fileURLWithPath: file)
    let target = out ?? "\(url.deletingPathExtension().path)-small.\(url.pathExtension)"
    if let script = OperationScript(path: file) { shrink(script, seconds: seconds, target) }
    let schedule = try ScheduleFile.read(file)
    BackgroundRun.runAndExit { [file] in
      let simulations = try Simulations(executable: Executable.path, interruption: try Interruption())
      defer { simulations.cleanUp() }
      let report = ScheduleReport(simulations)
      guard let finding = try await report.run(schedule), Set(finding.kinds).isSuperset(of: schedule.kinds) else {
        print("\(file): \(schedule.kinds.joined(separator: ", ")) did not happen; there is nothing to make smaller")
        return .inconclusive
      }
      let small = try await Shrinker(simulations, Executable.loader, seconds: seconds).shrink(schedule)
      do throws(ReportingError) {
        try OutputFile.write(small.text, to: target)
      } catch {
        throw HarnessFailure("--out: \(error)")
      }
      precondition(small.kinds == schedule.kinds, "a smaller schedule shows the same kinds")
      try await report.show(small)
      print(
        "\(schedule.preemptions) preemptions in \(schedule.segments.count) segments, now \(small.preemptions) in "
          + "\(small.segments.count); \(small.cell.assignments.joined(separator: ", "))")
      print(target)
      return .passed
    } finish: {
      ScheduleFile.exitCode($0)
    }
  }

  private func shrink(_ script: OperationScript, seconds: Double, _ target: String) -> Never {
    BackgroundRun.runAndExit { [file] in
      let (interruption, end) = (try Interruption(), MonotonicClock.now() + UInt64(seconds * 1e9))
      let runner = try ScriptRunner(executable: Executable.path)
      defer { runner.cleanUp() }
      guard try runner.shows(script) else {
        print("\(file): \(script.kind) did not happen; there is nothing to make smaller")
        return ExitStatus.inconclusive
      }
      let shrinker = ScriptShrinker(
        until: { interruption.isRequested || MonotonicClock.now() >= end }, shows: runner.shows)
      let small = try shrinker.shrink(script)
      try small.write(to: target)
      print(small.text, terminator: "")
      print("\(script.steps.count) steps, now \(small.steps.count)")
      print(target)
      return .passed
    } finish: {
      ScheduleFile.exitCode($0)
    }
  }
}
