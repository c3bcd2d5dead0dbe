/// The anomalies in a history of appends and whole reads: the reads give the order of each list's versions, and so the
/// order of the transactions.
///
/// The method is that of Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations" (VLDB
/// 2020). Real time is only used for lost updates: a transaction that ended before another began need not come first.
/// Complexity: O(*n*) for *n* values read, beside the search for cycles.
package struct ListAppendAnalysis {
  /// The anomalies found.
  package private(set) var anomalies: [Anomaly] = []
  /// Reads of lists by transactions that took place.
  package private(set) var readCount = 0
  /// Lists that at least two transactions appended to while at least one read them.
  package private(set) var contendedKeys = 0
  /// Whether the search for cycles came to its end.
  package private(set) var isComplete = true

  private let transactions: [Transaction]
  private var lists: [Int64: List] = [:]
  private var edges: [DependencyGraph.Edge] = []

  /// The recorded facts of one list.
  private struct List {
    /// By value, the transaction that appended it.
    var writers: [Int64: Int32] = [:]
    /// The list in the file in the end, else the longest that was read, and its reader.
    var order: [Int64] = []
    var reader: Int32 = -1
    var hasReads = false
    var appenders: Set<Int32> = []
  }

  /// - Parameter file: the transaction that reads the file in the end; nil without one.
  /// - Throws: when two transactions append one value to one list: then a read does not show which of them it saw.
  package init(_ transactions: [Transaction], file: Int? = nil) throws(Unusable) {
    precondition(file.map(transactions.indices.contains) ?? true, "the file is read by one of the transactions")
    self.transactions = transactions
    try collectWriters()
    collectOrders()
    if let file { preferOrders(of: file) }
    for (index, transaction) in transactions.enumerated() where transaction.outcome == .ok {
      examine(transaction, Int32(index))
    }
    addOverwrites()
    findLostUpdates()
    findCycles()
    contendedKeys = lists.values.count { $0.hasReads && $0.appenders.count > 1 }
  }

  /// The lists by their keys, so that one history always gives one answer.
  private var inOrder: [(key: Int64, value: List)] { lists.sorted { $0.key < $1.key } }

  // MARK: Versions

  private mutating func collectWriters() throws(Unusable) {
    for (index, transaction) in transactions.enumerated() {
      for case .append(let key, let value) in transaction.operations {
        if let other = lists[key, default: List()].writers.updateValue(Int32(index), forKey: value) {
          throw Unusable(
            "transactions \(other) and \(index) both append \(value) to list \(key); values must be unique in a list")
        }
        lists[key]?.appenders.insert(Int32(index))
      }
    }
  }

  private mutating func collectOrders() {
    for (index, transaction) in transactions.enumerated() where transaction.outcome == .ok {
      for case .read(let key, let values) in transaction.operations {
        readCount += 1
        lists[key, default: List()].hasReads = true
        if values.count > lists[key]?.order.count ?? 0 {
          lists[key]?.order = values
          lists[key]?.reader = Int32(index)
        }
      }
    }
    for (key, list) in inOrder where Set(list.order).count < list.order.count {
      add(.garbage, [key], [list.reader], "list \(key) was read with a value twice: \(text(list.order))")
    }
  }

  /// Gives a list the file's order in place of that of the longest read.
  private mutating func preferOrders(of file: Int) {
    for case .read(let key, let values) in transactions[file].operations where lists[key] != nil {
      lists[key]?.order = values
      lists[key]?.reader = Int32(file)
    }
  }

  // MARK: One transaction

  private mutating func examine(_ transaction: Transaction, _ index: Int32) {
    // By list: the values that the transaction read, and those it appended since.
    var seen: [Int64: (values: [Int64]?, appended: [Int64])] = [:]
    for operation in transaction.operations {
      switch operation {
      case .append(let key, let value): seen[key, default: (nil, [])].appended.append(value)
      case .read(let key, let values):
        if let known = seen[key] {
          let expected = known.values.map { $0 + known.appended }
          guard expected ?? values == values, values.suffix(known.appended.count) == known.appended[...] else {
            let hasOwn = values.suffix(known.appended.count) == known.appended[...]
            add(
              hasOwn ? .unrepeatableRead : .internalInconsistency, [key], [index],
              "T\(index) read list \(key) as \(text(values)) after it had read or appended "
                + text(expected ?? known.appended))
            continue
          }
          if known.values == nil { examineRead(key, values.dropLast(known.appended.count), index) }
        } else {
          examineRead(key, values[...], index)
        }
        seen[key] = (values, [])
      }
    }
  }

  /// Examines a read of others' appends.
  private mutating func examineRead(_ key: Int64, _ values: ArraySlice<Int64>, _ index: Int32) {
    guard let list = lists[key] else { return }
    guard list.order.starts(with: values) else {
      add(
        .incompatibleOrder, [key], [index, list.reader],
        "T\(index) read list \(key) as \(text(values)), T\(list.reader) as \(text(list.order))")
      return
    }
    for value in values {
      guard let writer = list.writers[value] else {
        add(.garbage, [key], [index], "T\(index) read \(value) in list \(key), which was never appended")
        continue
      }
      if transactions[Int(writer)].outcome == .fail {
        add(.g1a, [key], [index, writer], "T\(index) read \(value) in list \(key), which T\(writer) took back")
      }
    }
    if let last = values.last, let writer = list.writers[last], writer != index {
      let final = transactions[Int(writer)].operations.reversed().lazy.compactMap { operation -> Int64? in
        guard case .append(key, let value) = operation else { return nil }
        return value
      }.first
      if let final, final != last {
        add(
          .g1b, [key], [index, writer],
          "T\(index) read list \(key) up to \(last), but T\(writer) went on to append \(final)")
      }
      edges.append(.init(from: writer, to: index, reason: .writeRead, key: key))
    }
    if values.count < list.order.count, let next = list.writers[list.order[values.count]], next != index {
      edges.append(.init(from: index, to: next, reason: .readWrite, key: key))
    }
  }

  // MARK: Between transactions

  private mutating func addOverwrites() {
    for (key, list) in inOrder {
      for (earlier, later) in zip(list.order, list.order.dropFirst()) {
        guard let from = list.writers[earlier], let to = list.writers[later], from != to else { continue }
        edges.append(.init(from: from, to: to, reason: .writeWrite, key: key))
      }
    }
  }

  /// Finds acknowledged appends that a read which began later does not see.
  private mutating func findLostUpdates() {
    for (index, transaction) in transactions.enumerated() where transaction.outcome == .ok {
      for case .read(let key, let values) in transaction.operations {
        // Values of the file or the longest read are only seen late; a value missing there is gone.
        for (value, writer) in unseenValues(of: key)
        where transactions[Int(writer)].end < transaction.start && !values.contains(value) {
          if reported.insert(Lost(key: key, value: value)).inserted {
            add(
              .lostUpdate, [key], [Int32(index), writer],
              "T\(writer) appended \(value) to list \(key) and was acknowledged; T\(index) began later and read "
                + text(values))
          }
        }
      }
    }
  }

  private struct Lost: Hashable {
    let key: Int64
    let value: Int64
  }

  private var reported: Set<Lost> = []
  private var unseen: [Int64: [(value: Int64, writer: Int32)]] = [:]

  /// Acknowledged appends to a list that are not in the file, or in its longest read.
  private mutating func unseenValues(of key: Int64) -> [(value: Int64, writer: Int32)] {
    if let known = unseen[key] { return known }
    guard let list = lists[key] else { return [] }
    let seen = Set(list.order)
    let missing = list.writers.filter { !seen.contains($0.key) && transactions[Int($0.value)].outcome == .ok }
      .map { (value: $0.key, writer: $0.value) }.sorted { $0.value < $1.value }
    unseen[key] = missing
    return missing
  }

  private mutating func findCycles() {
    let (cycles, isComplete) = DependencyGraph(nodeCount: transactions.count, edges: edges).cycles()
    self.isComplete = isComplete
    for cycle in cycles {
      var keys: [Int64] = []
      for edge in cycle.edges where !keys.contains(edge.key) { keys.append(edge.key) }
      add(cycle.kind, keys, cycle.edges.map(\.from), cycle.edges.map(sentence).joined(separator: "; "))
    }
  }

  private func sentence(_ edge: DependencyGraph.Edge) -> String {
    switch edge.reason {
    case .writeWrite: "T\(edge.to) appended to list \(edge.key) right after T\(edge.from)"
    case .writeRead: "T\(edge.to) read what T\(edge.from) appended to list \(edge.key)"
    default: "T\(edge.from) did not yet see what T\(edge.to) appended to list \(edge.key)"
    }
  }

  private mutating func add(_ kind: Anomaly.Kind, _ keys: [Int64], _ indices: [Int32], _ explanation: String) {
    precondition(
      indices.allSatisfy { transactions.indices.contains(Int($0)) }, "an anomaly names transactions of the history")
    anomalies.append(Anomaly(kind, keys: keys, transactions: indices.map(Int.init), explanation))
  }

  /// A list, or its end.
  private func text(_ values: some Collection<Int64>) -> String {
    let shown = 12
    let end = values.suffix(shown).map(String.init).joined(separator: " ")
    return values.count > shown ? "[… \(end)]" : "[\(end)]"
  }
}
