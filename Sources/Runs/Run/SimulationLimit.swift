import Scenarios

/// The limits of simulations.
package enum SimulationLimit {
  /// Workloads that end processes.
  private static let outside: Set<String> = ["crash-recovery"]
  /// Workloads of which `explore` simulates several processes.
  private static let explored: Set<String> = ["bank", "counters", "find-or-create", "list-append", "set"]

  /// Why a scenario cannot be simulated; nil when it can.
  ///
  /// - Parameter isExplored: whether it is for `explore`, which simulates several processes on a file in memory.
  package static func problem(of scenario: Scenario, explored isExplored: Bool = false) -> ScenarioProblem? {
    let workload = scenario.settings[Keys.workload]
    guard (scenario.settings.values["processes"] ?? "1") != "1" || outside.contains(workload) else { return nil }
    let isOne = explored.contains(workload) || scenario.settings.values["app"] == "true"
    let isInMemory = !InjectedFault.wanted(scenario.settings).contains(where: \.isFatal)
    if isExplored, isOne, isInMemory { return nil }
    return ScenarioProblem(
      source: scenario.path, what: "\(workload) has several processes, or ends them",
      advice: isExplored
        ? "Explore an app and its extension, or counters and the like, without faults that end all; or use run"
        : "A simulation is one process: use run, without --instructions and --record")
  }
}
