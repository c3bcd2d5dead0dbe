import ArgumentParser
import Reporting
import Runs
import Scenarios

/// `contextbench validate`: reads scenario files and lists their problems.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check scenario files without running them.",
    discussion: "Prints every problem as file:line: key: what is wrong. What to do. Ends with 64 when there is one.")

  @Argument(
    help: "Scenario files, or names of shipped scenarios.",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var files: [String]

  func run() throws {
    do throws(ScenarioProblems) {
      for scenario in try Executable.loader.load(files) {
        if let problem = Executable.unusableRows(of: scenario) { throw ScenarioProblems([problem]) }
        let cells = Plan([scenario]).cells.count
        print("\(scenario.path): right; \(cells) cells, \(scenario.strategies.joined(separator: ", "))")
        for check in scenario.checksWithoutLimit { print("\(scenario.path): note: \(check)") }
      }
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
  }
}
