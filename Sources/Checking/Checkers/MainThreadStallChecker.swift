/// `main-thread-stall`: the main thread was held longer than it may be.
///
/// A warning from 250 ms on, an error from the scenario's budget on, and another from its watchdog's limit on, each
/// stall counted once, as the worst it is.
package struct MainThreadStallChecker: Checker {
  package let name = "main-thread-stall"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let parameters = evidence.parameters
    var classes: [StallClass] = []
    if let watchdog = parameters.watchdogNanoseconds {
      classes.append(StallClass(subject: "main thread, watchdog", severity: .error, limit: watchdog))
    }
    if let budget = parameters.stallBudgetNanoseconds {
      classes.append(StallClass(subject: "main thread", severity: .error, limit: budget))
    }
    classes.append(
      StallClass(subject: "main thread", severity: .warning, limit: parameters.stallWarningNanoseconds))

    var recorded = 0
    for (step, operation) in history.operations.enumerated() where operation.function == .stall {
      recorded += 1
      if let index = classes.firstIndex(where: { operation.value > $0.limit }) {
        classes[index].add(operation.value, step: step)
      }
    }
    let violations = classes.compactMap(\.violation)
    guard let counters = parameters.counters else {
      return CheckResult(name: name, unknown: "the cell left no counters", violations: violations)
    }
    return CheckResult(
      name: name, exercised: max(counters.heartbeats, recorded), violations: violations,
      note: "\(counters.heartbeats) ticks of the main queue, \(recorded) of them recorded as late")
  }
}
