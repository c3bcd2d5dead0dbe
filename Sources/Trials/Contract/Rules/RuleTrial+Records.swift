import Checking
import CoreData

// S10.1 to S10.3: a transaction names each row that was written, on both sides of relationships, and no attribute that was not, in
// whichever way it was written; every form of every request says what a loop over the transactions says; several stores have a
// history each; a store with a history is only read without the option.

extension RuleTrial {
  func records() throws {
    let (first, second) = (try open(history: true), try open(history: true))
    let root = context(first, .mergeByPropertyObjectTrump)
    try root.performAndWait {
      populate(root, items: 5)
      for number in 0..<3 { insertPlain(root, rank: number) }
      for tag in try all("Tag", root) { tag.setValue("tag \(RulePicture.number(tag))", forKey: "label") }
      try save(root)
    }
    let follower = context(second)
    _ = try picture(follower)
    let held = try follower.performAndWait { try all("Item", follower) }
    var last = try recorded(first)
    for step in 0..<(3 + draw(5)) {
      let owner = chance(1, of: 3) ? context(second, .mergeByPropertyObjectTrump) : root
      let before = try recordRows(first)
      let overwrites = step == 1
      let isBatch = overwrites || chance(1, of: 3)
      owner.performAndWait { owner.transactionAuthor = pick(["one", "other", nil])?.flatMap { $0 } }
      try overwrites ? recordOverwriting(owner) : isBatch ? recordBatch(owner) : recordSave(owner)
      let (after, now) = (try recordRows(first), try recorded(second))
      let new = Array(now.dropFirst(last.count))
      try require(
        now.prefix(last.count).map(\.transactionNumber), last.map(\.transactionNumber), .historyDivergence,
        "the transactions before a step")
      try require(
        new.count <= 1 && (before == after || new.count == 1), true, .historyDivergence, "one transaction a step")
      for transaction in new {
        try check(transaction, before, after, isBatch)
        try checkPlace(transaction, last.last, owner)
        try hear(of: transaction, follower, second)
      }
      last = now
      owner.performAndWait { owner.refreshAllObjects() }
    }
    follower.performAndWait { withExtendedLifetime(held) {} }
    try askForChanges(last, first)
    for _ in 0..<2 { try askForTransactions(last, second) }
    for ofChanges in [false, true] { try refuseRequest(ofChanges: ofChanges, first) }
    try purgeByCount(last, first)
    try recordAfterPurge(last.last, root, second)
    if chance(1, of: 2) { try recordInStores() } else { try openWithoutHistory() }
    try keepOthers()
  }

  // MARK: Steps

  /// A save of some changes, by a child or a grandchild now and then.
  private func recordSave(_ root: NSManagedObjectContext) throws {
    precondition(root.parent == nil, "a save is recorded when it reaches the file")
    var chain = [root]
    for _ in 0..<(chance(1, of: 3) ? 1 + draw(2) : 0) { chain.append(context(in: chain[chain.count - 1])) }
    guard let editor = chain.last else { return }
    try editor.performAndWait {
      for _ in 0..<(1 + draw(4)) { try changeSomething(editor) }
      if chance(1, of: 4) {
        note("plain rows")
        insertPlain(editor, rank: 7)
        if let plain = pick(try all("Plain", editor)) { plain.setValue(draw(9), forKey: "rank") }
      }
    }
    for context in chain.reversed() { try context.performAndWait { try save(context) } }
  }

  /// All transactions are deleted: the next one continues their numbers, and has all that it records.
  private func recordAfterPurge(
    _ last: NSPersistentHistoryTransaction?, _ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    try purgeByDate(coordinator)
    let before = try recordRows(coordinator)
    try root.performAndWait {
      root.refreshAllObjects()
      insertPlain(root, rank: 1)
      if let item = pick(try all("Item", root)) { root.delete(item) }
      try save(root)
    }
    let (after, new) = (try recordRows(coordinator), try recorded(coordinator))
    try require(new.count, 1, .historyDivergence, "transactions of a save after all were deleted")
    for transaction in new {
      try check(transaction, before, after, false)
      try checkPlace(transaction, last, root)
    }
  }

