import Cells
import Checking
import CoreData
import Scheduling

// S6.3, S6.17, S7.1 to S7.4: a fetch of several stores is one fetch: in one order, cut once, of those stores that it names, with what
// is unsaved in the context and above it; a batch request changes the stores that it names, each or none.

extension RuleTrial {
  func divided() throws {
    let coordinator = try open(at: newURL())
    let isInMemory = chance(1, of: 3)
    let second = try coordinator.addPersistentStore(
      ofType: isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
      at: isInMemory ? nil : newURL())
    let stores = DividedStores(list: [coordinator.persistentStores.first, second].compactMap { $0 })
    let writer = context(coordinator)
    try writer.performAndWait {
      for home in [0, 1, 0, 1] + (0..<(4 + draw(6))).map({ _ in draw(2) }) { try place(home, stores, writer) }
      try save(writer)
    }
    try askThroughTree(coordinator, stores)
    if !isInMemory { try pinDivided(coordinator, stores, writer) }
    for kind in [0, 1] + Array(repeating: 2, count: 6) { try batchDivided(kind, coordinator, stores) }
    try refuseDivided(coordinator, stores)
  }

  /// A new item in one of the stores, in a box of its own there now and then; in a block of the context.
  private func place(_ home: Int, _ stores: DividedStores, _ context: NSManagedObjectContext) throws {
    precondition(stores.list.indices.contains(home), "an object is in one of the stores")
    let item = insert(chance(1, of: 4) ? "SpecialItem" : "Item", context)
    note("in store \(home)")
    context.assign(item, to: stores.list[home])
    stores.homes[RulePicture.number(item)] = home
    guard chance(1, of: 2) else { return }
    let box = insert("Box", context)
    context.assign(box, to: stores.list[home])
    item.setValue(box, forKey: "box")
  }

  // MARK: Fetches

  /// Asks in a root, a child or a grandchild, with unsaved changes at each level.
  private func askThroughTree(_ coordinator: NSPersistentStoreCoordinator, _ stores: DividedStores) throws {
    var chain = [context(coordinator)]
    for _ in 0..<draw(3) { chain.append(context(in: chain[chain.count - 1])) }
    for level in chain where chance(2, of: 3) {
      try level.performAndWait {
        try changeDivided(level, stores)
        level.processPendingChanges()
      }
    }
    guard let reader = chain.last else { return }
    for _ in 0..<4 { try askDivided(reader, stores) }
    try followDivided(reader, stores)
  }

