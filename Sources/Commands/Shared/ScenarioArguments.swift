import ArgumentParser
import Foundation
import Reporting
import Runs
import Scenarios

/// The scenarios of a command that plans cells, and the options that override their files.
struct ScenarioArguments: ParsableArguments {
  @Argument(
    help: "Scenario files, or names of shipped scenarios: import, hazards/deadlock, …",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var files: [String] = []

  @Option(
    help: ArgumentHelp("Also the shipped scenarios whose names match: 'hazards/*', '*import*'.", valueName: "pattern"))
  var filter: [String] = []

  @Flag(help: "Scale every scenario down, by its quick section.")
  var quick = false

  @Option(
    name: .customLong("set"), help: ArgumentHelp("Override a key of the scenarios.", valueName: "key=value"),
    completion: .custom { _, _, _ in Completions.keys })
  var assignments: [String] = []

  @Option(
    help: ArgumentHelp("Run only these strategies, separated by commas.", valueName: "a,b"),
    completion: .custom { _, _, prefix in Completions.strategies(prefix) })
  var strategy: String?

  @Option(help: "Run every repetition from this seed; without it each has the next one.")
  var seed: String?

  @Option(help: "Cells of each strategy.")
  var repetitions: String?

  @Option(
    help: ArgumentHelp(
      "Run every strategy with each of these values of a key, and say up to which main keeps up with its frames.",
      valueName: "key=1..8"))
  var sweep: String?

  @Option(help: ArgumentHelp("Run a part of the plan.", valueName: "i/n"))
  var shard: String?

  /// Whether nothing was given.
  var isEmpty: Bool {
    files.isEmpty && filter.isEmpty && !quick && assignments.isEmpty
      && [strategy, seed, repetitions, sweep, shard].allSatisfy { $0 == nil }
  }

  /// The part that `--shard` asks for; nil = all.
  func part(_ problems: inout [ScenarioProblem]) -> Shard? {
    let part = shard.flatMap(Shard.init)
    if let shard, part == nil {
      problems.append(
        ScenarioProblem(source: "--shard", key: shard, what: "is not a part", advice: "Write i/n with i from 1 to n"))
    }
    return part
  }

  /// The scenarios, read with their overrides; to be run live.
  func scenarios(_ problems: inout [ScenarioProblem]) -> [Scenario] {
    let overrides = overrides(&problems)
    let files = files + filtered(&problems)
    guard !files.isEmpty else { return [] }
    do throws(ScenarioProblems) {
      var loaded = try Executable.loader.load(files, overrides: overrides, quick: quick)
      if let sweep = try sweep.map(Self.sweep) {
        loaded = try sweep.applied(to: loaded, Executable.loader.vocabulary) { value throws(ScenarioProblems) in
          try Executable.loader.load(files, overrides: overrides + [value], quick: quick)
        }
      }
      problems += loaded.compactMap(Executable.unusableRows) + loaded.compactMap(LiveLimit.problem)
      return loaded
    } catch {
      problems += error.problems
      return []
    }
  }

  private static func sweep(_ text: String) throws(ScenarioProblems) -> ScenarioSweep {
    do throws(ScenarioProblem) {
      return try ScenarioSweep(text)
    } catch {
      throw ScenarioProblems([error])
    }
  }

  /// Names of shipped scenarios that match a pattern, each once.
  private func filtered(_ problems: inout [ScenarioProblem]) -> [String] {
    let shipped = Executable.loader.shipped().map(\.name)
    var names: [String] = []
    for pattern in filter {
      let matching = shipped.filter { fnmatch(pattern, $0, FNM_PATHNAME) == 0 }
      if matching.isEmpty {
        problems.append(
          ScenarioProblem(
            source: "--filter", key: pattern, what: "matches no shipped scenario",
            advice: "See \(Program.current.name) list scenarios; * does not match a /"))
      }
      names += matching.filter { !names.contains($0) && !files.contains($0) }
    }
    return names
  }

  /// Exits for wrong usage with all problems, where there is one.
  static func exitIfAny(_ problems: [ScenarioProblem]) throws {
    guard !problems.isEmpty else { return }
    StandardError.write(ScenarioProblems(problems).description)
    throw ExitStatus.usage.exitCode
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
}
