import Checking
import CoreData

// S10.1 to S10.3: requests for changes and for transactions in each form; deletions that say how many; histories of several stores;
// a store that is opened without the option.

extension RuleTrial {
  private func everything(_ coordinator: NSPersistentStoreCoordinator) throws -> [NSPersistentHistoryTransaction] {
    try answer(.fetchHistory(after: NSPersistentHistoryTransaction?.none), coordinator)
      as? [NSPersistentHistoryTransaction] ?? []
  }

  // MARK: Fetch requests

  /// Changes after a drawn point, by a drawn predicate, order, offset and limit, in every form.
  func askForChanges(_ all: [NSPersistentHistoryTransaction], _ coordinator: NSPersistentStoreCoordinator) throws {
    guard let start = pick(all), let fetch = NSPersistentHistoryChange.fetchRequest else { return }
    let after = chance(1, of: 2) ? start.transactionNumber : 0
    let candidates = all.filter { $0.transactionNumber > after }.flatMap { $0.changes ?? [] }
    let type = pick([NSPersistentHistoryChangeType.insert, .update, .delete]) ?? .update
    guard let object = pick(candidates)?.changedObjectID, let least = pick(candidates)?.changeID else { return }
    var chosen: [NSPersistentHistoryChange]
    switch draw(4) {
    case 0:
      fetch.predicate = NSPredicate(format: "changeType == %ld", argumentArray: [type.rawValue])
      chosen = candidates.filter { $0.changeType == type }
    case 1:
      fetch.predicate = NSPredicate(format: "changedObjectID == %@", argumentArray: [object])
      chosen = candidates.filter { $0.changedObjectID == object }
    case 2:
      fetch.predicate = NSPredicate(format: "changeID >= %ld AND changeType != %ld", Int(least), type.rawValue)
      chosen = candidates.filter { $0.changeID >= least && $0.changeType != type }
    default: chosen = candidates
    }
    if chance(1, of: 2) {
      fetch.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
      chosen.reverse()
    }
    (fetch.fetchOffset, fetch.fetchLimit) = (draw(3), draw(4))
    chosen = Array(chosen.dropFirst(fetch.fetchOffset).prefix(fetch.fetchLimit == 0 ? .max : fetch.fetchLimit))
    let what =
      "changes after \(after) where \(fetch.predicate.map { "\($0)" } ?? "all"), from \(fetch.fetchOffset), at most "
      + "\(fetch.fetchLimit)\(fetch.sortDescriptors?.isEmpty == false ? ", latest first" : "")"
    note(what)
    func ask(_ type: NSPersistentHistoryResultType) throws -> Any? {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: after == 0 ? NSPersistentHistoryToken?.none : start.token)
      (request.fetchRequest, request.resultType) = (fetch, type)
      return try answer(request, coordinator)
    }
    try require(
      (try ask(.changesOnly) as? [NSPersistentHistoryChange] ?? []).map(\.changeID), chosen.map(\.changeID),
      .historyDivergence, what)
    try require(try ask(.count) as? Int, chosen.count, .historyDivergence, "the number of \(what)")
    var known: Set<NSManagedObjectID> = []
    try require(
      try ask(.objectIDs) as? [NSManagedObjectID] ?? [],
      chosen.map(\.changedObjectID).filter { known.insert($0).inserted }, .historyDivergence, "the objects of \(what)")
    let numbers = Set(chosen.map(\.changeID))
    let whole = all.filter { ($0.changes ?? []).contains { numbers.contains($0.changeID) } }.map(\.transactionNumber)
    let both = try ask(.transactionsAndChanges) as? [NSPersistentHistoryTransaction] ?? []
    try require(both.map(\.transactionNumber), whole, .historyDivergence, "the transactions of \(what)")
    try require(
      both.flatMap { $0.changes ?? [] }.map(\.changeID), numbers.sorted(), .historyDivergence,
      "what transactions have of \(what)")
    let only = try ask(.transactionsOnly) as? [NSPersistentHistoryTransaction] ?? []
    try require(
      only.map { "\($0.transactionNumber) \($0.changes == nil)" }, whole.map { "\($0) true" }, .historyDivergence,
      "the transactions alone of \(what)")
  }

  /// Transactions after a drawn point, by a drawn predicate, order, offset and limit.
  func askForTransactions(
    _ all: [NSPersistentHistoryTransaction], _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    guard let start = pick(all), let fetch = NSPersistentHistoryTransaction.fetchRequest else { return }
    let way = draw(4)
    let request: NSPersistentHistoryChangeRequest
    var chosen: [NSPersistentHistoryTransaction]
    switch way {
    case 0: (request, chosen) = (.fetchHistory(withFetch: fetch), all)
    case 1:
      request = .fetchHistory(after: start)
      chosen = all.filter { $0.transactionNumber > start.transactionNumber }
    case 2:
      request = .fetchHistory(after: start.timestamp)
      chosen = all.filter { $0.timestamp > start.timestamp }
    default:
      request = .fetchHistory(after: start.token)
      chosen = all.filter { $0.transactionNumber > start.transactionNumber }
    }
    if way != 0, chance(3, of: 4) { request.fetchRequest = fetch }
    if request.fetchRequest != nil {
      switch draw(4) {
      case 0:
        fetch.predicate = NSPredicate(format: "author == nil OR author == 'one'", argumentArray: [])
        chosen = chosen.filter { $0.author == nil || $0.author == "one" }
      case 1:
        fetch.predicate = NSPredicate(format: "contextName == %@", argumentArray: [start.contextName ?? ""])
        chosen = chosen.filter { $0.contextName == start.contextName ?? "" }
      case 2:
        fetch.predicate = NSPredicate(format: "timestamp <= %@", argumentArray: [start.timestamp])
        chosen = chosen.filter { $0.timestamp <= start.timestamp }
      default: break
      }
      if chance(1, of: 2) {
        fetch.sortDescriptors = [
          NSSortDescriptor(key: "author", ascending: true),
          NSSortDescriptor(key: "transactionNumber", ascending: false),
        ]
        chosen.sort { ($0.author ?? "", $1.transactionNumber) < ($1.author ?? "", $0.transactionNumber) }
      }
      (fetch.fetchOffset, fetch.fetchLimit) = (draw(3), draw(4))
      chosen = Array(chosen.dropFirst(fetch.fetchOffset).prefix(fetch.fetchLimit == 0 ? .max : fetch.fetchLimit))
    }
    let what =
      "transactions by way \(way) from \(start.transactionNumber) where \(fetch.predicate.map { "\($0)" } ?? "all"), "
      + "from \(fetch.fetchOffset), at most \(fetch.fetchLimit)"
    note(what)
    let seen = try answer(request, coordinator) as? [NSPersistentHistoryTransaction] ?? []
    try require(seen.map(\.transactionNumber), chosen.map(\.transactionNumber), .historyDivergence, what)
    try require(
      seen.flatMap { $0.changes ?? [] }.map(\.changeID), chosen.flatMap { $0.changes ?? [] }.map(\.changeID),
      .historyDivergence, "the changes of \(what)")
    request.resultType = .count
    try require(try answer(request, coordinator) as? Int, chosen.count, .historyDivergence, "the number of \(what)")
    request.resultType = .changesOnly
    let changes = try answer(request, coordinator) as? [NSPersistentHistoryChange] ?? []
    try require(
      changes.map(\.changeID), chosen.flatMap { $0.changes ?? [] }.map(\.changeID), .historyDivergence,
      "the changes alone of \(what)")
  }

  /// A request with a flaw is an error, whatever it asks for.
  func refuseRequest(ofChanges: Bool, _ coordinator: NSPersistentStoreCoordinator) throws {
    let fetch = ofChanges ? NSPersistentHistoryChange.fetchRequest : NSPersistentHistoryTransaction.fetchRequest
    guard let fetch else { return }
    precondition(fetch.sortDescriptors?.isEmpty ?? true, "a request has one flaw, which is drawn")
    let flaw = draw(4)
    // Keys that there are not, and one of which the values have no order.
    let key = pick(["nothing", "author.length.nothing", ofChanges ? "transaction" : "token"]) ?? "nothing"
    switch flaw {
    case 0: fetch.fetchOffset = -1 - draw(3)
    case 1: fetch.fetchLimit = -1 - draw(3)
    default: fetch.sortDescriptors = [NSSortDescriptor(key: key, ascending: chance(1, of: 2))]
    }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = pick([.transactionsAndChanges, .changesOnly, .count, .objectIDs]) ?? .count
    note("a request for \(ofChanges ? "changes" : "transactions") with flaw \(flaw), key \(key)")
    let code = AnythingClient.error { _ = try answer(request, coordinator) }?.code
    try require(
      code, NSCoreDataError, .historyDivergence, "the error of a request for history with flaw \(flaw), key \(key)")
  }

  // MARK: Deletions

  /// A deletion says how many there were; before no point it deletes none; the changes go along.
  func purgeByCount(_ all: [NSPersistentHistoryTransaction], _ coordinator: NSPersistentStoreCoordinator) throws {
    guard let first = pick(all) else { return }
    let dates = [Date.distantPast, Date(timeIntervalSinceReferenceDate: -.infinity)]
    note("delete the history before \(first.transactionNumber), and count")
    let before = all.filter { $0.transactionNumber < first.transactionNumber }.count
    for (request, count) in [
      (NSPersistentHistoryChangeRequest.deleteHistory(before: NSPersistentHistoryToken?.none), 0),
      (.deleteHistory(before: NSPersistentHistoryTransaction?.none), 0),
      (.deleteHistory(before: pick(dates) ?? .distantPast), 0), (.deleteHistory(before: first.token), before),
      (.deleteHistory(before: first), 0),
    ] {
      request.resultType = .count
      try require(
        try answer(request, coordinator) as? Int, count, .earlyPurge, "how many transactions a deletion names")
    }
    let left = all.dropFirst(before)
    let seen = try everything(coordinator)
    try require(
      seen.map { "\($0.transactionNumber): \($0.changes?.count ?? -1)" },
      left.map { "\($0.transactionNumber): \($0.changes?.count ?? -1)" }, .earlyPurge,
      "the transactions, with their changes, that a deletion leaves")
    try require(
      coordinator.currentPersistentHistoryToken(fromStores: nil), all.last?.token, .tokenRegression,
      "the token of the last transaction after a deletion")
  }

  /// Before a date after all of them there is everything.
  func purgeByDate(_ coordinator: NSPersistentStoreCoordinator) throws {
    let dates = [Date.distantFuture, Date(timeIntervalSinceReferenceDate: .infinity), Date(timeIntervalSinceNow: 60)]
    let (date, count) = (pick(dates) ?? .distantFuture, try everything(coordinator).count)
    note("delete the history before \(date.timeIntervalSinceReferenceDate)")
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: date)
    request.resultType = .count
    try require(
      [try answer(request, coordinator) as? Int, try everything(coordinator).count], [count, 0], .earlyPurge,
      "how many a deletion before \(date.timeIntervalSinceReferenceDate) deletes, and leaves")
  }

  // MARK: Stores

  /// Each of two stores has its own numbers; requests about one leave the other alone.
  func recordInStores() throws {
    let coordinator = try open(at: newURL(), history: true)
    let second = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: newURL(),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let stores = [coordinator.persistentStores.first, second].compactMap { $0 }
    let owner = context(coordinator)
    var counts = [0, 0]
    func add(_ home: Int) throws {
      try owner.performAndWait {
        owner.assign(insert("Tag", owner), to: stores[home])
        try save(owner)
      }
      counts[home] += 1
    }
    func ask(_ request: NSPersistentHistoryChangeRequest, _ stores: [NSPersistentStore]? = nil) throws -> [String] {
      request.affectedStores = stores
      let found = try answer(request, coordinator) as? [NSPersistentHistoryTransaction] ?? []
      return found.map { "\($0.storeID) \($0.transactionNumber)" }.sorted()
    }
    func names(_ home: Int, after first: Int = 0) -> [String] {
      (first..<max(first, counts[home])).map { "\(stores[home].identifier ?? "") \($0 + 1)" }
    }
    for home in [0, 1] + (0..<(2 + draw(4))).map({ _ in draw(2) }) { try add(home) }
    let all = NSPersistentHistoryToken?.none
    for home in 0..<2 {
      try require(
        try ask(.fetchHistory(after: all), [stores[home]]), names(home).sorted(), .historyDivergence,
        "the transactions of store \(home) alone")
    }
    guard let own = coordinator.currentPersistentHistoryToken(fromStores: [stores[0]]),
      let both = coordinator.currentPersistentHistoryToken(fromStores: nil)
    else { return try report(.historyDivergence, "the tokens of two stores", expected: "tokens", seen: "none") }
    let old = counts
    precondition(old.allSatisfy { $0 > 0 }, "each store has a transaction before the tokens")
    for home in (0..<(1 + draw(3))).map({ _ in draw(2) }) { try add(home) }
    try require(
      try ask(.fetchHistory(after: own)), (names(0, after: old[0]) + names(1)).sorted(), .historyDivergence,
      "the transactions after a token that names one of two stores")
    try require(
      try ask(.fetchHistory(after: both)), (names(0, after: old[0]) + names(1, after: old[1])).sorted(),
      .historyDivergence, "the transactions after a token that names two stores")
    let batch = NSBatchUpdateRequest(entityName: "Tag")
    batch.propertiesToUpdate = ["remark": "both"]
    try owner.performAndWait { _ = try owner.execute(batch) }
    counts = counts.map { $0 + 1 }
    try require(
      try ask(.fetchHistory(after: all)), (names(0) + names(1)).sorted(), .historyDivergence,
      "the transactions after a batch update of two stores")
    note("delete the history of the first store")
    _ = try answer(.deleteHistory(before: own), coordinator)
    try require(
      try ask(.fetchHistory(after: all)), (names(0, after: old[0] - 1) + names(1)).sorted(), .earlyPurge,
      "what is left when the history of one of two stores is deleted")
  }

  /// A store that has a history is only read without the option, until all of it is deleted; its numbers continue.
  func openWithoutHistory() throws {
    let url = newURL()
    func add(_ coordinator: NSPersistentStoreCoordinator) throws -> NSError? {
      let owner = context(coordinator)
      return owner.performAndWait {
        _ = insert("Box", owner)
        return AnythingClient.error { try owner.save() }
      }
    }
    func boxes(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
      let reader = freshContext(coordinator)
      return try reader.performAndWait { try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box")) }
    }
    func expect(_ error: NSError?, isRefused: Bool, _ what: String) throws {
      try require(
        error != nil, isRefused, .historyDivergence, "whether a save is refused \(what): \(error?.code ?? 0)")
    }
    let first = try open(at: url, history: true)
    for _ in 0..<2 { try expect(try add(first), isRefused: false, "with a history") }
    if chance(1, of: 2) { _ = try answer(.deleteHistory(before: try everything(first).last), first) }
    try close(first)
    note("open a store without its history")
    let without = try open(at: url)
    try expect(try add(without), isRefused: true, "without the option")
    let update = NSBatchUpdateRequest(entityName: "Box")
    update.propertiesToUpdate = ["size": 4]
    let owner = context(without)
    try expect(
      owner.performAndWait { AnythingClient.error { _ = try owner.execute(update) } }, isRefused: true,
      "of a batch request without the option")
    try require(try boxes(without), 2, .dirtyRead, "boxes after refused saves")
    try close(without)
    let again = try open(at: url, history: true)
    try require(try everything(again).last?.transactionNumber, 2, .historyDivergence, "the last transaction")
    _ = try answer(.deleteHistory(before: Date(timeIntervalSinceNow: 60)), again)
    try close(again)
    let free = try open(at: url)
    try expect(try add(free), isRefused: false, "once all of the history is deleted")
    try close(free)
    let last = try open(at: url, history: true)
    try expect(try add(last), isRefused: false, "with a history again")
    try require(
      try everything(last).map(\.transactionNumber), [3], .historyDivergence,
      "the number of a transaction after all were deleted and the store was written without")
    try close(last)
  }

  /// Each model that opens a store says what deleted objects leave, whatever the models before it have kept.
  func keepOthers() throws {
    let url = newURL()
    func words(_ name: String?, _ values: [String: Any]) -> String {
      let texts = values.map { "\($0.key) \(RulePicture.text($0.value))" }
      return "\(name ?? ""): \(texts.sorted())"
    }
    for opening in 0..<3 {
      guard let model = RuleModel.shared.copy() as? NSManagedObjectModel else { return }
      var kept: [String: [String]] = [:]
      for (name, keys) in [("Box", ["size", "title"]), ("Plain", ["rank"]), ("Tag", ["label", "remark", "weight"])] {
        guard let entity = model.entitiesByName[name] else { continue }
        // The hash of an entity with a modifier says nothing about its attributes.
        entity.versionHashModifier = "modified"
        let chosen = some(keys, atMost: opening == 0 ? 1 : keys.count)
        for key in keys {
          entity.attributesByName[key]?.preservesValueInHistoryOnDeletion = chosen.contains(key)
        }
        kept[name] = chosen
      }
      precondition(kept.count == 3, "an object of each entity is deleted")
      note("opening \(opening) keeps \(kept.sorted { $0.key < $1.key })")
      let coordinator = try open(model, at: url, history: true)
      let owner = context(coordinator)
      let expected = try owner.performAndWait {
        let objects = kept.keys.sorted().map { insertNumbered($0, owner) }
        for object in objects {
          let number = newNumber()
          for key in kept[object.entity.name ?? ""] ?? [] {
            let isText = object.entity.attributesByName[key]?.attributeType == .stringAttributeType
            object.setValue(isText ? "text \(number)" as Any : number, forKey: key)
          }
        }
        try save(owner)
        let words = objects.map { object in
          words(object.entity.name, object.dictionaryWithValues(forKeys: kept[object.entity.name ?? ""] ?? []))
        }
        for object in objects { owner.delete(object) }
        try save(owner)
        return words
      }
      let seen = (try everything(coordinator).last?.changes ?? []).map { change in
        words(change.changedObjectID.entity.name, (change.tombstone ?? [:]) as? [String: Any] ?? [:])
      }
      try require(
        seen.sorted(), expected.sorted(), .historyDivergence, "what deleted objects leave, opening \(opening)")
      try close(coordinator)
    }
  }
}