  /// A controller lists objects of the stores that its request names, whatever changes in the others.
  private func followDivided(_ reader: NSManagedObjectContext, _ stores: DividedStores) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [pick(["rank", "name"]) ?? "rank", RuleModel.number].map {
      NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
    }
    precondition(stores.list.count == 2, "one of two stores is named")
    let named = draw(2)
    request.affectedStores = [stores.list[named]]
    try reader.performAndWait {
      let follower = try ControllerFollower(reader, request)
      defer { follower.end() }
      for _ in 0..<2 {
        try changeDivided(reader, stores)
        let problem = try follower.problemNow() ?? follower.problemOfPlaces()
        try require(problem, nil, .controllerDivergence, "a controller of store \(named) in \(reader.name ?? "")")
      }
    }
  }

  /// Unsaved changes of objects of both stores; in a block of the context.
  private func changeDivided(_ context: NSManagedObjectContext, _ stores: DividedStores) throws {
    let items = try all("Item", context)
    for item in some(items, atMost: 4) { set(pick(["rank", "name", "weight"]) ?? "rank", of: item) }
    if let item = pick(items), chance(1, of: 2) {
      note("delete item \(RulePicture.number(item))")
      context.delete(item)
    }
    for _ in 0..<draw(3) { try place(draw(2), stores, context) }
  }

  /// One drawn question in each form of answer, beside what a loop finds.
  private func askDivided(_ reader: NSManagedObjectContext, _ stores: DividedStores) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: chance(1, of: 5) ? "SpecialItem" : "Item")
    // The store cannot say the last three.
    request.predicate = pick([
      nil, NSPredicate(format: "rank > 1"), NSPredicate(format: "box != nil"), NSPredicate(format: "NOT (name == 'Z')"),
      NSPredicate(format: "box.itemCount > 0 OR weight == nil"), NSPredicate(format: "mark == nil AND rank < 3"),
      NSPredicate(format: "mark == nil OR rank > 1"),
      NSPredicate(format: "photo == nil OR photo == %@", Data([1, 2, 3])),
    ])?.flatMap { $0 }
    let keys = some(["rank", "name", "weight", "box.title", "madeAt"], atMost: 2) + [RuleModel.number]
    let descriptors = keys.map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    request.sortDescriptors = descriptors
    (request.fetchOffset, request.fetchLimit) = (draw(4), draw(6))
    let chosen = pick([nil, [0], [1], [0, 1]])?.flatMap { $0 }
    request.affectedStores = chosen.map { $0.map { stores.list[$0] } }
    request.returnsObjectsAsFaults = chance(1, of: 2)
    request.includesPropertyValues = chance(3, of: 4)
    if chance(1, of: 3) { request.relationshipKeyPathsForPrefetching = ["box", "tags"] }
    let what =
      "a fetch of \(request.entityName ?? "") where \(request.predicate.map { "\($0)" } ?? "all"), by "
      + "\(descriptors.map { ($0.ascending ? "" : "-") + ($0.key ?? "") }), from \(request.fetchOffset), at most "
      + "\(request.fetchLimit), of stores \(chosen ?? []) in \(reader.name ?? "")"
    note(what)
    let expected = try reader.performAndWait {
      let all = try all(request.entityName ?? "Item", reader).filter { object in
        request.predicate?.evaluate(with: object) ?? true
      }
      let own = all.filter { object in
        chosen?.contains(stores.homes[RulePicture.number(object)] ?? 0) ?? true
      }
      let sorted = (own as NSArray).sortedArray(using: descriptors) as? [NSManagedObject] ?? []
      return Array(
        sorted.map(RulePicture.number).dropFirst(request.fetchOffset)
          .prefix(request.fetchLimit == 0 ? .max : request.fetchLimit))
    }
    try reader.performAndWait {
      try require(try reader.fetch(request).map(RulePicture.number), expected, .wrongValue, what)
      try require(try reader.count(for: request), expected.count, .wrongValue, "the count of \(what)")
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "Item")
      (ids.predicate, ids.sortDescriptors, ids.affectedStores) =
        (request.predicate, descriptors, request.affectedStores)
      (ids.fetchOffset, ids.fetchLimit, ids.resultType) =
        (request.fetchOffset, request.fetchLimit, .managedObjectIDResultType)
      try require(
        try reader.fetch(ids).map { RulePicture.number(reader.object(with: $0)) }, expected, .wrongValue,
        "the IDs of \(what)")
      let batched = request.copy() as? NSFetchRequest<NSManagedObject> ?? request
      batched.fetchBatchSize = 1 + draw(3)
      try require(try reader.fetch(batched).map(RulePicture.number), expected, .wrongValue, "batches of \(what)")
    }
    guard chance(1, of: 2) else { return }
    // Either request names the stores.
    let affected = chance(1, of: 2) ? request.affectedStores : nil
    if affected != nil { request.affectedStores = nil }
    try require(try fetchLater(reader, request, of: affected), expected, .wrongValue, "\(what), asynchronous")
  }

  /// The objects that an asynchronous fetch finds, by numbers.
  func fetchLater(
    _ reader: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>, of stores: [NSPersistentStore]? = nil
  ) throws -> [Int] {
    let latch = Latch(label: "asynchronous fetch of a trial")
    let answer = Locked<Result<[Int], any Error>>(.success([]))
    try reader.performAndWait {
      let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        let found: Result<[Int], any Error> =
          result.operationError.map { .failure($0) } ?? .success((result.finalResult ?? []).map(RulePicture.number))
        answer.withLock { $0 = found }
        latch.open()
      }
      later.affectedStores = stores
      _ = try reader.execute(later)
    }
    latch.wait()
    return try answer.withLock { $0 }.get()
  }

  // MARK: Query generations

  /// A query generation is of all stores: others change each of them, and the context sees neither.
  private func pinDivided(
    _ coordinator: NSPersistentStoreCoordinator, _ stores: DividedStores, _ writer: NSManagedObjectContext
  ) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "the writer saves to both stores")
    let pinned = context(coordinator)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [
      NSSortDescriptor(key: "rank", ascending: chance(1, of: 2)),
      NSSortDescriptor(key: RuleModel.number, ascending: true),
    ]
    request.fetchLimit = 2 + draw(6)
    func ask() throws -> [String] {
      try pinned.performAndWait {
        pinned.refreshAllObjects()
        return try pinned.fetch(request).map {
          "\(RulePicture.number($0)) of rank \(RulePicture.text($0.value(forKey: "rank")))"
        }
      }
    }
    note("pin a context of two stores")
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
    let before = try ask()
    try writer.performAndWait {
      for item in try all("Item", writer) where chance(2, of: 3) { item.setValue(draw(9), forKey: "rank") }
      try place(1, stores, writer)
      try save(writer)
    }
    try require(try ask(), before, .generationChange, "a fetch of two stores with a query generation")
    let reader = freshContext(coordinator)
    let newest = try reader.performAndWait {
      try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
    }
    try pinned.performAndWait {
      pinned.reset()
      try require(
        try pinned.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")), newest, .staleRead,
        "the count of two stores after a reset of a context with a query generation")
    }
  }

  // MARK: Batch requests

  /// The names and ranks of the items of each store.
  private func rows(
    _ coordinator: NSPersistentStoreCoordinator, _ stores: DividedStores
  ) throws -> [[Int: String]] {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      try stores.list.map { store in
        let items = try all("Item", reader).filter { $0.objectID.persistentStore === store }
        return Dictionary(
          items.map { item in
            (
              RulePicture.number(item),
              ["rank", "name", "level"].map { RulePicture.text(item.value(forKey: $0)) }.joined(separator: " ")
            )
          }, uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// An update, an insert or a delete of the stores that the request names.
  private func batchDivided(
    _ kind: Int, _ coordinator: NSPersistentStoreCoordinator, _ stores: DividedStores
  ) throws {
    let owner = context(coordinator)
    let chosen = pick([nil, [0], [1], [0, 1]])?.flatMap { $0 }
    let affected = chosen.map { $0.map { stores.list[$0] } }
    var expected = try rows(coordinator, stores)
    let all = expected.flatMap(\.keys).sorted()
    let limit = (pick(all) ?? 0) + draw(3)
    // One of the IDs is of a store that the request is for; the others may be of any.
    let own = (chosen ?? [0, 1]).flatMap { expected[$0].keys.sorted() }
    let victim = kind == 2 && chance(1, of: 3) ? pick(own) : nil
    let meant = Set(victim.map { [$0] + some(all, atMost: 5) } ?? all.filter { $0 < limit })
    var touched = own.filter(meant.contains)
    // IDs have no page; one is of all stores together.
    let page = kind == 2 && victim == nil ? self.limit(below: 4) : 0
    if page > 0 { touched = Array(touched.sorted().prefix(page)) }
    note(
      "batch request \(kind) of stores \(chosen ?? []), items \(meant.sorted())\(victim == nil ? "" : " by IDs"), at most \(page)"
    )
    let result: Any? = try owner.performAndWait {
      switch kind {
      case 0:
        let request = NSBatchUpdateRequest(entityName: "Item")
        (request.affectedStores, request.resultType) = (affected, .updatedObjectIDsResultType)
        // The second predicate is one that SQL cannot say.
        request.predicate = NSPredicate(
          format: chance(1, of: 2) ? "number < %ld" : "number < %ld AND mark == nil", limit)
        request.propertiesToUpdate = ["rank": 77, "name": "batch", "level": 7]
        return (try owner.execute(request) as? NSBatchUpdateResult)?.result
      case 1:
        let number = newNumber()
        let request = NSBatchInsertRequest(
          entityName: "Item", objects: [[RuleModel.number: number, "rank": 5, "name": "new", "level": 1]])
        (request.affectedStores, request.resultType) = (affected, .objectIDs)
        expected[chosen?.first ?? 0][number] = "5 new 1"
        stores.homes[number] = chosen?.first ?? 0
        touched = [number]
        return (try owner.execute(request) as? NSBatchInsertResult)?.result
      default:
        let request = try deletion(of: meant, isByIDs: victim != nil, limit, page, of: affected, owner)
        return (try owner.execute(request) as? NSBatchDeleteResult)?.result
      }
    }
    for index in chosen ?? [0, 1] where kind != 1 {
      for number in touched where expected[index][number] != nil {
        expected[index][number] = kind == 0 ? "77 batch 7" : nil
      }
    }
    let seen = try rows(coordinator, stores)
    for index in stores.list.indices {
      try require(
        seen[index].map { "\($0): \($1)" }.sorted(), expected[index].map { "\($0): \($1)" }.sorted(), .wrongValue,
        "items of store \(index) after a batch request of \(chosen ?? [])")
    }
    try require(
      (result as? [NSManagedObjectID])?.count, touched.count, .wrongValue,
      "how many objects a batch request of two stores names")
  }

  /// A batch delete of items by their IDs, or of those before a limit; in a block of the context.
  private func deletion(
    of numbers: Set<Int>, isByIDs: Bool, _ limit: Int, _ page: Int, of stores: [NSPersistentStore]?,
    _ owner: NSManagedObjectContext
  ) throws -> NSBatchDeleteRequest {
    precondition(!isByIDs || !numbers.isEmpty, "some objects have IDs")
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    fetch.predicate = NSPredicate(format: "number < %ld", limit)
    fetch.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
    fetch.fetchLimit = page
    let isOfFetch = !isByIDs && chance(1, of: 2)
    if isOfFetch { fetch.affectedStores = stores }
    let ids = try all("Item", owner).filter { numbers.contains(RulePicture.number($0)) }.map(\.objectID)
    let request = isByIDs ? NSBatchDeleteRequest(objectIDs: ids) : NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeObjectIDs
    if !isOfFetch { request.affectedStores = stores }
    return request
  }

  /// A request that one store refuses changes neither.
  private func refuseDivided(_ coordinator: NSPersistentStoreCoordinator, _ stores: DividedStores) throws {
    let owner = context(coordinator)
    let full = draw(2)
    note("a batch update gives a label to one tag of one store and to two of store \(full)")
    try owner.performAndWait {
      for home in [full, full, 1 - full] { owner.assign(insert("Tag", owner), to: stores.list[home]) }
      try save(owner)
      let request = NSBatchUpdateRequest(entityName: "Tag")
      request.propertiesToUpdate = ["label": "everyone's"]
      let code = AnythingClient.error { _ = try owner.execute(request) }?.code
      try require(
        code, NSManagedObjectConstraintMergeError, .duplicateRecord,
        "the error of a batch update that one store refuses")
    }
    let reader = freshContext(coordinator)
    try reader.performAndWait {
      let labels = try all("Tag", reader).filter { $0.value(forKey: "label") as? String == "everyone's" }
      try require(labels.count, 0, .dirtyRead, "tags that a refused batch update of two stores has changed")
      // The writer of each store is free again.
      let next = NSBatchUpdateRequest(entityName: "Tag")
      (next.propertiesToUpdate, next.resultType) = (["remark": "free"], .updatedObjectsCountResultType)
      let count = (try reader.execute(next) as? NSBatchUpdateResult)?.result as? Int
      try require(count, 3, .wrongValue, "how many tags of two stores a batch update changes after a refused one")
    }
  }
}

/// The stores of a trial, and which of them has which item.
private final class DividedStores {
  let list: [NSPersistentStore]
  /// By the items' numbers.
  var homes: [Int: Int] = [:]

  init(list: [NSPersistentStore]) {
    precondition(list.count == 2, "objects are divided among two stores")
    self.list = list
  }
}
