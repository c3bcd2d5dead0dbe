import Scenarios

/// The limits of a simulation, which is one process.
package enum SimulationLimit {
  /// Workloads that end processes.
  private static let outside: Set<String> = ["crash-recovery"]

  /// Why a scenario cannot be simulated; nil when it can.
  package static func problem(of scenario: Scenario) -> ScenarioProblem? {
    let workload = scenario.settings[Keys.workload]
    guard (scenario.settings.values["processes"] ?? "1") != "1" || outside.contains(workload) else { return nil }
    return ScenarioProblem(
      source: scenario.path, what: "\(workload) has several processes, or ends them",
      advice: "A simulation is one process: use run, without --instructions and --record")
  }
}
