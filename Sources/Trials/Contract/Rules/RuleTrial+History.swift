import Checking
import CoreData

// S10.1 to S10.3: each save and each batch request that changes the file is one transaction, which names inserts,
// deletes and updates; one that fails leaves none; a token is expired when a transaction after it was deleted.

extension RuleTrial {
  /// The stored values of each row, by its ID's URI; to-one relationships lead to URIs.
  private typealias Rows = [URL: [String: String]]

  func history() throws {
    let coordinator = try open(history: true)
    let writer = context(coordinator, pick([.mergeByPropertyObjectTrump, .error, .overwrite]) ?? .error)
    try writer.performAndWait {
      populate(writer, items: 4)
      for (tag, label) in zip(try all("Tag", writer), ["alpha", "beta"]) { tag.setValue(label, forKey: "label") }
      try save(writer)
    }
    var tokens = [try token(coordinator)]
    var numbers = try transactions(after: nil, coordinator).map(\.transactionNumber)
    var lastDeleted: Int64 = 0
    let follower = context(coordinator)
    _ = try picture(follower)
    let held = try follower.performAndWait { try all("Item", follower) }
    for _ in 0..<(4 + draw(6)) {
      if chance(1, of: 5), let kept = pick(Array(tokens.indices)) {
        let first = numbers[kept]
        note("delete the history before transaction \(first)")
        try execute(NSPersistentHistoryChangeRequest.deleteHistory(before: tokens[kept]), coordinator)
        lastDeleted = max(lastDeleted, numbers.filter { $0 < first }.max() ?? 0)
      }
      let before = try rows(coordinator)
      let hasFailed = try historyStep(writer)
      let after = try rows(coordinator)
      let new = try transactions(after: tokens[tokens.count - 1], coordinator)
      try require(
        new.count <= (before == after ? (hasFailed ? 0 : 1) : 1) && (before == after || new.count == 1), true,
        .historyDivergence,
        "\(new.count) transactions of one step that \(before == after ? "changed nothing" : "changed the file")")
      for transaction in new {
        try check(transaction, before, after, author: writer.transactionAuthor)
        try require(
          transaction.transactionNumber, (numbers.last ?? 0) + 1, .historyDivergence, "a transaction's number")
        numbers.append(transaction.transactionNumber)
        tokens.append(try token(coordinator))
        follower.performAndWait { follower.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
      }
      let seen = try picture(follower).withoutDerived
      try require(
        seen, try stored(coordinator).withoutDerived, .staleRead, "in a context that has merged every transaction")
      for (token, number) in zip(tokens, numbers) { try check(token, number, numbers, lastDeleted, coordinator) }
    }
    follower.performAndWait { withExtendedLifetime(held) {} }
    try askInAllForms(coordinator)
    try mixStores()
  }

  // MARK: Forms

  /// Each form of an answer says the same.
  private func askInAllForms(_ coordinator: NSPersistentStoreCoordinator) throws {
    let all = try transactions(after: nil, coordinator)
    guard let start = pick(all) else { return }
    let rest = all.filter { $0.transactionNumber > start.transactionNumber }
    let changes = rest.flatMap { $0.changes ?? [] }
    func ask(_ type: NSPersistentHistoryResultType) throws -> Any? {
      let request =
        chance(1, of: 2)
        ? NSPersistentHistoryChangeRequest.fetchHistory(after: start)
        : NSPersistentHistoryChangeRequest.fetchHistory(after: start.token)
      request.resultType = type
      return try execute(request, coordinator)?.result
    }
    note("history after \(start.transactionNumber) in all forms")
    let only = try ask(.transactionsOnly) as? [NSPersistentHistoryTransaction] ?? []
    try require(
      only.map(\.transactionNumber), rest.map(\.transactionNumber), .historyDivergence, "transactions without changes")
    try require(only.allSatisfy { $0.changes == nil }, true, .historyDivergence, "whether they have no changes")
    let alone = try ask(.changesOnly) as? [NSPersistentHistoryChange] ?? []
    try require(alone.map(\.changeID), changes.map(\.changeID), .historyDivergence, "the changes alone")
    try require(try ask(.count) as? Int, rest.count, .historyDivergence, "the number of transactions")
    let ids = try ask(.objectIDs) as? [NSManagedObjectID] ?? []
    try require(Set(ids), Set(changes.map(\.changedObjectID)), .historyDivergence, "the IDs of the history")
    for transaction in all {
      let types = (transaction.changes ?? []).map { $0.changeType == .insert ? 0 : $0.changeType == .update ? 1 : 2 }
      try require(
        types, types.sorted(), .historyDivergence,
        "the order of changes of transaction \(transaction.transactionNumber)")
    }
    let earlier = NSPersistentHistoryChangeRequest.fetchHistory(after: start.timestamp)
    let later = try execute(earlier, coordinator)?.result as? [NSPersistentHistoryTransaction] ?? []
    try require(
      later.map(\.transactionNumber), all.filter { $0.timestamp > start.timestamp }.map(\.transactionNumber),
      .historyDivergence, "the transactions after a date")
    let data = try NSKeyedArchiver.archivedData(withRootObject: start.token, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    try require(copy, start.token, .historyDivergence, "a token that was archived")
  }

  /// Two stores of one coordinator: their transactions come in the order of the saves.
  private func mixStores() throws {
    let folder = file.deletingLastPathComponent()
    let coordinator = try open(at: folder.appendingPathComponent("first.sqlite"), history: true)
    let second = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("second.sqlite"),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let stores = [coordinator.persistentStores.first, second].compactMap { $0 }
    let writer = context(coordinator)
    var expected: [Int] = []
    for _ in 0..<(3 + draw(4)) {
      let home = draw(2)
      expected.append(home)
      try writer.performAndWait {
        writer.assign(insert("Box", writer), to: stores[home])
        try save(writer)
      }
    }
    let all = try transactions(after: nil, coordinator)
    let seen = all.map { transaction in stores.firstIndex { $0.identifier == transaction.storeID } ?? -1 }
    try require(seen.sorted(), expected.sorted(), .historyDivergence, "how many transactions each of two stores has")
    let times = all.map(\.timestamp)
    try require(times, times.sorted(), .misorderedTransaction, "the times of two stores' transactions")
    if Set(times).count == times.count {
      try require(seen, expected, .misorderedTransaction, "the stores of the transactions in their order")
    }
    guard let place = all.isEmpty ? nil : draw(all.count) else { return }
    // A token names the last transaction of each store: later ones in either are after it.
    let token = all[place].token
    let later = try transactions(after: token, coordinator).map { "\($0.storeID) \($0.transactionNumber)" }
    for transaction in all[...place] where transaction.storeID == all[place].storeID {
      try require(
        later.contains("\(transaction.storeID) \(transaction.transactionNumber)"), false, .repeatedTransaction,
        "whether a transaction before a token is after it")
    }
    for transaction in all[(place + 1)...] where transaction.storeID == all[place].storeID {
      try require(
        later.contains("\(transaction.storeID) \(transaction.transactionNumber)"), true, .missedTransaction,
        "whether a transaction after a token is after it")
    }
  }

  /// One save or batch request.
  ///
  /// - Returns: whether it failed.
  private func historyStep(_ writer: NSManagedObjectContext) throws -> Bool {
    try writer.performAndWait {
      writer.refreshAllObjects()
      switch draw(8) {
      case 0..<4:
        for _ in 0..<(1 + draw(4)) { try changeSomething(writer) }
      case 4, 5:
        // The policy decides which object has the label.
        let tag = insert("Tag", writer)
        tag.setValue(pick(["alpha", "beta", "gamma"]), forKey: "label")
        note("label of \(RulePicture.number(tag)) = \(RulePicture.text(tag.value(forKey: "label")))")
        if let other = pick(try all("Tag", writer)) { set("remark", of: other) }
      case 6:
        let rows = ["gamma", "alpha"].map { ["label": $0, RuleModel.number: newNumber()] as [String: Any] }
        note("batch insert of tags \(rows.map { $0[RuleModel.number] ?? 0 })")
        let request = NSBatchInsertRequest(entityName: "Tag", objects: rows)
        do { _ = try writer.execute(request) } catch let error as NSError {
          guard error.code == NSManagedObjectConstraintMergeError else { throw error }
          return true
        }
        return false
      default:
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.predicate = NSPredicate(format: "rank > %ld", draw(3))
        request.propertiesToUpdate = ["name": "batch", "rank": draw(5)]
        note("batch update of items")
        _ = try writer.execute(request)
        return false
      }
      do { try save(writer) } catch let error as NSError {
        guard error.code == NSManagedObjectConstraintMergeError else { throw error }
        note("refused")
        writer.rollback()
        return true
      }
      return false
    }
  }

  /// A transaction names the objects that have changed, and their properties.
  private func check(_ transaction: NSPersistentHistoryTransaction, _ before: Rows, _ after: Rows, author: String?)
    throws
  {
    var named: [NSPersistentHistoryChangeType: Set<URL>] = [:]
    var properties: [URL: Set<String>] = [:]
    for change in transaction.changes ?? [] {
      let row = change.changedObjectID.uriRepresentation()
      if named.values.contains(where: { $0.contains(row) }) {
        try report(.historyDivergence, "a transaction", expected: "each object once", seen: "\(row) twice")
      }
      named[change.changeType, default: []].insert(row)
      properties[row] = Set((change.updatedProperties ?? []).map(\.name))
      if change.changeType == .delete, ["Item", "SpecialItem"].contains(change.changedObjectID.entity.name) {
        try require(
          RulePicture.text(change.tombstone?[RuleModel.number]), before[row]?[RuleModel.number], .historyDivergence,
          "the number that a deleted item leaves")
      }
    }
    let (old, new) = (Set(before.keys), Set(after.keys))
    try require(named[.insert] ?? [], new.subtracting(old), .historyDivergence, "the inserts of a transaction")
    try require(named[.delete] ?? [], old.subtracting(new), .historyDivergence, "the deletes of a transaction")
    try require(transaction.author, author, .historyDivergence, "the author of a transaction")
    for row in old.intersection(new) {
      let changed = Set((after[row] ?? [:]).filter { before[row]?[$0.key] != $0.value }.keys)
      guard !changed.isSubset(of: properties[row] ?? []) else { continue }
      try report(
        .historyDivergence, "the properties that a transaction names of \(row.lastPathComponent)",
        expected: "\(changed.sorted()) among them", seen: "\((properties[row] ?? []).sorted())")
    }
  }

  /// The history gives the transactions after a token, or error 134301.
  private func check(
    _ token: NSPersistentHistoryToken, _ number: Int64, _ numbers: [Int64], _ lastDeleted: Int64,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(numbers.contains(number), "a token is of a transaction that was seen")
    let seen = Result { try transactions(after: token, coordinator).map(\.transactionNumber) }
    switch seen {
    case .success(let seen):
      guard number >= lastDeleted else {
        return try report(
          .earlyPurge, "the history after transaction \(number)",
          expected: "error 134301, since transaction \(lastDeleted) was deleted", seen: "\(seen)")
      }
      try require(seen, numbers.filter { $0 > number }, .historyDivergence, "the transactions after \(number)")
    case .failure(let error as NSError):
      if error.code == NSPersistentHistoryTokenExpiredError, number < lastDeleted { return }
      throw error
    }
  }

  // MARK: Asking

  private func token(_ coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentHistoryToken {
    guard let token = coordinator.currentPersistentHistoryToken(fromStores: nil) else {
      try report(.historyDivergence, "the current token", expected: "a token", seen: "none")
      throw Broken()
    }
    return token
  }

  private func transactions(
    after token: NSPersistentHistoryToken?, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    return try execute(request, coordinator)?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  @discardableResult
  private func execute(
    _ request: NSPersistentHistoryChangeRequest, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentHistoryResult? {
    let reader = context(coordinator)
    return try reader.performAndWait { try reader.execute(request) as? NSPersistentHistoryResult }
  }

  private func rows(_ coordinator: NSPersistentStoreCoordinator) throws -> Rows {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      var rows: Rows = [:]
      for object in try ["Item", "Box", "Tag"].flatMap({ try all($0, reader) }) {
        var row: [String: String] = [:]
        for (name, property) in object.entity.propertiesByName where !property.isTransient {
          if property is NSDerivedAttributeDescription { continue }
          if let relationship = property as? NSRelationshipDescription {
            guard !relationship.isToMany else { continue }
            row[name] =
              (object.value(forKey: name) as? NSManagedObject)?.objectID.uriRepresentation().absoluteString ?? "null"
          } else {
            row[name] = RulePicture.text(object.value(forKey: name))
          }
        }
        rows[object.objectID.uriRepresentation()] = row
      }
      return rows
    }
  }
}
