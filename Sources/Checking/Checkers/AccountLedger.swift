/// The balances of a bank's accounts by its history.
struct AccountLedger {
  private struct Account: Hashable {
    let entity: UInt16
    let key: Int64
  }

  private var balances: [Account: Int64] = [:]
  /// Accounts of transfers that may have happened or not.
  private var open: Set<Account> = []
  /// Whether the payee of each transfer is known.
  private var isComplete = true

  /// - Parameter opened: the inserts that were acknowledged.
  init(_ history: History, opened: [Operation]) {
    for insert in opened {
      for key in insert.keys { balances[Account(entity: insert.entity, key: key)] = insert.value }
    }
    let opening = balances.values.reduce(0, +)
    // Payees of transfers that have no end yet.
    var payees: [UInt32: Account] = [:]
    for (step, operation) in history.operations.enumerated() {
      let account = Account(entity: operation.entity, key: operation.key)
      switch (operation.function, operation.type) {
      case (.transfer, .invoke):
        payees.removeValue(forKey: operation.process).map { _ = open.insert($0) }
        if history.partner(of: step) == nil { open.insert(account) }
      case (.credit, _): payees[operation.process] = account
      case (.transfer, let type):
        let payee = payees.removeValue(forKey: operation.process)
        if type == .fail { continue }
        guard let payee else {
          isComplete = false
          continue
        }
        if type == .ok {
          balances[account, default: 0] -= operation.value
          balances[payee, default: 0] += operation.value
        } else {
          open.formUnion([account, payee])
        }
      default: continue
      }
    }
    precondition(balances.values.reduce(0, +) == opening, "a transfer moves money, and makes none")
    open.formUnion(payees.values)
  }

  /// The accounts of an entity without a transfer of unknown outcome, by their keys.
  func certainBalances(of entity: UInt16) -> [(key: Int64, balance: Int64)] {
    guard isComplete else { return [] }
    return balances.filter { $0.key.entity == entity && !open.contains($0.key) }.map { ($0.key.key, $0.value) }
      .sorted { $0.key < $1.key }
  }
}
