import Checking
import CoreData

// S6.17: every way of reading in a context with a query generation, and in its children, gives the one state: dictionaries, IDs,
// batches, prefetched members, faults of rows that have gone since, asynchronous fetches; what is no save, no reset and no merge
// leaves it there; the row cache of others has nothing of it.

extension RuleTrial {
  func pins() throws {
    let coordinator = try open(history: true)
    let writer = context(chance(1, of: 2) ? coordinator : try open(history: true), .mergeByPropertyObjectTrump)
    try writer.performAndWait {
      populate(writer, items: 6)
      try save(writer)
    }
    let pinned = context(coordinator, .mergeByPropertyObjectTrump)
    var state = try choose(pinned, writer, coordinator)
    for _ in 0..<(3 + draw(4)) {
      try change(writer)
      try stay(pinned)
      let reader = chance(1, of: 2) ? pinned : context(in: pinned)
      for _ in 0..<2 { try read(reader, pinned, state) }
      try readNewest(coordinator)
      guard chance(1, of: 3) else { continue }
      state = try chance(1, of: 2) ? choose(pinned, writer, coordinator) : saveBesideOthers(pinned, writer, coordinator)
    }
    try followPinned(coordinator, writer)
  }

  // MARK: The state

  /// The state is that of the first read: what others save before it is part of it.
  private func choose(
    _ pinned: NSManagedObjectContext, _ writer: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> RulePicture {
    precondition(pinned.persistentStoreCoordinator === coordinator, "a state is that of the file of the context")
    note("pin, and change something before the first read")
    try pinned.performAndWait {
      pinned.refreshAllObjects()
      try pinned.setQueryGenerationFrom(.current)
      try require(
        pinned.queryGenerationToken == NSQueryGenerationToken.current, true, .generationChange,
        "whether the token before a read is the current one")
    }
    if chance(2, of: 3) { try change(writer) }
    let expected = try picture(freshContext(coordinator))
    try require(
      try picture(pinned), expected, .generationChange, "at the first read of a context with a query generation")
    let other = context(coordinator)
    try pinned.performAndWait {
      guard let token = pinned.queryGenerationToken else {
        return try report(.generationChange, "the token after a read", expected: "a token", seen: "none")
      }
      try other.performAndWait {
        try other.setQueryGenerationFrom(token)
        try require(
          other.queryGenerationToken, token, .generationChange, "the token of a context that was given another one's")
      }
    }
    return expected
  }

  /// Others change rows in a drawn way.
  private func change(_ writer: NSManagedObjectContext) throws {
    try writer.performAndWait {
      writer.refreshAllObjects()
      switch draw(5) {
      case 0:
        note("others: batch update")
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = ["name": "batch \(draw(9))", "rank": draw(9)]
        _ = try writer.execute(request)
      case 1:
        guard let item = pick(try all("Item", writer)) else { return }
        note("others: delete item \(RulePicture.number(item))")
        writer.delete(item)
        try save(writer)
      default:
        for _ in 0..<(1 + draw(4)) { try changeSomething(writer) }
        try save(writer)
      }
    }
  }

  /// Steps that are no save, no reset and no merge.
  private func stay(_ pinned: NSManagedObjectContext) throws {
    try pinned.performAndWait {
      switch draw(5) {
      case 0:
        note("a save of the pinned context is refused")
        guard let box = try all("Box", pinned).first else { return }
        box.setValue(String(repeating: "long ", count: 9), forKey: "title")
        try require(
          AnythingClient.error { try pinned.save() } == nil, false, .failedSave, "whether a long title is refused")
        pinned.rollback()
      case 1:
        note("changes of the pinned context are rolled back")
        for _ in 0..<2 { try changeSomething(pinned) }
        pinned.rollback()
      case 2:
        note("the pinned context asks for the history")
        _ = try pinned.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none))
      case 3:
        note("the pinned context carries a batch update out")
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = ["rank": 50 + draw(9)]
        _ = try pinned.execute(request)
      default: pinned.processPendingChanges()
      }
    }
  }

  // MARK: Reading

  private func text(_ object: NSManagedObject) -> String {
    RulePicture.properties(of: object).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
      separator: "; ")
  }

  private func texts(_ state: RulePicture, _ entities: [String]) -> [String] {
    state.objects.sorted { $0.key < $1.key }.filter { entities.contains($0.value["entity"] ?? "") }.map { object in
      object.value.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
    }
  }

  /// Dictionaries of all items; in a block of the context.
  private func readDictionaries(
    _ reader: NSManagedObjectContext, _ order: [NSSortDescriptor]?, _ state: RulePicture, _ what: String
  ) throws {
    let entities = ["Item", "SpecialItem"]
    let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
    (rows.resultType, rows.propertiesToFetch) = (
      .dictionaryResultType, [RuleModel.number, "name", "rank", "box.title"]
    )
    rows.sortDescriptors = order
    let seen = try reader.fetch(rows).map { row in
      [RuleModel.number, "name", "rank", "box.title"].map { RulePicture.text(row[$0]) }.joined(separator: " ")
    }
    let values = state.objects.sorted { $0.key < $1.key }.map(\.value).filter {
      entities.contains($0["entity"] ?? "")
    }
    let byHand = values.map { item in
      let box = RulePicture.numbers(item["box"]).first.flatMap { state.objects[$0]?["title"] } ?? "null"
      return [item[RuleModel.number], item["name"], item["rank"], box].map { $0 ?? "null" }.joined(separator: " ")
    }
    try require(seen, byHand, .generationChange, "dictionaries of \(what)")
  }

  /// One drawn way of reading all items.
  func read(_ reader: NSManagedObjectContext, _ pinned: NSManagedObjectContext, _ state: RulePicture) throws {
    precondition(reader === pinned || reader.parent === pinned, "a child reads the state of its parent")
    let way = draw(7)
    for context in [pinned, reader] { context.performAndWait { context.refreshAllObjects() } }
    let entities = ["Item", "SpecialItem"]
    let expected = texts(state, entities)
    let what = "items of one state, read in way \(way) in \(reader.name ?? "")"
    note(what)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
    if way == 0 {
      return try require(
        try fetchLater(reader, request),
        state.objects.filter { entities.contains($0.value["entity"] ?? "") }.keys.sorted(),
        .generationChange, "\(what), asynchronously")
    }
    try reader.performAndWait {
      switch way {
      case 1:
        // A child's dictionaries are of the newest state.
        if reader === pinned { try readDictionaries(reader, request.sortDescriptors, state, what) }
      case 2, 3:
        if way == 2 {
          request.fetchBatchSize = 2
        } else {
          request.relationshipKeyPathsForPrefetching = ["box", "tags"]
        }
        request.returnsObjectsAsFaults = chance(1, of: 2)
        try require(try reader.fetch(request).map(text), expected, .generationChange, what)
      case 4:
        // Faults, of rows that others may have deleted or changed.
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        (ids.resultType, ids.sortDescriptors) = (.managedObjectIDResultType, request.sortDescriptors)
        let found = try reader.fetch(ids)
        let isSure = chance(1, of: 2)
        let objects = try found.map { try isSure ? reader.existingObject(with: $0) : reader.object(with: $0) }
        try require(objects.map(text), expected, .generationChange, "faults of \(what)")
      case 5:
        let boxes = try all("Box", reader)
        let members = boxes.map { box in
          let items = box.value(forKey: "items") as? Set<NSManagedObject> ?? []
          return "\(RulePicture.number(box)): \(items.map(RulePicture.number).sorted()) \(text(box))"
        }
        let byHand = state.objects.sorted { $0.key < $1.key }.filter { $0.value["entity"] == "Box" }.map {
          number, box in
          "\(number): \(box["items"] ?? "") \(texts(state.part([number]), ["Box"])[0])"
        }
        try require(members, byHand, .generationChange, "boxes, and members of theirs, of \(what)")
      default:
        request.predicate = NSPredicate(
          format: chance(1, of: 2) ? "box.itemCount > 0 AND rank < 9" : "mark == nil AND rank < 9")
        let chosen = try all("Item", reader).filter { request.predicate?.evaluate(with: $0) ?? true }.map(
          RulePicture.number)
        try require(try reader.fetch(request).map(RulePicture.number), chosen, .generationChange, "a choice of \(what)")
        try require(try reader.count(for: request), chosen.count, .generationChange, "the count of a choice of \(what)")
      }
    }
  }

  /// A context without a generation, and without a fetch that would ask the file, has nothing of an older state.
  func readNewest(_ coordinator: NSPersistentStoreCoordinator) throws {
    let newest = try picture(freshContext(coordinator))
    let reader = context(coordinator)
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    ids.resultType = .managedObjectIDResultType
    try reader.performAndWait {
      for id in try reader.fetch(ids) {
        let item = try reader.existingObject(with: id)
        let number = RulePicture.number(item)
        for key in ["name", "rank", "box", "shelf"] {
          try require(
            RulePicture.properties(of: item)[key], newest.objects[number]?[key], .staleRead,
            "\(key) of \(number) beside a context with a query generation")
        }
      }
    }
  }

  // MARK: Moving

  /// A save of the pinned context is compared with the newest rows: what it has not changed itself is as others have it.
  private func saveBesideOthers(
    _ pinned: NSManagedObjectContext, _ writer: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> RulePicture {
    precondition(pinned.persistentStoreCoordinator === coordinator, "the context saves to the file that it read")
    note("the pinned context saves a box that others have changed since")
    let number = try writer.performAndWait {
      writer.refreshAllObjects()
      let box = try all("Box", writer).first
      box?.setValue(1_000 + newNumber(), forKey: "size")
      box?.setValue("others", forKey: "title")
      try save(writer)
      return box.map(RulePicture.number)
    }
    let before = try picture(freshContext(coordinator))
    let isStrict = chance(1, of: 2)
    try pinned.performAndWait {
      pinned.refreshAllObjects()
      guard let box = try all("Box", pinned).first(where: { RulePicture.number($0) == number }) else { return }
      pinned.mergePolicy = isStrict ? NSMergePolicy.error : NSMergePolicy.mergeByPropertyObjectTrump
      // Another title than any before: a value that the row has is no change.
      let title = "pinned \(newNumber())"
      box.setValue(title, forKey: "title")
      let code = AnythingClient.error { try pinned.save() }?.code
      try require(
        code, isStrict ? NSManagedObjectMergeError : nil, .lostUpdate,
        "the error of a save of an older state, by the policy \(isStrict ? "error" : "object trump")")
      if isStrict { pinned.rollback() }
      pinned.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      guard !isStrict else { return }
      try require(
        [RulePicture.text(box.value(forKey: "title")), RulePicture.text(box.value(forKey: "size"))],
        [title, before.objects[number ?? 0]?["size"] ?? ""], .lostUpdate,
        "title and size of a box that a context with a query generation saved")
    }
    pinned.performAndWait { pinned.reset() }
    let after = try picture(freshContext(coordinator))
    try require(try picture(pinned), after, .staleRead, "in a pinned context after its reset")
    return after
  }

  /// A context that merges by itself moves with what others save through its coordinator.
  private func followPinned(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    guard writer.persistentStoreCoordinator === coordinator else { return }
    let follower = context(coordinator, merges: true)
    try follower.performAndWait { try follower.setQueryGenerationFrom(.current) }
    _ = try picture(follower)
    note("a pinned context that merges by itself")
    try writer.performAndWait {
      writer.refreshAllObjects()
      _ = insert("Tag", writer)
      if let item = pick(try all("Item", writer)) { item.setValue("merged \(newNumber())", forKey: "name") }
      try save(writer)
    }
    follower.performAndWait { follower.refreshAllObjects() }
    try require(
      try picture(follower), try picture(freshContext(coordinator)), .staleRead,
      "in a context with a query generation that merges by itself")
  }
}
