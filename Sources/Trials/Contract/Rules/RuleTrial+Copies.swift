import Checking
import CoreData

// S2.2, S6.3, S6.17, S7.1, S7.4, S10.1 to S10.3: each setting of requests and of descriptions of stores: it is what was set, and a copy
// has it and can be changed alone; what a copy asks for, opens or names is what its original does.

extension RuleTrial {
  func copies() throws {
    try copyRequests()
    try carryCopiesOut()
    try copyStoreDescriptions()
    try copyTokens()
  }

  // MARK: Settings

  /// Two stores that a request may be for, and none.
  private func storeSettings(_ stores: [NSPersistentStore]) -> Settable<NSPersistentStoreRequest> {
    Settable("affectedStores", \.affectedStores, [nil, [], [stores[0]], stores])
  }

  /// The settings of a request for objects of a fetch; every value is one that a fetch of `Item` can have.
  func fetchSettings() -> [Settable<NSFetchRequest<any NSFetchRequestResult>>] {
    let total = NSExpressionDescription()
    total.name = "total"
    total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "rank")])
    let orders = [NSSortDescriptor(key: "rank", ascending: true), NSSortDescriptor(key: "number", ascending: false)]
    let one: [Settable<NSFetchRequest<any NSFetchRequestResult>>] = [
      Settable("predicate", \.predicate, [nil, NSPredicate(format: "rank > 2"), NSPredicate(format: "number < 5")]),
      Settable("sortDescriptors", \.sortDescriptors, [nil, [], [orders[0]], orders]),
      Settable("fetchLimit", \.fetchLimit, [0, 1, 3]), Settable("fetchOffset", \.fetchOffset, [0, 1, 2]),
      Settable("includesSubentities", \.includesSubentities, [true, false]),
      Settable("includesPendingChanges", \.includesPendingChanges, [true, false]),
      Settable(
        "resultType", \.resultType,
        [.managedObjectResultType, .managedObjectIDResultType, .countResultType, .dictionaryResultType]),
      Settable("fetchBatchSize", \.fetchBatchSize, [0, 2, 5]),
      Settable("returnsObjectsAsFaults", \.returnsObjectsAsFaults, [true, false]),
    ]
    let other: [Settable<NSFetchRequest<any NSFetchRequestResult>>] = [
      Settable("includesPropertyValues", \.includesPropertyValues, [true, false]),
      Settable("shouldRefreshRefetchedObjects", \.shouldRefreshRefetchedObjects, [false, true]),
      Settable("prefetching", \.relationshipKeyPathsForPrefetching, [nil, ["box"], ["box", "tags"]]),
      Settable(
        "propertiesToFetch", ["nil", "number", "total", "number total"],
        set: { $0.propertiesToFetch = [nil, ["number"], [total], ["number", total]][$1] },
        text: { request in
          request.propertiesToFetch?.map { ($0 as? NSExpressionDescription)?.name ?? "\($0)" }.joined(separator: " ")
            ?? "nil"
        }),
      Settable("returnsDistinctResults", \.returnsDistinctResults, [false, true]),
      Settable(
        "propertiesToGroupBy", ["nil", "[\"rank\"]"], set: { $0.propertiesToGroupBy = $1 == 0 ? nil : ["rank"] },
        text: { ($0.propertiesToGroupBy as? [String]).map { "\($0)" } ?? "nil" }),
      Settable("havingPredicate", \.havingPredicate, [nil, NSPredicate(format: "rank > 0")]),
    ]
    return one + other
  }

  func updateSettings() -> [Settable<NSBatchUpdateRequest>] {
    [
      Settable("predicate", \.predicate, [nil, NSPredicate(format: "rank > 2"), NSPredicate(format: "number < 5")]),
      Settable("includesSubentities", \.includesSubentities, [true, false]),
      Settable(
        "resultType", \.resultType,
        [.statusOnlyResultType, .updatedObjectIDsResultType, .updatedObjectsCountResultType]),
      Settable("propertiesToUpdate", \.propertiesToUpdate, [["rank": 11], ["name": "new"], ["level": 4]]),
    ]
  }

  func insertSettings() -> [Settable<NSBatchInsertRequest>] {
    [
      Settable("resultType", \.resultType, [.statusOnly, .objectIDs, .count]),
      Settable(
        "objectsToInsert", \.objectsToInsert,
        [[["number": 90]], [["number": 91, "rank": 4]], [["number": 92], ["number": 93, "name": "a"]]]),
    ]
  }

  func historySettings() -> [Settable<NSPersistentHistoryChangeRequest>] {
    let fetches = [NSPersistentHistoryTransaction.fetchRequest, NSPersistentHistoryChange.fetchRequest]
    return [
      Settable(
        "resultType", \.resultType,
        [.statusOnly, .objectIDs, .count, .transactionsOnly, .changesOnly, .transactionsAndChanges]),
      Settable(
        "fetchRequest", ["nil", "TRANSACTION", "CHANGE"], set: { $0.fetchRequest = $1 == 0 ? nil : fetches[$1 - 1] },
        text: { $0.fetchRequest?.entityName ?? "nil" }),
    ]
  }

  // MARK: Requests

  private func copyRequests() throws {
    let coordinator = try open(history: true)
    let second = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: newURL())
    precondition(coordinator.persistentStores.count == 2, "a request can be for one of two stores")
    let stores = storeSettings(coordinator.persistentStores)
    guard let item = RuleModel.shared.entitiesByName["Item"] else { return }
    let isNamed = chance(1, of: 2)
    try tryCopies(
      fetchSettings() + [stores.of(NSFetchRequest<any NSFetchRequestResult>.self)], comparesValues: false, "a fetch"
    ) {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      if !isNamed { request.entity = item }
      return request
    }
    try tryCopies(
      updateSettings() + [stores.of(NSBatchUpdateRequest.self)], comparesValues: false, "a batch update"
    ) { isNamed ? NSBatchUpdateRequest(entityName: "Item") : NSBatchUpdateRequest(entity: item) }
    try tryCopies(
      insertSettings() + [stores.of(NSBatchInsertRequest.self)], comparesValues: false, "a batch insert"
    ) {
      isNamed
        ? NSBatchInsertRequest(entityName: "Item", objects: []) : NSBatchInsertRequest(entity: item, objects: [])
    }
    let deletion: [Settable<NSBatchDeleteRequest>] = [
      Settable("resultType", \.resultType, [.resultTypeStatusOnly, .resultTypeObjectIDs, .resultTypeCount])
    ]
    try tryCopies(
      deletion + [stores.of(NSBatchDeleteRequest.self)], comparesValues: false, "a batch delete"
    ) { NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")) }
    try tryCopies(
      historySettings() + [stores.of(NSPersistentHistoryChangeRequest.self)], comparesValues: false,
      "a request for history"
    ) { NSPersistentHistoryChangeRequest() }
    let fetch = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let later: [Settable<NSAsynchronousFetchRequest<NSManagedObject>>] = [
      Settable("estimatedResultCount", \.estimatedResultCount, [0, 7, 100])
    ]
    let made = try tryCopies(
      later + [stores.of(NSAsynchronousFetchRequest<NSManagedObject>.self)], comparesValues: false,
      "an asynchronous fetch"
    ) { NSAsynchronousFetchRequest(fetchRequest: fetch) { _ in } }
    let copy = made.copy() as? NSAsynchronousFetchRequest<NSManagedObject>
    try require(
      [copy?.fetchRequest.entityName == "Item", copy?.completionBlock != nil], [true, true], .wrongValue,
      "whether the copy of an asynchronous fetch has its fetch and its block")
    try copyPlainRequests([stores], coordinator)
    try coordinator.remove(second)
  }

  /// Requests without settings of their own, the lists of a save's, and the kind of each request.
  private func copyPlainRequests(
    _ table: [Settable<NSPersistentStoreRequest>], _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    try tryCopies(table, comparesValues: false, "a request") { NSPersistentStoreRequest() }
    let owner = context(coordinator)
    try owner.performAndWait {
      let objects = (0..<4).map { _ in insertPlain(owner) }
      precondition(owner.insertedObjects.count == objects.count, "the lists are of objects that are not saved yet")
      let sets = (0..<4).map { _ in chance(1, of: 3) ? nil : Set(some(objects, atMost: 3)) }
      let save = try tryCopies(
        table.map { $0.of(NSSaveChangesRequest.self) }, comparesValues: false, "a request to save"
      ) { NSSaveChangesRequest(inserted: sets[0], updated: sets[1], deleted: sets[2], locked: sets[3]) }
      let copy = save.copy() as? NSSaveChangesRequest
      try require(
        [copy?.insertedObjects, copy?.updatedObjects, copy?.deletedObjects, copy?.lockedObjects], sets, .wrongValue,
        "the lists of the copy of a request to save")
      let error = AnythingClient.error { _ = try owner.execute(copy ?? save) }
      try require(
        error?.code, NSPersistentStoreUnsupportedRequestTypeError, .wrongValue, "the error of executing a save")
      owner.reset()
    }
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    let kinds: [(NSPersistentStoreRequest, UInt)] = [
      (fetch, 1), (NSAsynchronousFetchRequest(fetchRequest: fetch), 1), (NSPersistentStoreRequest(), 1),
      (NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil), 2),
      (NSBatchInsertRequest(entityName: "Item", objects: []), 5), (NSBatchUpdateRequest(entityName: "Item"), 6),
      (NSBatchDeleteRequest(fetchRequest: fetch), 7),
    ]
    for (request, kind) in kinds {
      let copy = request.copy() as? NSPersistentStoreRequest
      try require(
        [request.requestType.rawValue, copy?.requestType.rawValue], [kind, kind], .wrongValue,
        "the kind of a \(type(of: request)), and of its copy")
    }
  }
}
