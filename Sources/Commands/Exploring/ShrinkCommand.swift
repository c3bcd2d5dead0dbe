import ArgumentParser
import Boundary
import Exploring
import Foundation
import Reporting
import Runs

/// `contextbench shrink`: a saved schedule becomes a smaller one that shows the same.
struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink", abstract: "Make a saved schedule smaller.",
    discussion: """
      Tries fewer clients, operations and rows, then fewer preemptions and segments, as long as the same kinds of \
      violations happen. Writes the smaller schedule and prints its interleaving. Ends with 2 when the schedule does \
      not show its violation any more.
      """)

  @Argument(help: "A schedule that explore saved.")
  var file: String

  @Option(help: ArgumentHelp("Wall time: 30s, 5m.", valueName: "time"))
  var timeBudget = "60s"

  @Option(help: ArgumentHelp("File for the smaller schedule; without it beside the given one.", valueName: "file"))
  var out: String?

  func validate() throws {
    if TimeSpan.seconds(timeBudget) == nil {
      throw ValidationError("--time-budget: \(timeBudget) is no time. Write 90s, 5m or 2h.")
    }
  }

  func run() throws {
    let schedule = try ScheduleFile.read(file)
    let seconds = TimeSpan.seconds(timeBudget) ?? 60
    let name = URL(fileURLWithPath: file).deletingPathExtension().path + "-small." + Schedule.fileExtension
    let target = out ?? name
    BackgroundRun.runAndExit { [file] in
      let simulations = try Simulations(executable: Executable.path, interruption: try Interruption())
      defer { simulations.cleanUp() }
      let report = ScheduleReport(simulations)
      guard let finding = try await report.run(schedule), Set(finding.kinds).isSuperset(of: schedule.kinds) else {
        print("\(file): \(schedule.kinds.joined(separator: ", ")) did not happen; there is nothing to make smaller")
        return .inconclusive
      }
      let small = try await Shrinker(simulations, Executable.loader, seconds: seconds).shrink(schedule)
      do {
        try Data(small.text.utf8).write(to: URL(fileURLWithPath: target), options: .atomic)
      } catch {
        throw HarnessFailure("--out: \(target): cannot be written: \(error.localizedDescription)")
      }
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
}
