import ArgumentParser
import Foundation
import Measuring
import Reporting
import Runs
import Scenarios

/// `contextbench calibrate`: compares what is the same and what is not, to see whether comparisons can be trusted here.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measure how far comparisons can be trusted on this machine.",
    discussion: """
      Runs A/A pairs, and pairs of which one is slowed down on purpose: in saves of contexts, in statements of SQLite, or \
      in merges into main, each by a share of its own time. Each pair is compared as run --against does, and its base \
      with the four before it as compare does. Passes when at most 1 % of the A/A comparisons that could show a difference \
      do, at most 1 A/A pair of 40 raises an alarm (of comparisons between runs 1 of 20), and 90 % of the slowdowns are \
      found side by side, in any measure. Writes calibration.csv; the last line printed is the folder.
      """)

  @Argument(
    help: "Scenario file, or name of a shipped scenario; it needs a floor.",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var file = "import"

  @Option(help: "A/A pairs.")
  var same = 40

  @Option(help: "Pairs for each of the three slowdowns.")
  var slowed = 20

  @Option(help: "How much longer the slowed part takes, in percent of its own time.")
  var percent = 15.0

  @Option(help: "Cells of each strategy on either side of a pair.")
  var repetitions = 10

  @Option(help: ArgumentHelp("Run only these strategies, separated by commas.", valueName: "a,b"))
  var strategy: String?

  @Flag(help: "Use the scenario's own sizes; without it, those of its quick section.")
  var full = false

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  @Flag(help: "Run although this is a debug or sanitized build, whose timings mean nothing.")
  var allowDebug = false

  func validate() throws {
    if !(0...10_000).contains(same) { throw ValidationError("--same is from 0 to 10000.") }
    if !(0...10_000).contains(slowed) { throw ValidationError("--slowed is from 0 to 10000.") }
    if same + slowed == 0 { throw ValidationError("There is nothing to compare: --same and --slowed are both 0.") }
    if !(percent > 0 && percent <= 1_000) { throw ValidationError("--percent is above 0, to 1000.") }
    if !(2...1_000).contains(repetitions) { throw ValidationError("--repetitions is from 2 to 1000.") }
    if !allowDebug, !BuildConfiguration.current.isComparable {
      throw ValidationError(
        "Timings of a debug or sanitized build mean nothing. Build with -c release, or add --allow-debug.")
    }
  }

  func run() throws {
    let options = try makeOptions()
    try CellsCommand.runAndExit { interruption in
      try await CalibrationRunner(options, interruption: interruption).run()
    } show: { report in
      print(report.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth), terminator: "")
      return ExitStatus(report.ending, isInterrupted: report.isInterrupted)
    }
  }

  private func makeOptions() throws -> CalibrationOptions {
    let overrides = strategy.map { [ScenarioOverride(source: "--strategy", key: "strategies", value: $0)] } ?? []
    let scenario: Scenario
    do throws(ScenarioProblems) {
      scenario = try Executable.loader.load([file], overrides: overrides, quick: !full)[0]
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    guard scenario.settings[Keys.floor] else {
      StandardError.write("\(file): has no floor, without which nothing can be compared. Choose one with floor: true")
      throw ExitStatus.usage.exitCode
    }
    return CalibrationOptions(
      run: CellsCommand.options(out: out), scenario: scenario, samePairs: same, slowedPairs: slowed,
      share: percent / 100,
      repetitions: repetitions)
  }
}
