/// `store-lifecycle`: stores could be opened, saved to and closed while others did the same, copies had everything, and no save
/// reached a store that had taken another one's place.
///
/// The workload looks itself, since stores come and go while it runs; exercised by the copies that were read and the saves
/// that had to be refused. Descriptors of closed stores are reported as `context-leak`.
package struct StoreLifecycleChecker: Checker {
  package let name = "store-lifecycle"
  package let kinds: [ViolationKind] = [.failedSave, .lostRecord, .storeCorruption]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: Set(kinds), counter: { $0.copiesRead + $0.savesToReplacedStores },
      counted: "copies read and saves to stores that were exchanged"
    ).judge(evidence)
  }
}
