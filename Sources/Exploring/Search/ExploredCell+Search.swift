import Boundary
import Runs
import Scenarios

extension ExploredCell {
  /// A cell for each strategy and set of options of a scenario, in its quick size.
  ///
  /// - Parameters:
  ///   - file: the scenario's file or name, as it was given.
  ///   - seed: of the cells' data; nil = the scenario's.
  package static func all(
    of scenario: Scenario, file: String, assignments: [String], seed: UInt64?
  ) -> [ExploredCell] {
    let cells = scenario.strategies.flatMap { name in
      scenario.variants.filter { $0.strategy == name }.indices.map { variant in
        ExploredCell(
          scenario: file, assignments: assignments, isQuick: true, strategy: name, variant: variant,
          seed: seed ?? UInt64(scenario.settings[Keys.seed]))
      }
    }
    precondition(cells.count == scenario.variants.count, "each set of options of a strategy has its cell")
    return cells
  }

  /// The same cell in the size that these assignments make of the file's own.
  package func small(_ assignments: [String]) -> ExploredCell {
    var cell = self
    cell.isQuick = false
    cell.assignments += assignments
    return cell
  }

  /// The command that searches the cell in the same way again.
  package func searchCommand(by program: String, _ options: ExploreOptions, schedules: Int) -> String {
    precondition(!program.isEmpty && schedules > 0, "a program searches some schedules")
    var words = [program, "explore", scenario, "--strategy", strategy]
    for assignment in assignments { words += ["--set", assignment] }
    words += ["--cell-seed", String(seed), "--seed", String(options.seed), "--schedules", String(schedules)]
    if let preemptions = options.preemptions {
      words += ["--exhaustive", String(preemptions)]
    } else {
      words += options.isReduced ? ["--reduced"] : ["--policy", options.policy]
    }
    return ShellWord.line(words + (options.findsAll ? ["--all"] : []))
  }
}