  /// A batch request of any kind, with a selection by SQL, in memory, or by IDs.
  private func recordBatch(_ owner: NSManagedObjectContext) throws {
    precondition(owner.parent == nil, "a batch request is recorded by the store")
    let entity = pick(["Item", "SpecialItem", "Box", "Tag", "Plain"]) ?? "Item"
    let limit = newNumber() - draw(12)
    let isInMemory = (entity == "Item" || entity == "SpecialItem") && chance(1, of: 3)
    let predicate = NSPredicate(format: isInMemory ? "number > %ld AND mark == nil" : "number > %ld", limit)
    try owner.performAndWait {
      switch draw(4) {
      case 0:
        note("batch delete of \(entity) after \(limit)")
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = predicate
        _ = try owner.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      case 1:
        let objects = some(try all(entity, owner), atMost: 2)
        guard !objects.isEmpty else { return }
        note("batch delete of \(objects.map(RulePicture.number))")
        _ = try owner.execute(NSBatchDeleteRequest(objectIDs: objects.map(\.objectID)))
      case 2:
        note("batch update of \(entity) after \(limit)")
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = predicate
        request.propertiesToUpdate =
          ["Box": ["size": draw(9), "title": "batch"], "Tag": ["remark": "batch"], "Plain": ["rank": draw(9)]][entity]
          ?? ["rank": draw(9), "name": "batch", "weight": NSNull()]
        _ = try owner.execute(request)
      default:
        note("batch insert of \(entity)")
        let rows = (0..<(chance(1, of: 4) ? 17 : 1 + draw(3))).map { _ in
          [RuleModel.number: newNumber()] as [String: Any]
        }
        _ = try owner.execute(NSBatchInsertRequest(entityName: entity, objects: rows))
      }
    }
  }

  /// A batch insert that has the label of a row, of which the policy decides.
  private func recordOverwriting(_ owner: NSManagedObjectContext) throws {
    precondition(owner.parent == nil, "a batch request is recorded by the store")
    let policy = pick([NSMergePolicy.overwrite, .overwrite, .mergeByPropertyStoreTrump]) ?? .overwrite
    try owner.performAndWait {
      guard let tag = pick(try all("Tag", owner).filter { $0.value(forKey: "label") != nil }) else { return }
      let number = RulePicture.number(tag)
      note("batch insert of a tag with the label of \(number), policy \(policy.mergeType.rawValue)")
      var row: [String: Any] = [RuleModel.number: number]
      row["label"] = tag.value(forKey: "label")
      if chance(1, of: 2) { row["remark"] = "again" }
      let usual = owner.mergePolicy
      defer { owner.mergePolicy = usual }
      owner.mergePolicy = policy
      _ = try owner.execute(NSBatchInsertRequest(entityName: "Tag", objects: [row]))
    }
  }

  /// A context of another coordinator merges the transaction, and shows the file.
  private func hear(
    of transaction: NSPersistentHistoryTransaction, _ follower: NSManagedObjectContext,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(
      follower.persistentStoreCoordinator === coordinator, "a follower reads the rows of a transaction in its own file")
    follower.performAndWait { follower.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
    try require(
      try picture(follower).withoutDerived, try picture(freshContext(coordinator)).withoutDerived, .staleRead,
      "in a context that has merged transaction \(transaction.transactionNumber)")
  }

  // MARK: Transactions

  private typealias RecordRows = [URL: [String: String]]

  /// Every stored property of every object; members as the IDs of theirs.
  private func recordRows(_ coordinator: NSPersistentStoreCoordinator) throws -> RecordRows {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      var rows: RecordRows = [:]
      for object in try (RulePicture.entities + ["Plain"]).flatMap({ try all($0, reader) }) {
        var row: [String: String] = [:]
        for (name, property) in object.entity.propertiesByName where !property.isTransient {
          if property is NSDerivedAttributeDescription { continue }
          row[name] =
            (property as? NSRelationshipDescription).map { "\(RulePicture.members(of: object, $0).sorted())" }
            ?? RulePicture.text(object.value(forKey: name))
        }
        rows[object.objectID.uriRepresentation()] = row
      }
      return rows
    }
  }

  private func recorded(_ coordinator: NSPersistentStoreCoordinator) throws -> [NSPersistentHistoryTransaction] {
    try answer(.fetchHistory(after: NSPersistentHistoryToken?.none), coordinator) as? [NSPersistentHistoryTransaction]
      ?? []
  }

