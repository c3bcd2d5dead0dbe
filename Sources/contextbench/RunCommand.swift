import ArgumentParser
import Foundation
import HarnessKit
import Measuring
import Reporting

/// `contextbench run`: runs scenarios.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenarios through strategies.",
    discussion: """
      Each cell (a strategy, once) runs in a process of its own, one at a time. Rows are written to cells.csv, \
      timings.csv and violations.csv as cells end. The last line printed is the results folder.
      """)

  @Argument(help: "Scenario files, or names of shipped scenarios: import, hazards/deadlock, …")
  var files: [String]

  @Flag(help: "Scale every scenario down, by its quick section.")
  var quick = false

  @Option(name: .customLong("set"), help: ArgumentHelp("Override a key of the scenarios.", valueName: "key=value"))
  var assignments: [String] = []

  @Option(help: ArgumentHelp("Run only these strategies, separated by commas.", valueName: "a,b"))
  var strategy: String?

  @Option(help: "Run every repetition from this seed; without it each has the next one.")
  var seed: String?

  @Option(help: "Cells of each strategy.")
  var repetitions: String?

  @Flag(help: "End the run with its first violation.")
  var stopOnViolation = false

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  @Flag(help: "Print the plan and end.")
  var dryRun = false

  @Option(help: ArgumentHelp("Run a part of the plan.", valueName: "i/n"))
  var shard: String?

  @Flag(help: "Keep the stores' files in the results folder.")
  var keepStore = false

  @Flag(help: "Run although this is a debug or sanitized build, whose timings mean nothing.")
  var allowDebug = false

  @Option(help: ArgumentHelp("Compare with this run, and fail with 3 when something is worse.", valueName: "dir"))
  var baseline: String?

  @OptionGroup(title: "With --baseline") var comparing: ComparingOptions

  func run() throws {
    let options = try makeOptions()
    let gate = try makeGate(options.scenarios)
    if dryRun {
      let plan = Plan(options.scenarios)
      print((options.shard.map(plan.part) ?? plan).text, terminator: "")
      return
    }
    let interruption = try Self.orExit { () throws(HarnessFailure) in try Interruption() }
    Runner(options, interruption: interruption).runAndExit { Self.finish($0, gate) }
  }

  private func makeOptions() throws -> RunOptions {
    var problems: [ScenarioProblem] = []
    let overrides = overrides(&problems)
    let part = shard.flatMap(Shard.init)
    if let shard, part == nil {
      problems.append(
        ScenarioProblem(source: "--shard", key: shard, what: "is not a part", advice: "Write i/n with i from 1 to n"))
    }
    if !dryRun, !allowDebug, !BuildConfiguration.current.isComparable {
      problems.append(
        ScenarioProblem(
          source: "run", what: "timings of a debug or sanitized build mean nothing",
          advice: "Build with swift build -c release, or add --allow-debug to run nevertheless"))
    }
    var scenarios: [Scenario] = []
    do throws(ScenarioProblems) {
      scenarios = try Executable.loader.load(files, overrides: overrides, quick: quick)
    } catch {
      problems += error.problems
    }
    if part != nil {
      for scenario in scenarios {
        for key in ["min_time_s", "min_samples"] where scenario.settings.values[key] != nil {
          problems.append(
            ScenarioProblem(
              source: "--shard", key: key, what: "asks \(scenario.name) for repetitions that depend on other parts",
              advice: "Set repetitions instead"))
        }
      }
    }
    guard problems.isEmpty else {
      StandardError.write(ScenarioProblems(problems).description)
      throw ExitStatus.usage.exitCode
    }
    var options = RunOptions(
      scenarios: scenarios, executable: Executable.path, arguments: Array(CommandLine.arguments.dropFirst()),
      version: ContextBench.version, allocator: JemallocCounter.allocatorName)
    options.out = out
    options.shard = part
    options.keepsStores = keepStore
    options.stopsOnViolation = stopOnViolation
    options.replayArguments =
      (quick ? ["--quick"] : []) + (allowDebug ? ["--allow-debug"] : []) + assignments.flatMap { ["--set", $0] }
    return options
  }

  private func overrides(_ problems: inout [ScenarioProblem]) -> [ScenarioOverride] {
    var overrides: [ScenarioOverride] = []
    for assignment in assignments {
      do {
        overrides.append(try ScenarioOverride(set: assignment))
      } catch let problem as ScenarioProblem {
        problems.append(problem)
      } catch {
        preconditionFailure("an override throws scenario problems only: \(error)")
      }
    }
    if let strategy { overrides.append(ScenarioOverride(source: "--strategy", key: "strategies", value: strategy)) }
    if let seed {
      overrides.append(ScenarioOverride(source: "--seed", key: "seed", value: seed))
      overrides.append(ScenarioOverride(source: "--seed", key: "seed_step", value: "0"))
    }
    if let repetitions {
      overrides.append(ScenarioOverride(source: "--repetitions", key: "repetitions", value: repetitions))
    }
    return overrides
  }

  private func makeGate(_ scenarios: [Scenario]) throws -> BaselineGate? {
    do {
      return try baseline.map { try BaselineGate($0, comparing, scenarios: scenarios) }
    } catch {
      StandardError.write("--baseline: \(error)")
      throw ExitStatus.usage.exitCode
    }
  }

  private static func finish(_ result: Result<RunReport, HarnessFailure>, _ gate: BaselineGate?) -> Int32 {
    switch result {
    case .success(let report):
      let judgement = report.isInterrupted ? nil : gate?.judge(report)
      if let judgement { print(judgement.text) }
      print(report.text(colour: Terminal.hasColour(STDOUT_FILENO)), terminator: "")
      return ExitStatus(report).combined(with: judgement?.status ?? .passed).rawValue
    case .failure(let failure):
      StandardError.write(failure.description)
      return ExitStatus.harnessFailure.rawValue
    }
  }

  /// The value, or the exit of a harness failure.
  private static func orExit<Value>(_ body: () throws(HarnessFailure) -> Value) throws -> Value {
    do throws(HarnessFailure) {
      return try body()
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.harnessFailure.exitCode
    }
  }
}
