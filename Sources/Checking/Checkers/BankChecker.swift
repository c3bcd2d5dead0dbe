/// `bank`: transfers between accounts leave the total as it is, in every read of all accounts and in the file.
///
/// The total is that of the acknowledged inserts, which open the accounts: count times value. An account with another balance
/// in the file than its opening and its acknowledged transfers has lost an update, and then another total in a read is
/// no surprise; nor is it under a merge policy that lets saves win in part, where a later loss may have made up for an earlier
/// one. Where no update can have been lost, a read in one fetch that shows another total saw half of a save, and one in several
/// fetches saw different states. Exercised by the reads that shared a moment with another process's transfer.
/// - SeeAlso: Jepsen's workload of that name.
package struct BankChecker: Checker {
  package let name = "bank"
  package let kinds: [ViolationKind] = [.tornRead, .readSkew, .lostUpdate]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let opened = history.operations.filter { $0.function == .insert && $0.type == .ok }
    let total = opened.reduce(0) { $0 + $1.count * $1.value }
    guard total != 0 else { return CheckResult(name: name, exercised: 0, note: "no accounts were opened") }
    let lost = try Self.lostUpdates(opened, total: total, history, evidence)
    let permitsLoss = evidence.parameters.mergePolicy.map { $0 != "error" } ?? false
    let expected = "the balances are \(total) together"
    var lostReads = ViolationTally(kind: .lostUpdate, expected: expected)
    var torn = ViolationTally(kind: .tornRead, expected: expected)
    var skewed = ViolationTally(kind: .readSkew, expected: expected)
    let balances = history.elements { $0 == .balances }
    for (step, operation) in history.operations.enumerated()
    where operation.function == .balances && operation.type == .ok {
      let seen = balances[step, default: []]
      guard seen.count == operation.count, seen.reduce(0, +) == operation.value else {
        throw Unusable("the balances of the read at step \(step) are not those it announces")
      }
      guard operation.value != total, lost.isEmpty else { continue }
      let fetches = history.partner(of: step).map { history.operations[$0].value } ?? 1
      let text =
        "\(history.place(of: operation)) read \(operation.value) in \(max(1, fetches)) fetches: "
        + seen.prefix(20).map(String.init).joined(separator: " ") + (seen.count > 20 ? " …" : "")
      if permitsLoss {
        lostReads.add(subject: evidence.parameters.layout.name(operation.entity), step: step, seen: text)
      } else if fetches > 1 {
        skewed.add(subject: evidence.parameters.layout.name(operation.entity), step: step, seen: text)
      } else {
        torn.add(subject: evidence.parameters.layout.name(operation.entity), step: step, seen: text)
      }
    }
    let overlapping = Self.readsDuringTransfers(history)
    return CheckResult(
      name: name, exercised: overlapping, violations: torn.violations + skewed.violations + lostReads.violations + lost,
      note: "\(overlapping) reads of all accounts while another process made a transfer")
  }

  /// Updates missing from the file: by account where its balance is certain, else by the total.
  private static func lostUpdates(
    _ opened: [Operation], total: Int64, _ history: History, _ evidence: Evidence
  ) throws(Unusable) -> [Violation] {
    let ledger = AccountLedger(history, opened: opened)
    var accounts = ViolationTally(
      kind: .lostUpdate, expected: "an account has its opening and what its acknowledged transfers moved")
    var totals = ViolationTally(kind: .lostUpdate, expected: "the balances are \(total) together")
    let last = max(0, history.operations.count - 1)
    let rows = try evidence.store.get().rows
    for entity in evidence.parameters.layout.entities where opened.contains(where: { $0.entity == entity.number }) {
      guard let values = rows[entity.number]?.values else { continue }
      for (key, balance) in ledger.certainBalances(of: entity.number) {
        guard let value = values[key], value != balance else { continue }
        accounts.add(subject: "\(entity.name) \(key)", step: last, seen: "\(value) in the file instead of \(balance)")
      }
      let sum = values.values.reduce(0, +)
      guard sum != total else { continue }
      totals.add(subject: entity.name, step: last, seen: "in the file they are \(sum)")
    }
    return accounts.violations.isEmpty ? totals.violations : accounts.violations
  }

  private static func readsDuringTransfers(_ history: History) -> Int {
    var transfers: [UInt32: Int] = [:]
    // Reads under way, and whether a transfer of another process was too.
    var reads: [Int: Bool] = [:]
    var count = 0
    for (step, operation) in history.operations.enumerated() {
      switch (operation.function, operation.type) {
      case (.transfer, .invoke):
        transfers[operation.process, default: 0] += 1
        for read in reads.keys where history.operations[read].process != operation.process { reads[read] = true }
      case (.transfer, _):
        transfers[operation.process, default: 1] -= 1
      case (.balances, .invoke):
        reads[step] = transfers.contains { $0.key != operation.process && $0.value > 0 }
      case (.balances, .ok):
        if let invocation = history.partner(of: step), reads.removeValue(forKey: invocation) == true { count += 1 }
      default: continue
      }
    }
    return count
  }
}
