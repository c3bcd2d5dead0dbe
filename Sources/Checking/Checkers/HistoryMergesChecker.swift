/// `history-merges`: a context that follows a store's persistent history merges each transaction of others once, in the
/// order of the commits, and none of its own; its place in the history never goes back, and no unread transaction is deleted.
///
/// Exercised by the transactions that were taken.
package struct HistoryMergesChecker: Checker {
  package let name = "history-merges"
  package let kinds: [ViolationKind] = [
    .missedTransaction, .repeatedTransaction, .misorderedTransaction, .ownTransactionMerged, .tokenRegression,
    .earlyPurge,
  ]

  /// A context, or a process where no context is recorded.
  private struct ReaderKey: Hashable {
    let context: UInt32
    let process: UInt32

    init(_ operation: Operation) {
      context = operation.context
      process = operation.context == 0 ? operation.process : 0
    }
  }

  /// How far a context has come.
  private struct Reader {
    /// Where its token is.
    var through: Int64 = 0
    /// The transactions that it has merged or passed over.
    var taken: Set<Int64> = []
    var merged: Set<Int64> = []
    var lastMerged: Int64 = 0
  }

  /// One wrong thing.
  private struct Finding {
    var kind: ViolationKind
    var count = 1
    var seen: String
  }

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    var readers: [ReaderKey: Reader] = [:]
    var tallies = Dictionary(
      uniqueKeysWithValues: kinds.map { ($0, ViolationTally(kind: $0, expected: Self.expected($0))) })
    var exercised = 0
    for (step, operation) in history.operations.enumerated() {
      guard operation.function == .merge || operation.function == .historyRead else { continue }
      let place = history.place(of: operation)
      if operation.function == .merge { exercised += 1 }
      let key = ReaderKey(operation)
      for finding in Self.findings(operation, readers[key, default: Reader()]) {
        precondition(tallies[finding.kind] != nil, "each finding is of a kind that the check reports")
        tallies[finding.kind]?.add(
          subject: place, step: step, count: finding.count, seen: "\(place) \(finding.seen), at step \(step)")
      }
      Self.advance(&readers[key, default: Reader()], by: operation)
    }
    let violations = kinds.flatMap { tallies[$0]?.violations ?? [] }
    return CheckResult(
      name: name, exercised: max(exercised, violations.count), violations: violations,
      note: "\(exercised) transactions of persistent history were merged or passed over")
  }

  /// The findings about a record of a reader at this place in the history.
  private static func findings(_ operation: Operation, _ reader: Reader) -> [Finding] {
    let number = operation.key
    switch (operation.function, operation.type) {
    case (.merge, .ok):
      var found: [Finding] = []
      if operation.value == 1 {
        found.append(Finding(kind: .ownTransactionMerged, seen: "merged transaction \(number), which it had saved"))
      }
      if reader.merged.contains(number) {
        found.append(Finding(kind: .repeatedTransaction, seen: "merged transaction \(number) again"))
      } else if number < reader.lastMerged {
        found.append(
          Finding(
            kind: .misorderedTransaction, seen: "merged transaction \(number) after \(reader.lastMerged)"))
      }
      return found
    case (.historyRead, .ok):
      guard number >= reader.through else {
        return [
          Finding(kind: .tokenRegression, seen: "kept a token of transaction \(number) after one of \(reader.through)")
        ]
      }
      let missed = (reader.through..<number).map { $0 + 1 }.filter { !reader.taken.contains($0) }
      guard let first = missed.first else { return [] }
      return [
        Finding(
          kind: .missedTransaction, count: missed.count,
          seen: "was through with transaction \(number) and had not taken \(first)")
      ]
    case (.historyRead, .fail):
      return [
        Finding(
          kind: .earlyPurge, seen: "wanted what comes after transaction \(number), and got error \(operation.value)")
      ]
    default: return []
    }
  }

  private static func advance(_ reader: inout Reader, by operation: Operation) {
    switch (operation.function, operation.type) {
    case (.merge, .ok):
      reader.taken.insert(operation.key)
      reader.merged.insert(operation.key)
      reader.lastMerged = max(reader.lastMerged, operation.key)
    case (.merge, .info): reader.taken.insert(operation.key)
    case (.historyRead, .ok): reader.through = max(reader.through, operation.key)
    // It begins, or begins anew.
    case (.historyRead, .info): reader.through = operation.key
    default: break
    }
  }

  private static func expected(_ kind: ViolationKind) -> String {
    switch kind {
    case .missedTransaction: "each transaction up to the token was merged, or was its own"
    case .repeatedTransaction: "a transaction is merged once"
    case .misorderedTransaction: "transactions are merged in the order of their numbers"
    case .ownTransactionMerged: "what a context saved itself is passed over"
    case .tokenRegression: "a token is of the last transaction that was merged, or of a later one"
    case .earlyPurge: "history is deleted when every reader has it"
    default: preconditionFailure("\(kind.rawValue) is found by another check")
    }
  }
}
