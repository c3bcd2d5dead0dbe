import ArgumentParser
import Foundation
import Reporting
import Runs
import Scenarios

/// `contextbench plan`: the cells of a run, for people and for schedulers.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Print the cells of a run without running them.",
    discussion: """
      With --json for a scheduler: the blocks of the plan with their cells, seeds and settings. A block is what stays on \
      one machine; run … --shard i/n takes every n-th block from the i-th on, so n is at most block_count. Each part goes \
      into a folder of its own, and \(Program.current.name) merge joins them.
      """)

  @OptionGroup var scenarios: ScenarioArguments

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if scenarios.files.isEmpty, scenarios.filter.isEmpty {
      throw ValidationError("Give a scenario file, or the name of a shipped scenario.")
    }
  }

  func run() throws {
    var problems: [ScenarioProblem] = []
    let part = scenarios.part(&problems)
    let loaded = scenarios.scenarios(&problems)
    try ScenarioArguments.exitIfAny(problems)
    let plan = Plan(loaded)
    if json {
      print(String(decoding: try plan.document(loaded, shard: part).json(), as: UTF8.self), terminator: "")
    } else {
      print((part.map(plan.part) ?? plan).text(width: Terminal.tableWidth), terminator: "")
    }
  }
}
