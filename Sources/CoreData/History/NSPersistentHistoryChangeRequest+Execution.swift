import RowStore

extension NSPersistentHistoryChangeRequest {
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let coordinator = try self.coordinator(of: context)
    let stores = coordinator.stores.all.filter { entry in
      affectedStores?.contains { $0 === entry.store } ?? true
    }.map(\.sqlite)
    guard !isDeletion else { return try delete(from: stores, coordinator) }
    if let token, !token.transactions.isEmpty, !stores.contains(where: { token.transactions[$0.identity.uuid] != nil })
    {
      throw isExpired("its stores are not open here")
    }
    var transactions: [NSPersistentHistoryTransaction] = []
    for store in stores { transactions += try self.transactions(of: store) }
    // Stable, so that the transactions of one store stay in order.
    if stores.count > 1 { transactions.sort { $0.timestamp < $1.timestamp } }
    return NSPersistentHistoryResult(try result(transactions), resultType)
  }

  private final func point(in store: SQLiteStore) -> HistoryPoint {
    switch point {
    case .date(let date): .date(date.timeIntervalSinceReferenceDate)
    case .token(let token): token?.transactions[store.identity.uuid].map { .transaction($0) } ?? .start
    }
  }

  private final func delete(
    from stores: [SQLiteStore], _ coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentHistoryResult {
    let count = try coordinator.turn.sync {
      try stores.reduce(0) { try $0 + $1.deleteTransactions(before: point(in: $1)) }
    }
    return NSPersistentHistoryResult(resultType == .count ? count : true, resultType)
  }

  private final func transactions(of store: SQLiteStore) throws -> [NSPersistentHistoryTransaction] {
    let wantsChanges = resultType != .transactionsOnly && resultType != .statusOnly || fetchesChanges
    do {
      return try store.transactions(after: point(in: store), withChanges: wantsChanges).map { recorded in
        let transaction = NSPersistentHistoryTransaction(recorded, store.identity)
        guard wantsChanges else { return transaction }
        let shown = resultType == .changesOnly ? nil : transaction.with(nil)
        transaction.set(recorded.changes.map { NSPersistentHistoryChange($0, store.identity, shown) })
        return transaction
      }
    } catch let gap as HistoryGap {
      throw isExpired(
        gap == .isDeleted
          ? "transactions after it were deleted from \(store.place.label)"
          : "it is after the last transaction of \(store.place.label), which is another one than it was made by")
    }
  }

  private final func isExpired(_ reason: String) -> NSError {
    NSError.coreData(
      NSPersistentHistoryTokenExpiredError,
      "The history after \(token.map { "\($0)" } ?? "the point") cannot be given: \(reason). Read all objects anew, and "
        + "continue from currentPersistentHistoryToken(fromStores:).")
  }

  // MARK: The request

  private final var fetchesChanges: Bool { fetchRequest?.entityName == "CHANGE" }

  private final func result(_ transactions: [NSPersistentHistoryTransaction]) throws -> Any {
    var transactions = transactions
    var changes: [NSPersistentHistoryChange] = []
    if fetchesChanges, let fetchRequest {
      // Changes alone do not name their transaction, by which they are selected all the same.
      var owners: [ObjectIdentifier: NSPersistentHistoryTransaction] = [:]
      for transaction in transactions {
        for change in transaction.changes ?? [] { owners[ObjectIdentifier(change)] = transaction }
      }
      changes = try fetchRequest.selected(transactions.flatMap { $0.changes ?? [] }) {
        ChangeFields($0, of: owners[ObjectIdentifier($0)])
      }
      let kept = Set(changes.map(ObjectIdentifier.init))
      transactions = transactions.compactMap { transaction in
        let own = (transaction.changes ?? []).filter { kept.contains(ObjectIdentifier($0)) }
        return own.isEmpty ? nil : transaction.with(resultType == .transactionsOnly ? nil : own)
      }
    } else {
      if let fetchRequest { transactions = try fetchRequest.selected(transactions) { $0 } }
      changes = transactions.flatMap { $0.changes ?? [] }
    }
    switch resultType {
    case .statusOnly: return true
    case .count: return fetchesChanges ? changes.count : transactions.count
    case .transactionsOnly, .transactionsAndChanges: return transactions
    case .changesOnly: return changes
    case .objectIDs:
      var known: Set<NSManagedObjectID> = []
      return changes.map(\.changedObjectID).filter { known.insert($0).inserted }
    }
  }
}

/// The properties of a change as predicates and sort descriptors name them.
private struct ChangeFields {
  let changeID: Int64
  let changeType: Int
  let changedObjectID: NSManagedObjectID
  let changedEntity: NSEntityDescription
  let transaction: NSPersistentHistoryTransaction?

  init(_ change: NSPersistentHistoryChange, of transaction: NSPersistentHistoryTransaction?) {
    changeID = change.changeID
    changeType = change.changeType.rawValue
    changedObjectID = change.changedObjectID
    changedEntity = change.changedObjectID.entity
    self.transaction = transaction
  }
}

extension NSFetchRequest where ResultType == any NSFetchRequestResult {
  /// The elements that the request finds, in its order, as many as it wants.
  ///
  /// - Parameter fields: the values of an element under the keys of predicate and sort descriptors.
  /// - Throws: 134060 for a predicate or a sort descriptor that asks for something else.
  fileprivate final func selected<Element>(_ elements: [Element], _ fields: (Element) -> Any) throws -> [Element] {
    try requireLimits()
    var found = elements
    do {
      if let predicate {
        found = try found.filter { try PredicateEvaluator(variables: [:]).holds(predicate, fields($0)) }
      }
      for case let descriptor as KeySortDescriptor in sortDescriptors ?? [] {
        for element in found { try descriptor.check(fields(element)) }
      }
    } catch let failure as PredicateFailure {
      let source = predicate.map { "\($0): " } ?? ""
      throw NSError.coreData(NSCoreDataError, "A request for history cannot be carried out: \(source)\(failure)")
    }
    if let sortDescriptors, !sortDescriptors.isEmpty {
      let indices = found.indices.sorted { left, right in
        for descriptor in sortDescriptors {
          let isByKey = descriptor is KeySortDescriptor
          let order = descriptor.compare(
            isByKey ? fields(found[left]) : found[left], to: isByKey ? fields(found[right]) : found[right])
          if order != .orderedSame { return order == .orderedAscending }
        }
        return left < right
      }
      found = indices.map { found[$0] }
    }
    found = Array(found.dropFirst(fetchOffset))
    return fetchLimit > 0 ? Array(found.prefix(fetchLimit)) : found
  }
}
