/// `row-balance`: where keys are deleted and inserted again, each has as many rows as were inserted and not deleted.
///
/// Each acknowledged insert of a key is one row more and each acknowledged delete one less, in whatever order they came.
/// Too few rows are lost, too many doubled. Keys with an insert or delete of unknown outcome are left out, and those
/// where a merge policy makes one row of several inserts.
package struct RowBalanceChecker: Checker {
  package let name = "row-balance"
  package let kinds: [ViolationKind] = [.lostRecord, .duplicateRecord]

  package init() {}

  /// The inserts and deletes of one key.
  private struct Balance {
    var inserts = 0
    var deletes = 0
    var isUncertain = false
    /// Step of the latest acknowledged insert.
    var step = 0
  }

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let balances = balances(of: history)
    guard balances.values.contains(where: { $0.values.contains { $0.deletes > 0 && $0.inserts > 1 } }) else {
      return CheckResult(name: name, exercised: 0, note: "no key was deleted and inserted again")
    }
    let store = try evidence.store.get()
    var exercised = 0
    var violations: [Violation] = []
    for entity in evidence.parameters.layout.entities {
      guard !evidence.parameters.joinsRows(of: entity.number), let keys = balances[entity.number],
        let rows = store.rows[entity.number]
      else { continue }
      var found: [Int64: Int] = [:]
      for key in rows.keys { found[key, default: 0] += 1 }
      var lost: [(key: Int64, step: Int)] = []
      var doubled: [(key: Int64, step: Int)] = []
      for (key, balance) in keys where !balance.isUncertain {
        if balance.deletes > 0, balance.inserts > 1 { exercised += 1 }
        let (rows, expected) = (found[key] ?? 0, balance.inserts - balance.deletes)
        if rows < expected { lost.append((key, balance.step)) }
        if rows > expected { doubled.append((key, balance.step)) }
      }
      violations += [violation(.lostRecord, entity, lost), violation(.duplicateRecord, entity, doubled)]
        .compactMap(\.self)
    }
    return CheckResult(
      name: name, exercised: exercised, violations: violations,
      note: "\(exercised) keys were deleted and inserted again")
  }

  private func balances(of history: History) -> [UInt16: [Int64: Balance]] {
    var balances: [UInt16: [Int64: Balance]] = [:]
    for (step, operation) in history.operations.enumerated()
    where operation.function == .insert || operation.function == .delete {
      let isOpen = operation.type == .invoke && history.partner(of: step) == nil
      guard operation.type == .ok || operation.type == .info || isOpen else { continue }
      for key in operation.keys {
        var balance = balances[operation.entity, default: [:]][key, default: Balance()]
        switch (operation.type, operation.function) {
        case (.ok, .insert):
          balance.inserts += 1
          balance.step = step
        case (.ok, _): balance.deletes += 1
        default: balance.isUncertain = true
        }
        balances[operation.entity, default: [:]][key] = balance
      }
    }
    return balances
  }

  private func violation(
    _ kind: ViolationKind, _ entity: EntityLayout, _ keys: [(key: Int64, step: Int)]
  ) -> Violation? {
    guard let first = keys.map(\.step).min() else { return nil }
    let ranges = KeyRanges(keys.map { $0.key..<$0.key + 1 })
    precondition(ranges.count == keys.count, "a key is counted once")
    return Violation(
      kind: kind, subject: entity.name, expected: "as many rows of a key as were inserted and not deleted",
      seen: "\(kind == .lostRecord ? "too few" : "too many") rows of \(ranges)", count: keys.count, firstStep: first)
  }
}
