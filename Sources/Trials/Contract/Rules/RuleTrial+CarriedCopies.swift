import Checking
import CoreData

// S7.1, S7.4, S10.1 to S10.3: in one of two stores with the same rows the copies of requests are carried out, after their originals were
// changed; in the other, requests that were made as those.

extension RuleTrial {
  // MARK: Requests that are carried out

  /// Two stores of the same rows, of which one gets the copies of requests and the other their equals.
  private struct Pair {
    let contexts: [NSManagedObjectContext]
    let coordinators: [NSPersistentStoreCoordinator]
  }

  func carryCopiesOut() throws {
    let rows = (0..<(6 + draw(5))).map { _ in (draw(3) == 0 ? "SpecialItem" : "Item", draw(5), draw(3)) }
    let coordinators = try (0..<2).map { _ in try open(at: newURL(), history: true) }
    precondition(rows.count > 5, "there are rows for every form of a request")
    let pair = Pair(contexts: coordinators.map { context($0) }, coordinators: coordinators)
    for owner in pair.contexts {
      try owner.performAndWait {
        for (number, (entity, rank, level)) in rows.enumerated() {
          let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: owner)
          for (key, value) in [("number", number), ("rank", rank), ("level", level)] {
            object.setValue(value, forKey: key)
          }
          // One by one, so that the keys are the same in both.
          try owner.save()
        }
      }
    }
    note("two stores of the rows \(rows)")
    for _ in 0..<4 { try carryOut(fetchOfAll(), pair, "a fetch") }
    for _ in 0..<8 { try carryOut(change(rows.count), pair, "a batch request") }
    for _ in 0..<3 { try carryOut(historyRequest(), pair, "a request for history") }
  }

  /// Executes the copy of a request in one store, while the original is changed, and another request of that making in the other.
  private func carryOut(
    _ make: (Int, Pair) throws -> NSPersistentStoreRequest, _ pair: Pair, _ what: String
  ) throws {
    let original = try make(0, pair)
    guard let copy = original.copy() as? NSPersistentStoreRequest else {
      return try report(.wrongValue, "the copy of \(what)", expected: "a request", seen: "none")
    }
    spoil(original)
    let requests = [copy, try make(1, pair)]
    let answers = try zip(pair.contexts, requests).map { owner, request in
      try owner.performAndWait { answerText(try owner.execute(request)) }
    }
    try require(answers[0], answers[1], .wrongValue, "the answer to the copy of \(what)")
    let pictures = try pair.coordinators.map { try stored($0) }
    try require(pictures[0], pictures[1], .wrongValue, "after the copy of \(what)")
  }

  /// Changes whatever a request has, after it was copied.
  private func spoil(_ request: NSPersistentStoreRequest) {
    request.affectedStores = []
    switch request {
    case let fetch as NSFetchRequest<any NSFetchRequestResult>:
      (fetch.predicate, fetch.fetchLimit, fetch.resultType) = (NSPredicate(value: false), 1, .countResultType)
    case let update as NSBatchUpdateRequest:
      (update.predicate, update.propertiesToUpdate) = (NSPredicate(value: false), ["rank": 77])
    case let insert as NSBatchInsertRequest: insert.objectsToInsert = [["number": 777]]
    case let delete as NSBatchDeleteRequest: delete.fetchRequest.predicate = NSPredicate(value: false)
    case let history as NSPersistentHistoryChangeRequest: history.resultType = .statusOnly
    default: break
    }
  }

  private func fetchOfAll() -> (Int, Pair) throws -> NSPersistentStoreRequest {
    // Settings that a fetch may have together.
    let all = fetchSettings().filter {
      !["propertiesToGroupBy", "havingPredicate", "propertiesToFetch"].contains($0.name)
    }
    let (chosen, orders) = (
      all.map { draw($0.texts.count) }, [NSSortDescriptor(key: "number", ascending: chance(1, of: 2))]
    )
    note("a fetch: \(zip(all, chosen).map { "\($0.name) \($0.texts[$1])" }.joined(separator: ", "))")
    return { _, _ in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      for (setting, index) in zip(all, chosen) { setting.set(request, index) }
      // One order for both, and objects that can be read as text.
      request.sortDescriptors = orders
      if request.resultType == .dictionaryResultType {
        (request.propertiesToFetch, request.includesPendingChanges) = (["number", "rank"], false)
      }
      return request
    }
  }

  /// A drawn batch request.
  private func change(_ rows: Int) -> (Int, Pair) throws -> NSPersistentStoreRequest {
    let item = RuleModel.shared.entitiesByName["Item"]
    let isNamed = chance(1, of: 2)
    switch draw(4) {
    case 0:
      let (table, first) = (updateSettings(), newNumber())
      let chosen = table.map { draw($0.texts.count) }
      note("a batch update: \(zip(table, chosen).map { "\($0.name) \($0.texts[$1])" }.joined(separator: ", "))")
      return { _, _ in
        let request = item.flatMap { isNamed ? nil : NSBatchUpdateRequest(entity: $0) }
        let made = request ?? NSBatchUpdateRequest(entityName: "Item")
        for (setting, index) in zip(table, chosen) { setting.set(made, index) }
        made.propertiesToUpdate?["name"] = "\(first)"
        return made
      }
    case 1: return insertion(isNamed ? nil : item)
    case 2:
      let (limit, type) = (draw(rows), draw(3))
      note("a batch delete of one of those from \(limit) on, result \(type)")
      return { _, _ in
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        fetch.predicate = NSPredicate(format: "number >= %ld", limit)
        (fetch.sortDescriptors, fetch.fetchLimit) = ([NSSortDescriptor(key: "number", ascending: true)], 1)
        return Self.typed(NSBatchDeleteRequest(fetchRequest: fetch), type)
      }
    default:
      let (places, type) = (Array(shuffled(Array(0..<rows)).prefix(1 + draw(2))), draw(3))
      note("a batch delete of the objects at \(places), result \(type)")
      return { number, pair in
        let owner = pair.contexts[number]
        let ids = try owner.performAndWait { try self.all("Item", owner).map(\.objectID) }
        let chosen = places.filter(ids.indices.contains).map { ids[$0] }
        // A request for no objects cannot be made of IDs.
        let none = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
        guard !chosen.isEmpty else { return Self.typed(NSBatchDeleteRequest(fetchRequest: none), type) }
        return Self.typed(NSBatchDeleteRequest(objectIDs: chosen), type)
      }
    }
  }

  private static func typed(_ request: NSBatchDeleteRequest, _ type: Int) -> NSBatchDeleteRequest {
    precondition(0...2 ~= type, "a batch delete answers in one of three forms")
    request.resultType = [.resultTypeStatusOnly, .resultTypeCount, .resultTypeObjectIDs][type]
    return request
  }

  /// An insertion of dictionaries, or by one of the handlers.
  private func insertion(_ entity: NSEntityDescription?) -> (Int, Pair) throws -> NSPersistentStoreRequest {
    let (form, count, type) = (draw(3), 1 + draw(3), draw(3))
    let first = 1_000 * newNumber()
    note("a batch insert of \(count) from \(first) on, form \(form), result \(type)")
    return { _, _ in
      var given = 0
      func dictionary(_ row: NSMutableDictionary) -> Bool {
        if given == count { return true }
        (row["number"], row["rank"]) = (first + given, given)
        given += 1
        return false
      }
      func object(_ object: NSManagedObject) -> Bool {
        if given == count { return true }
        object.setValue(first + given, forKey: "number")
        given += 1
        return false
      }
      let rows = (0..<count).map { ["number": first + $0, "level": $0] }
      let request =
        switch (form, entity) {
        case (0, nil): NSBatchInsertRequest(entityName: "Item", objects: rows)
        case (0, let entity?): NSBatchInsertRequest(entity: entity, objects: rows)
        case (1, nil): NSBatchInsertRequest(entityName: "Item", dictionaryHandler: dictionary)
        case (1, let entity?): NSBatchInsertRequest(entity: entity, dictionaryHandler: dictionary)
        case (_, nil): NSBatchInsertRequest(entityName: "Item", managedObjectHandler: object)
        case (_, let entity?): NSBatchInsertRequest(entity: entity, managedObjectHandler: object)
        }
      request.resultType = [.statusOnly, .count, .objectIDs][type]
      return request
    }
  }

  /// A request for the history since a transaction, or to delete what is before it.
  private func historyRequest() -> (Int, Pair) throws -> NSPersistentStoreRequest {
    let (place, form, type, isDeletion) = (draw(5), draw(3), draw(6), chance(1, of: 4))
    let (fetches, limit) = (chance(1, of: 3), 1 + draw(4))
    note("the history from transaction \(place), form \(form), result \(type)\(isDeletion ? ", to be deleted" : "")")
    return { number, pair in
      let owner = pair.contexts[number]
      let all = try owner.performAndWait {
        let everything = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
        let result = try owner.execute(everything) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
      }
      let start = all.indices.contains(place) ? all[place] : nil
      let token = start?.token
      let request: NSPersistentHistoryChangeRequest =
        switch (isDeletion, form) {
        case (true, 0): .deleteHistory(before: token)
        case (true, 1): .deleteHistory(before: start?.timestamp ?? .distantPast)
        case (true, _): .deleteHistory(before: start)
        case (false, 0): .fetchHistory(after: token)
        case (false, 1): .fetchHistory(after: start?.timestamp ?? .distantPast)
        case (false, _): .fetchHistory(after: start)
        }
      if isDeletion {
        if form == 0 { request.resultType = .count }
        return request
      }
      request.resultType = NSPersistentHistoryResultType(rawValue: type) ?? .count
      if fetches, let fetch = NSPersistentHistoryChange.fetchRequest {
        fetch.fetchLimit = limit
        request.fetchRequest = fetch
      }
      return request
    }
  }

  // MARK: Answers

  /// The answer to a request, without what differs between two stores of the same rows.
  private func answerText(_ result: NSPersistentStoreResult) -> String {
    func text(_ value: Any?) -> String {
      switch value {
      case let objects as [NSManagedObject]: "\(objects.map(RulePicture.number))"
      case let ids as [NSManagedObjectID]: "\(ids.map { $0.uriRepresentation().lastPathComponent })"
      case let transactions as [NSPersistentHistoryTransaction]:
        "\(transactions.map { "\($0.transactionNumber): \($0.changes.map(text) ?? "no changes")" })"
      case let changes as [NSPersistentHistoryChange]: text(changes)
      case let rows as [NSDictionary]:
        "\(rows.map { row in row.allKeys.map { "\($0) \(RulePicture.text(row[$0]))" }.sorted() })"
      default: RulePicture.text(value)
      }
    }
    func text(_ changes: [NSPersistentHistoryChange]) -> String {
      let texts = changes.map {
        "\($0.changeID) \($0.changeType) \($0.changedObjectID.uriRepresentation().lastPathComponent) "
          + "\(($0.updatedProperties ?? []).map(\.name).sorted())"
      }
      return "\(texts)"
    }
    switch result {
    case let found as NSAsynchronousFetchResult<any NSFetchRequestResult>: return text(found.finalResult)
    case let update as NSBatchUpdateResult: return "\(update.resultType) \(text(update.result))"
    case let insert as NSBatchInsertResult: return "\(insert.resultType) \(text(insert.result))"
    case let delete as NSBatchDeleteResult: return "\(delete.resultType) \(text(delete.result))"
    case let history as NSPersistentHistoryResult: return "\(history.resultType) \(text(history.result))"
    default: return "\(type(of: result))"
    }
  }
}
