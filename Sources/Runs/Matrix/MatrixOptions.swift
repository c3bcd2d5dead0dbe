import Checking
import Scenarios

/// What `contextbench matrix` was asked for.
package struct MatrixOptions: Sendable {
  /// A scenario with one merge policy.
  package struct Part: Sendable {
    let scenario: Scenario
    let mergePolicy: String
  }

  /// How cells are run; its scenarios are those of the parts.
  package var run: RunOptions
  /// What is run.
  package let parts: [Part]
  /// Strategies in the order of their registration.
  package let strategies: [String]

  /// The shipped files that the README's matrix is made of: their order is fixed, so that what they show is.
  package static let defaultFiles = [
    "two-writers", "delete-during-request", "nested-perform-and-wait", "id-handoff",
  ]

  /// All merge policies.
  package static let mergePolicies = ScenarioKey.mergePolicies

  /// The files, each with every merge policy.
  ///
  /// - Throws: `ScenarioProblems` with those of all files.
  package init(
    run: RunOptions, files: [String], strategies: String?, seeds: Int, quick: Bool, loader: ScenarioLoader
  ) throws(ScenarioProblems) {
    let files = files.isEmpty ? Self.defaultFiles : files
    var parts: [Part] = []
    for mergePolicy in Self.mergePolicies {
      var overrides = [
        ScenarioOverride(source: "matrix", key: "merge_policy", value: mergePolicy),
        ScenarioOverride(source: "matrix", key: "repetitions", value: String(seeds)),
        ScenarioOverride(source: "matrix", key: "warmup", value: "0"),
      ]
      if let strategies {
        overrides.append(ScenarioOverride(source: "--strategy", key: "strategies", value: strategies))
      }
      for var scenario in try loader.load(files, overrides: overrides, quick: quick) {
        scenario.checks.removeAll { $0 == MainThreadStallChecker().name }
        // Where it is does not belong into what is the same everywhere.
        if let shipped = loader.shipped().first(where: { $0.path == scenario.path }) { scenario.path = shipped.name }
        parts.append(Part(scenario: scenario, mergePolicy: mergePolicy))
      }
    }
    self.run = run
    self.parts = parts
    let used = Set(parts.flatMap(\.scenario.strategies))
    self.strategies = loader.vocabulary[.strategies].filter(used.contains)
  }
}