  /// The result of a request for the history.
  func answer(
    _ request: NSPersistentHistoryChangeRequest, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> Any? {
    let reader = context(coordinator)
    return try reader.performAndWait { (try reader.execute(request) as? NSPersistentHistoryResult)?.result }
  }

  /// Who came, who went, and of whom which attribute has another value.
  private func check(
    _ transaction: NSPersistentHistoryTransaction, _ before: RecordRows, _ after: RecordRows, _ isBatch: Bool
  ) throws {
    let changes = transaction.changes ?? []
    let rows = changes.map { $0.changedObjectID.uriRepresentation() }
    try require(Set(rows).count, rows.count, .historyDivergence, "how many objects a transaction names once")
    let types = changes.map(\.changeType.rawValue)
    try require(types, types.sorted(), .historyDivergence, "inserts, updates and deletes in their order")
    let (old, new) = (Set(before.keys), Set(after.keys))
    for (change, row) in zip(changes, rows) {
      let expected: NSPersistentHistoryChangeType =
        !old.contains(row) ? .insert : new.contains(row) ? .update : .delete
      let name = "\(change.changedObjectID.entity.name ?? "") \(row.lastPathComponent)"
      try require(
        change.changeType.rawValue, expected.rawValue, .historyDivergence, "the type of the change of \(name)")
      if change.changeType == .delete, before[row]?["tags"] != nil {
        try require(
          (change.tombstone ?? [:]).map { "\($0.key) \(RulePicture.text($0.value))" },
          ["number \(before[row]?[RuleModel.number] ?? "null")"], .historyDivergence, "what is left of \(name)")
      } else {
        try require(change.tombstone == nil, true, .historyDivergence, "whether nothing is left of \(name)")
      }
      guard change.changeType == .update else { continue }
      try checkNames(
        change, written(before[row] ?? [:], after[row] ?? [:], before, after, isBatch), isBatch, name)
    }
    for row in old.intersection(new).subtracting(rows).sorted(by: { $0.absoluteString < $1.absoluteString }) {
      try require(
        written(before[row] ?? [:], after[row] ?? [:], before, after, isBatch).sorted(), [], .historyDivergence,
        "what has changed of \(row.lastPathComponent), which is not in the transaction")
    }
    try require(
      new.subtracting(old).union(old.subtracting(new)).subtracting(rows).map(\.absoluteString).sorted(), [],
      .historyDivergence, "rows that came or went and are not in the transaction")
  }

  /// The properties of which the step has written something: of a to-many relationship only members that are there before and
  /// after count, since who loses one by its deletion has no column of it, and none of a batch request.
  private func written(
    _ old: [String: String], _ new: [String: String], _ before: RecordRows, _ after: RecordRows, _ isBatch: Bool
  ) -> Set<String> {
    func lasting(_ text: String?) -> [String] {
      RulePicture.numbers(text).map { "\($0)" }.filter { number in
        [before, after].allSatisfy { $0.values.contains { $0[RuleModel.number] == number } }
      }
    }
    return Set(
      old.keys.filter { key in
        guard ["items", "tags", "list", "shown"].contains(key) else { return old[key] != new[key] }
        return !isBatch && lasting(old[key]) != lasting(new[key])
      })
  }

  private func checkNames(
    _ change: NSPersistentHistoryChange, _ written: Set<String>, _ isBatch: Bool, _ name: String
  ) throws {
    let named = Set((change.updatedProperties ?? []).map(\.name))
    try require(
      written.subtracting(named).sorted(), [], .historyDivergence, "changed properties of \(name) that are not named")
    let extra = named.subtracting(written).filter { key in
      // A batch request writes equal values again, but no relationship.
      if isBatch { return change.changedObjectID.entity.relationshipsByName[key] != nil }
      // A large value that is set again gets another file, and is written.
      guard !["photo", "place"].contains(key), let attribute = change.changedObjectID.entity.attributesByName[key]
      else { return false }
      return !(attribute is NSDerivedAttributeDescription)
    }
    try require(extra.sorted(), [], .historyDivergence, "properties of \(name) that are named and were not written")
  }

  /// Its number, its time, who saved, and the numbers of its changes.
  private func checkPlace(
    _ transaction: NSPersistentHistoryTransaction, _ last: NSPersistentHistoryTransaction?,
    _ owner: NSManagedObjectContext
  ) throws {
    try require(transaction.transactionNumber, (last?.transactionNumber ?? 0) + 1, .historyDivergence, "a number")
    let (author, name) = owner.performAndWait { (owner.transactionAuthor, owner.name) }
    try require(
      [transaction.author ?? "none", transaction.contextName ?? "none"], [author ?? "none", name ?? "none"],
      .historyDivergence, "the author and the context of transaction \(transaction.transactionNumber)")
    try require(
      last.map { $0.timestamp <= transaction.timestamp } ?? true, true, .misorderedTransaction,
      "whether a transaction is not earlier than the one before")
    let first = (last?.changes?.last?.changeID ?? 0) + 1
    let ids = (transaction.changes ?? []).map(\.changeID)
    try require(ids, ids.indices.map { first + Int64($0) }, .historyDivergence, "the numbers of its changes")
    try require(
      (transaction.changes ?? []).allSatisfy { $0.transaction?.transactionNumber == transaction.transactionNumber },
      true, .historyDivergence, "whether changes know their transaction")
  }
}
