import Scenarios

/// What a live run, on a machine that stays on, cannot do.
package enum LiveLimit {
  /// Why a scenario cannot be run live; nil when it can.
  package static func problem(of scenario: Scenario) -> ScenarioProblem? {
    // What kills a process does not make the system forget what it was given.
    guard InjectedFault.powerLoss.rate(scenario.settings) > 0 else { return nil }
    return ScenarioProblem(
      source: scenario.path, key: InjectedFault.powerLoss.rateKey, what: "needs a simulation",
      advice: "Use explore, or fault_death_rate for the death of a process")
  }
}
