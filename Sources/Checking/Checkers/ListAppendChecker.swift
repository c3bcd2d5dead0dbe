/// `list-append`: the reads of transactions over lists, and the lists in the file in the end, are those of some serial order
/// of the transactions.
///
/// Exercised by the lists that several transactions appended to and some read. The lists in the file count as the reads
/// of one last transaction.
/// - SeeAlso: `ListAppendAnalysis`.
package struct ListAppendChecker: Checker {
  package let name = "list-append"
  package let kinds: [ViolationKind] = [
    .lostUpdate, .dirtyRead, .readSkew, .writeSkew, .longFork, .incompatibleOrder, .readYourWrites,
  ]
  /// Transactions of an anomaly that a violation names.
  private static let namedMax = 6

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    var transactions = try history.transactions()
    guard !transactions.isEmpty else { return CheckResult(name: name, exercised: 0, note: "no transactions") }
    let file = fileTransaction(evidence, after: history.operations.count)
    if let file { transactions.append(file) }
    let analysis = try ListAppendAnalysis(transactions, file: file == nil ? nil : transactions.count - 1)

    let entity = evidence.parameters.layout.entities.first { $0.listColumn != nil }?.name ?? "list"
    var tallies: [ViolationKind: ViolationTally] = [:]
    for anomaly in analysis.anomalies {
      let first = transactions[anomaly.transactions.min() ?? 0]
      tallies[
        anomaly.kind.violation,
        default: ViolationTally(kind: anomaly.kind.violation, expected: "as if the transactions ran one by one")
      ].add(
        subject: "\(entity), \(anomaly.kind.rawValue)", step: min(first.end, max(0, history.operations.count - 1)),
        seen: "\(anomaly.explanation)\(names(anomaly, transactions, hasFile: file != nil))")
    }
    precondition(tallies.keys.allSatisfy(kinds.contains), "each anomaly is of a kind that the check reports")
    let violations = kinds.flatMap { tallies[$0]?.violations ?? [] }
    guard analysis.isComplete else {
      return CheckResult(name: name, unknown: "the search for cycles was cut off", violations: violations)
    }
    return CheckResult(
      name: name, exercised: analysis.contendedKeys, violations: violations,
      note:
        "\(transactions.count) transactions, \(analysis.readCount) reads; \(analysis.contendedKeys) lists were read "
        + "and appended to by several")
  }

  /// The lists in the file, as a transaction that reads all of them; nil where no entity has lists, or there is no file.
  private func fileTransaction(_ evidence: Evidence, after end: Int) -> Transaction? {
    guard let store = try? evidence.store.get() else { return nil }
    var reads: [Transaction.MicroOperation] = []
    for entity in evidence.parameters.layout.entities where entity.listColumn != nil {
      let lists = store.rows[entity.number]?.lists ?? [:]
      reads += lists.sorted { $0.key < $1.key }.map { .read(key: $0.key, values: $0.value) }
    }
    guard !reads.isEmpty else { return nil }
    return Transaction(process: .max, outcome: .ok, start: end, end: end, operations: reads)
  }

  private func names(_ anomaly: Anomaly, _ transactions: [Transaction], hasFile: Bool) -> String {
    let names = anomaly.transactions.prefix(Self.namedMax).map { index in
      let transaction = transactions[index]
      return hasFile && index == transactions.count - 1
        ? "T\(index): the file in the end" : "T\(index): w\(transaction.process) from step \(transaction.start)"
    }
    return " (\(names.joined(separator: "; ")))"
  }
}

extension Anomaly.Kind {
  /// The kind of violation that a cell reports.
  var violation: ViolationKind {
    switch self {
    case .g0, .incompatibleOrder: .incompatibleOrder
    case .g1a, .g1b, .g1c, .garbage: .dirtyRead
    case .gSingle, .unrepeatableRead: .readSkew
    case .gNonadjacent: .longFork
    case .g2: .writeSkew
    case .lostUpdate: .lostUpdate
    case .internalInconsistency: .readYourWrites
    }
  }
}
