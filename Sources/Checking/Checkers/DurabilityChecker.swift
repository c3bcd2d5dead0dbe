/// `durability`: after every kill, all that was acknowledged was in the store, nothing was half, and the file was whole.
///
/// The workload looks after each kill, since the next process continues with the same file; exercised by the kills that
/// fell into a save.
package struct DurabilityChecker: Checker {
  package let name = "durability"
  package let kinds: [ViolationKind] = [.durabilityLost]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    var result = try ReportedKindChecker(
      name, [.durabilityLost, .tornRead, .storeCorruption], counter: \.killsInSaves, counted: "kills fell into a save"
    ).judge(evidence)
    if let counters = evidence.parameters.counters {
      result.note = "\(counters.kills) kills, \(counters.killsInSaves) of them in a save"
    }
    return result
  }
}
