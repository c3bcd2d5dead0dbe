import ArgumentParser
import Boundary
import Exploring
import Foundation
import Reporting
import Runs
import Scenarios
import Scheduling

/// `contextbench explore`: searches the interleavings of scenarios for violations.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore", abstract: "Search the interleavings of a scenario for violations.",
    discussion: """
      Runs each strategy's cell in a simulation, thousands of times, each time in another order of its steps: queues, \
      main, merges, timers and SQLite's waits are under control, and the same seed gives the same order. Every \
      schedule is judged by the scenario's checks. Sizes are small unless --set says otherwise; where nothing is found, \
      the cell is run once in its quick size. What is found is saved as a schedule, made smaller, shown as a table, and \
      comes back every time with replay. The last line printed is the results folder.
      Ends with 0 when nothing was found that the scenario does not expect, and all that it asks for was; with 1 \
      otherwise; with 2 when a check was exercised by no schedule, with 6 when a cell gave up and no check saw why.
      """)

  @Argument(
    help: "Scenario files, or names of shipped scenarios.",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var files: [String]

  @Option(help: "Schedules of each strategy.")
  var schedules = 1_000

  @Option(help: ArgumentHelp("Wall time of the search, all strategies together: 90s, 5m, 2h.", valueName: "time"))
  var timeBudget: String?

  @Option(
    help: ArgumentHelp("How orders are chosen: \(PolicyCatalogue.names.joined(separator: ", ")).", valueName: "name"),
    completion: .list(PolicyCatalogue.names))
  var policy = PolicyCatalogue.portfolioName

  @Option(help: ArgumentHelp("Try every order with at most so many preemptions instead.", valueName: "n"))
  var exhaustive: Int?

  @Flag(help: "Try every order instead, but those that only exchange neighbouring steps on different resources.")
  var reduced = false

  @Option(help: "Children that work at a time.")
  var jobs = 1

  @Option(help: ArgumentHelp("Explore a part of the schedules.", valueName: "i/n"))
  var shard: String?

  @Option(
    help: ArgumentHelp("Explore only these strategies, separated by commas.", valueName: "a,b"),
    completion: .custom { _, _, prefix in Completions.strategies(prefix) })
  var strategy: String?

  @Option(
    name: .customLong("set"), help: ArgumentHelp("Override a key of the scenarios.", valueName: "key=value"),
    completion: .custom { _, _, _ in Completions.keys })
  var assignments: [String] = []

  @Option(help: "Seed of the search.")
  var seed: UInt64 = 1

  @Option(help: "Seed of the cells' data; without it the scenario's.")
  var cellSeed: UInt64?

  @Option(help: ArgumentHelp("Steps after which a schedule counts as a livelock.", valueName: "n"))
  var steps = 200_000

  @Flag(help: "Continue after a violation, for one schedule of each kind.")
  var all = false

  @Option(help: ArgumentHelp("Wall time for making a finding smaller; 0s = leave it.", valueName: "time"))
  var shrink = "20s"

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  func validate() throws {
    let counts = 1...ExploreOptions.countMax
    guard counts ~= schedules, counts ~= steps, 1...ChildProcess.childrenMax ~= jobs else {
      throw ValidationError(
        "--schedules and --steps are from 1 to \(counts.upperBound), --jobs from 1 to \(ChildProcess.childrenMax).")
    }
    guard PolicyCatalogue.names.contains(policy) else {
      throw ValidationError(
        "--policy: there is no \(policy). It is one of \(PolicyCatalogue.names.joined(separator: ", ")).")
    }
    if let exhaustive, exhaustive < 0 { throw ValidationError("--exhaustive is 0 or more.") }
    if exhaustive != nil, reduced { throw ValidationError("--exhaustive and --reduced are two searches: give one.") }
    if exhaustive != nil || reduced, shard != nil {
      throw ValidationError("--exhaustive and --reduced cannot be divided by --shard.")
    }
    if let shard, Shard(shard) == nil {
      throw ValidationError("--shard: \(shard) is not a part. Write i/n with i from 1 to n.")
    }
    for (name, text) in [("--time-budget", timeBudget), ("--shrink", shrink)] {
      if let text, TimeSpan.seconds(text) == nil {
        throw ValidationError("\(name): \(text) is no time. Write 90s, 5m or 2h.")
      }
    }
  }

  func run() throws {
    let cells = try makeCells()
    precondition(!cells.isEmpty, "a scenario has a cell to explore")
    var options = ExploreOptions()
    options.schedules = schedules
    options.seconds = timeBudget.map(TimeSpan.valid)
    options.policy = policy
    options.preemptions = exhaustive
    options.isReduced = reduced
    options.seed = seed
    options.jobs = jobs
    options.shard = shard.flatMap(Shard.init)
    precondition((options.shard == nil) == (shard == nil), "--shard was looked at when it was given")
    options.findsAll = all
    options.stepsMax = steps
    options.shrinkSeconds = TimeSpan.valid(shrink)
    let session = ExploringSession(
      cells: cells, options: options, folder: out ?? "contextbench-explorations/" + RunName.make())
    BackgroundRun.runAndExit {
      try await session.run()
    } finish: { result in
      switch result {
      case .success(let status): return status.rawValue
      case .failure(let failure):
        StandardError.write(failure.description)
        return ExitStatus.harnessFailure.rawValue
      }
    }
  }

  /// One cell for each strategy and set of options of each scenario.
  private func makeCells() throws -> [ExploringSession.Cell] {
    var problems: [ScenarioProblem] = []
    var cells: [ExploringSession.Cell] = []
    var overrides: [ScenarioOverride] = []
    for assignment in assignments {
      if let override = try? ScenarioOverride(set: assignment) {
        overrides.append(override)
      } else {
        problems.append(
          ScenarioProblem(
            source: "--set", key: assignment, what: "is no assignment", advice: "Write --set key=value"))
      }
    }
    if let strategy { overrides.append(ScenarioOverride(source: "--strategy", key: "strategies", value: strategy)) }
    do throws(ScenarioProblems) {
      for (file, scenario) in zip(files, try Executable.loader.load(files, overrides: overrides)) {
        let file = try StreamedScenario.path(of: file)
        let small = ExploredScenario.smallAssignments(for: scenario, Executable.loader.vocabulary, besides: assignments)
        // A search of every order is only that.
        let isWholeRun = !small.isEmpty && exhaustive == nil && !reduced
        for cell in ExploredCell.all(of: scenario, file: file, assignments: assignments, seed: cellSeed) {
          cells.append(
            ExploringSession.Cell(
              small: try ExploredScenario(cell.small(small), Executable.loader),
              whole: isWholeRun ? try ExploredScenario(cell, Executable.loader) : nil))
        }
      }
    } catch {
      problems += error.problems
    }
    try ScenarioArguments.exitIfAny(problems)
    return cells
  }
}

/// Spans of time on the command line.
enum TimeSpan {
  /// No more than a year can be waited for.
  private static let secondsMax = 365.0 * 86_400

  /// `90s`, `5m`, `2h`, or a number of seconds; nil when it is none, or too much.
  static func seconds(_ text: String) -> Double? {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? text : String(text.dropLast())) else { return nil }
    let seconds = number * (unit ?? 1)
    return 0...secondsMax ~= seconds ? seconds : nil
  }

  /// The same of a text that a command has looked at.
  static func valid(_ text: String) -> Double {
    guard let seconds = seconds(text) else { preconditionFailure("a time was looked at when it was given: \(text)") }
    return seconds
  }
}
