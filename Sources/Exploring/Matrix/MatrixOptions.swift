import Boundary
import Runs
import Scenarios

/// The options of `contextbench matrix`.
package struct MatrixOptions: Sendable {
  /// One cell: a scenario through one strategy with one merge policy.
  package struct Part: Sendable {
    let cell: ExploredScenario
    let mergePolicy: String
  }

  /// The executable, and where results go.
  package var run: RunOptions
  /// The explored cells.
  package let parts: [Part]
  /// Strategies in the order of their registration.
  package let strategies: [String]
  /// Schedules of each part.
  package let schedules: Int
  /// Wall time for making each witness smaller.
  package var shrinkSeconds = 3.0

  /// The shipped files of the matrix in `results/matrix`: in a fixed order, so that their results are fixed, too.
  package static let defaultFiles = [
    "two-writers", "counters", "bank", "list-append", "set", "find-or-create", "merge-conflict", "cascade-storm",
    "ui-churn", "pending-changes", "delete-during-request", "nested-perform-and-wait", "id-handoff", "soak",
    "hazards/unpersisted-save-careful",
  ]

  /// All merge policies.
  package static let mergePolicies = ScenarioKey.mergePolicies

  /// Each strategy of the files, with every merge policy.
  ///
  /// - Throws: `ScenarioProblems` with those of all files.
  package init(
    run: RunOptions, files: [String], strategies: String?, schedules: Int, loader: ScenarioLoader
  ) throws(ScenarioProblems) {
    precondition(schedules > 0, "each cell has a schedule")
    let files = files.isEmpty ? Self.defaultFiles : files
    var parts: [Part] = []
    for mergePolicy in Self.mergePolicies {
      let assignments = ["merge_policy=\(mergePolicy)"]
      var overrides = [ScenarioOverride(source: "matrix", key: "merge_policy", value: mergePolicy)]
      if let strategies {
        overrides.append(ScenarioOverride(source: "--strategy", key: "strategies", value: strategies))
      }
      for (file, scenario) in zip(files, try loader.load(files, overrides: overrides)) {
        for cell in ExploredCell.all(of: scenario, file: file, assignments: assignments, seed: nil) {
          let small = ExploredScenario.smallAssignments(for: scenario, loader.vocabulary, besides: assignments)
          let explored = try ExploredScenario(cell.small(small), loader)
          // Clients with contexts of their own say nothing of the strategy that they leave aside.
          guard explored.cell.settings.values["contexts"] != "own" else { continue }
          parts.append(Part(cell: explored, mergePolicy: mergePolicy))
        }
      }
    }
    self.run = run
    self.parts = parts
    self.schedules = schedules
    let used = Set(parts.map(\.cell.explored.strategy))
    self.strategies = loader.vocabulary[.strategies].filter(used.contains)
    precondition(self.strategies.count == used.count, "each strategy of a cell has its place")
  }

  /// How each part is explored: to its end, whatever is found.
  var exploring: ExploreOptions {
    var options = ExploreOptions()
    options.schedules = schedules
    options.findsAll = true
    return options
  }
}
