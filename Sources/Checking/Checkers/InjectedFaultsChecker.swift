/// `injected-faults`: every fault that the scenario asks for happened.
///
/// Never violated: the effects of a fault are other checks' business. Not exercised as long as one of them never happened, and
/// required of every scenario that asks for one.
package struct InjectedFaultsChecker: Checker {
  package let name = "injected-faults"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let faults = evidence.parameters.faults
    guard !faults.isEmpty else { return CheckResult(name: name, exercised: 0, note: "the scenario asks for no fault") }
    let counts = faults.map { "\($0.name) \($0.count == 0 ? "never" : "\($0.count) times")" }
    return CheckResult(
      name: name, exercised: faults.map(\.count).min() ?? 0, note: counts.joined(separator: ", "))
  }
}
