/// `store-corruption`: the file is whole by `integrity_check`, its bookkeeping is right, and its persistent history, if it has
/// one, gives its rows.
///
/// Made for every cell, however it ended; exercised by the rows with bookkeeping that was checked.
package struct StoreCorruptionChecker: Checker {
  package let name = "store-corruption"
  package let kinds: [ViolationKind] = [.storeCorruption, .historyDivergence]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let condition = try evidence.condition.get()
    return CheckResult(
      name: name, exercised: condition.rows, violations: condition.damages.map(Self.violation),
      note: "\(condition.rows) rows were looked at")
  }

  /// A damage as a violation.
  package static func violation(_ damage: StoreCondition.Damage) -> Violation {
    Violation(
      kind: damage.kind == .history ? .historyDivergence : .storeCorruption, subject: damage.place,
      expected: damage.expected, seen: damage.seen, count: damage.count)
  }
}
