import ArgumentParser
import Boundary
import Foundation
import Measuring
import Reporting
import Runs
import Scenarios

/// `contextbench calibrate`: compares unchanged and slowed executables, to see whether comparisons can be trusted here.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measure how far comparisons can be trusted on this machine.",
    discussion: """
      Runs A/A pairs of runs, and pairs of which one is slowed down by a share of its whole cost. Each pair is compared as \
      run --against does, and its base with the four before it as compare does. Passes when at most 1 % of the A/A \
      comparisons that could show a difference do, at most 1 A/A pair of 40 raises an alarm (of comparisons between runs \
      1 of 20), and 90 % of the slowdowns raise one side by side. Writes calibration.csv; the last line printed is the \
      folder.

      With --gate it tries the gate instead: so many unchanged gates (--same), and of so many scenarios (--slowed) a \
      cell that takes the first of --percent more instructions. Passes when every unchanged gate ends with 0, and 19 of \
      20 slowdowns are found, with the function that they are in. Writes gate.csv.
      """)

  @Argument(
    help: "Scenario file, or name of a shipped scenario; it needs a floor.",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var file = "import"

  @Option(help: "A/A pairs.")
  var same = 40

  @Option(help: "Pairs for each slowdown.")
  var slowed = 20

  @Option(
    help: ArgumentHelp(
      "The slowdowns, in percent of the whole cost of a cell. Every commit takes longer for each row that it wrote.",
      valueName: "a,b"))
  var percent = "5,10"

  @Flag(help: "Count instructions instead of time, as run --instructions does.")
  var instructions = false

  @Flag(help: "Try the gate on the shipped scenarios.")
  var gate = false

  @Option(
    help: ArgumentHelp(
      "What the baselines run by: the same source, built again, so that its code lies elsewhere.",
      valueName: "executable"))
  var rebuilt: String?

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
    if shares == nil { throw ValidationError("--percent has numbers above 0, to 100, separated by commas.") }
    if !(2...1_000).contains(repetitions) { throw ValidationError("--repetitions is from 2 to 1000.") }
    if !allowDebug, !BuildConfiguration.current.isComparable {
      throw ValidationError(
        "Timings of a debug or sanitized build mean nothing. Build with -c release, or add --allow-debug.")
    }
  }

  func run() throws {
    if gate { return try tryGate() }
    let options = try makeOptions()
    try CellsCommand.runAndExit { interruption in
      try await CalibrationRunner(options, interruption: interruption).run()
    } show: { report in
      print(report.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth), terminator: "")
      return ExitStatus(report.ending, isInterrupted: report.isInterrupted)
    }
  }

  private func tryGate() throws {
    var options = CellsCommand.options(out: out)
    options.base = rebuilt.map { URL(fileURLWithPath: $0).path }
    let counter = try GateCommand.counter(options.executables)
    let scenarios: [Scenario]
    do throws(ScenarioProblems) {
      scenarios = try GateList(GateFolder.shipped()).scenarios(Executable.loader)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    let (same, slowed, share, run) = (same, slowed, validShares[0], options)
    try CellsCommand.runAndExit { interruption in
      defer { counter?.removeCopies() }
      return try await GateCalibration(scenarios, run, counter: counter, interruption: interruption)
        .run(same: same, slowed: slowed, share: share)
    } show: { result in
      guard let result else { return .interrupted }
      print(result.text, terminator: "")
      return result.status
    }
  }

  /// The slowdowns as shares, once ``validate()`` has looked at them.
  private var validShares: [Double] {
    guard let shares, !shares.isEmpty else { preconditionFailure("--percent was looked at when it was given") }
    return shares
  }

  /// The same; nil when one is no number, or impossible.
  private var shares: [Double]? {
    let numbers = percent.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let shares = numbers.compactMap { $0 }.filter { $0 > 0 && $0 <= 100 }.map { $0 / 100 }
    return shares.count == numbers.count && Set(shares).count == shares.count ? shares : nil
  }

  private func makeOptions() throws -> CalibrationOptions {
    let overrides = strategy.map { [ScenarioOverride(source: "--strategy", key: "strategies", value: $0)] } ?? []
    var scenarios: [Scenario]
    var problems: [ScenarioProblem] = []
    do throws(ScenarioProblems) {
      scenarios = try Executable.loader.load([file], overrides: overrides, quick: !full)
      problems += scenarios.compactMap(LiveLimit.problem)
      precondition(scenarios.count == 1, "one file is one scenario")
      if let rebuilt, var problem = BesideExecutable(path: rebuilt).problem(allowsDebug: allowDebug) {
        problem.source = "--rebuilt"
        problems.append(problem)
      }
      if instructions {
        scenarios = CountedScenario.scenarios(scenarios, &problems)
        if let missing = InstructionCounter.missingTool() {
          problems.append(
            ScenarioProblem(source: "--instructions", what: missing, advice: "Install it, or leave the option out"))
        }
      } else if !scenarios[0].settings[Keys.floor] {
        problems.append(
          ScenarioProblem(
            source: file, what: "has no floor, without which runs cannot be compared",
            advice: "Choose a scenario with floor: true, or add --instructions"))
      }
      if !problems.isEmpty { throw ScenarioProblems(problems) }
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    var run = CellsCommand.options(out: out)
    run.base = rebuilt
    return CalibrationOptions(
      run: run, scenario: scenarios[0], samePairs: same, slowedPairs: slowed, shares: validShares,
      repetitions: repetitions, countsInstructions: instructions)
  }
}
