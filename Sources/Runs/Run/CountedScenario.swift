import Scenarios

/// A scenario with counted instructions: nothing of it is about time or chance.
package enum CountedScenario {
  /// These scenarios without the parts that a count does not need: floors, warm-ups, checks, and violations that must be seen.
  ///
  /// - Parameter problems: receives one for each scenario that cannot be counted.
  package static func scenarios(_ scenarios: [Scenario], _ problems: inout [ScenarioProblem]) -> [Scenario] {
    scenarios.map { scenario in
      if let problem = SimulationLimit.problem(of: scenario) { problems.append(problem) }
      var scenario = scenario
      scenario.checks = []
      scenario.expectation.must = []
      for strategy in scenario.expectationByStrategy.keys { scenario.expectationByStrategy[strategy]?.must = [] }
      scenario.settings.values[Keys.floor.key.name] = "false"
      scenario.settings.values[Keys.warmup.key.name] = "0"
      return scenario
    }
  }
}
