import Checking
import CoreData
import Scheduling

// S7.4: an asynchronous fetch of every form says what a fetch says, in roots and children; it has what its context merges or reads
// before the block; its objects are filled; what is wrong with it is thrown at once; one that is cancelled gives nothing, once.

extension RuleTrial {
  func laters() throws {
    let coordinator = try open()
    let (writer, root) = (
      context(coordinator, .mergeByPropertyObjectTrump), context(coordinator, .mergeByPropertyObjectTrump)
    )
    try writer.performAndWait {
      populate(writer, items: 6 + draw(6))
      try save(writer)
    }
    let reader = chance(1, of: 3) ? context(in: root) : root
    for _ in 0..<3 {
      if chance(1, of: 2) {
        try reader.performAndWait {
          for _ in 0..<draw(3) { try changeSomething(reader) }
          // Rules that a fetch has followed would count for the next one alone.
          reader.processPendingChanges()
        }
      }
      try askLater(reader)
    }
    reader.performAndWait { reader.rollback() }
    for _ in 0..<4 { try changeBeforeBlock(reader) }
    reader.performAndWait { reader.rollback() }
    try refuseLater(reader)
    for _ in 0..<3 { try hearBeforeBlock(coordinator, writer) }
    try changeBehindBatches(coordinator)
  }

  /// The answer as text; in a block of the context.
  private struct Later: Sendable {
    var answer: [String] = []
    var areFaults = false
    var blocks = 0
    var code: Int?
  }

  /// Carries a request out, and waits for its block.
  ///
  /// - Parameter step: what the context does between the call and the block; in its block.
  private func carryOutLater<Found>(
    _ reader: NSManagedObjectContext, _ request: NSFetchRequest<Found>, cancels: Bool = false,
    _ text: @escaping (Found) -> String, _ step: () throws -> Void = {}
  ) throws -> Later {
    let latch = Latch(label: "an asynchronous fetch of one form")
    let later = Locked(Later())
    let whole = Progress(totalUnitCount: 1)
    try reader.performAndWait {
      whole.becomeCurrent(withPendingUnitCount: 1)
      let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        let found = result.finalResult ?? []
        // Before a value is read.
        let areFaults = found.contains { ($0 as? NSManagedObject)?.isFault ?? false }
        let answer = found.map(text)
        later.withLock { later in
          later.blocks += 1
          (later.answer, later.areFaults) = (answer, areFaults)
          later.code = result.operationError.map { ($0 as NSError).code }
        }
        latch.open()
      }
      let result = try reader.execute(asynchronous) as? NSAsynchronousFetchResult<Found>
      whole.resignCurrent()
      if cancels { result?.cancel() }
      try step()
    }
    latch.wait()
    // Whatever comes after the block is in the queue by now.
    reader.performAndWait {}
    precondition(later.withLock { $0.blocks } > 0, "a block has opened the latch")
    let ended = later.withLock { $0 }
    try require(
      whole.isFinished, ended.code == nil, .wrongValue,
      "whether the progress of an asynchronous fetch that finds \(ended.answer.count) has finished")
    return ended
  }

  // MARK: Forms

  /// Each form of the answer, by settings that the store cannot always follow.
  private func askLater(_ reader: NSManagedObjectContext) throws {
    let predicate = pick([
      nil, NSPredicate(format: "rank > 1"), NSPredicate(format: "mark == nil AND rank < 3"),
      NSPredicate(format: "box.itemCount > 1 OR weight == nil"), NSPredicate(format: "ANY tags.weight > 1"),
    ])?.flatMap { $0 }
    let descriptors = (some(["rank", "name", "box.title"], atMost: 1) + [RuleModel.number]).map {
      NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
    }
    let (offset, limit, isSavedOnly) = (draw(3), draw(5), reader.parent == nil && chance(1, of: 4))
    func request<Found>(_: Found.Type) -> NSFetchRequest<Found> {
      let request = NSFetchRequest<Found>(entityName: "Item")
      (request.predicate, request.sortDescriptors) = (predicate, descriptors)
      (request.fetchOffset, request.fetchLimit) = (offset, limit)
      request.includesPendingChanges = !isSavedOnly
      return request
    }
    let what =
      "an asynchronous fetch where \(predicate.map { "\($0)" } ?? "all"), from \(offset), at most \(limit)"
      + "\(isSavedOnly ? ", of what is saved" : ""), in \(reader.name ?? "")"
    note(what)
    func id(_ id: NSManagedObjectID) -> String { id.uriRepresentation().lastPathComponent }
    let objects = request(NSManagedObject.self)
    objects.returnsObjectsAsFaults = chance(1, of: 2)
    let isWhole = chance(2, of: 3)
    if !isWhole { if chance(1, of: 2) { objects.fetchBatchSize = 2 } else { objects.includesPropertyValues = false } }
    if chance(1, of: 3) { objects.relationshipKeyPathsForPrefetching = ["box", "tags"] }
    let expected = try reader.performAndWait { try reader.fetch(objects).map { id($0.objectID) } }
    let seen = try carryOutLater(reader, objects, { id($0.objectID) })
    try require(seen.answer, expected, .wrongValue, what)
    if isWhole, !isSavedOnly {
      try require(seen.areFaults, false, .wrongValue, "whether objects of \(what) are faults")
    }
    let ids = request(NSManagedObjectID.self)
    ids.resultType = .managedObjectIDResultType
    try require(try carryOutLater(reader, ids, { id($0) }).answer, expected, .wrongValue, "the IDs of \(what)")
    let rows = request(NSDictionary.self)
    (rows.resultType, rows.propertiesToFetch) = (.dictionaryResultType, [RuleModel.number])
    func number(_ row: NSDictionary) -> String { "\((row[RuleModel.number] as? NSNumber)?.intValue ?? -1)" }
    let dictionaries = try reader.performAndWait { try reader.fetch(rows).map(number) }
    try require(
      try carryOutLater(reader, rows, number).answer, dictionaries, .wrongValue, "the dictionaries of \(what)")
    let counted = request(NSNumber.self)
    counted.resultType = .countResultType
    try require(
      try carryOutLater(reader, counted, { "\($0.intValue)" }).answer, ["\(expected.count)"], .wrongValue,
      "the count of \(what)")
  }

  /// The call throws for a request that cannot be carried out, without calling its block; a cancelled one has no results.
  private func refuseLater(_ reader: NSManagedObjectContext) throws {
    let unknown = NSFetchRequest<NSManagedObject>(entityName: "Item")
    unknown.predicate = NSPredicate(format: "colour == 1")
    let calls = Locked(0)
    let code = reader.performAndWait {
      AnythingClient.error {
        _ = try reader.execute(
          NSAsynchronousFetchRequest(fetchRequest: unknown) { _ in calls.withLock { $0 += 1 } })
      }?.code
    }
    try require(code, NSCoreDataError, .wrongValue, "the error of an asynchronous fetch by an unknown key")
    let items = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let cancelled = try carryOutLater(reader, items, cancels: true, { "\($0.objectID)" })
    try require(
      [cancelled.answer.count, cancelled.blocks, cancelled.code ?? 0], [0, 1, CocoaError.Code.userCancelled.rawValue],
      .wrongValue,
      "results, blocks and the error of an asynchronous fetch that was cancelled")
    try require(calls.withLock { $0 }, 0, .wrongValue, "blocks of a request that was refused")
    for isEmpty in [false, true] {
      if isEmpty { items.predicate = NSPredicate(format: "number < \(draw(2))") }
      let whole = try carryOutLater(reader, items, { "\($0.objectID)" })
      try require(
        [whole.blocks, whole.code ?? 0], [1, 0], .wrongValue, "blocks of an asynchronous fetch, and its error")
    }
  }

  // MARK: One state

  /// The context changes, inserts, deletes and takes back between the call and the block, and saves nothing: the answer is that of a loop
  /// over its objects then, with their values.
  private func changeBeforeBlock(_ reader: NSManagedObjectContext) throws {
    let format = pick(["TRUEPREDICATE", "rank > 1", "name != nil AND rank < 3", "box != nil", "mark == nil"]) ?? ""
    let predicate = NSPredicate(format: format, argumentArray: [])
    let isPaged = chance(1, of: 3)
    func ask<Found>(_ type: NSFetchRequestResultType, _ text: @escaping (Found) -> String) throws -> [String] {
      let request = NSFetchRequest<Found>(entityName: "Item")
      (request.predicate, request.resultType) = (predicate, type)
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
      if isPaged { (request.fetchOffset, request.fetchLimit) = (1, 4) }
      request.returnsObjectsAsFaults = chance(1, of: 2)
      note(
        "an asynchronous fetch of kind \(type.rawValue) where \(format)\(isPaged ? ", from 1, at most 4" : ""), and then"
      )
      return try carryOutLater(reader, request, text) {
        for _ in 0..<(1 + draw(4)) {
          if chance(1, of: 6) { reader.rollback() }
          try changeSomething(reader)
        }
        // Rules that nothing has followed would count for the answer or not.
        let hasRules = reader.deletedObjects.contains { $0.entity.name == "Box" }
        if hasRules || chance(1, of: 2) { reader.processPendingChanges() }
      }.answer
    }
    func text(_ item: NSManagedObject) -> String {
      "\(["number", "rank", "name", "level"].map { RulePicture.text(item.value(forKey: $0)) })"
    }
    func requireLater(_ seen: [String], _ text: (NSManagedObject) -> String) throws {
      let found = try reader.performAndWait {
        let found = try all("Item", reader).filter { predicate.evaluate(with: $0) }
        return (isPaged ? Array(found.dropFirst().prefix(4)) : found).map(text)
      }
      try require(seen, found, .readYourWrites, "an asynchronous fetch where \(format), with changes before its block")
    }
    try requireLater(try ask(.managedObjectResultType, text), text)
    func id(_ id: NSManagedObjectID) -> String { "\(id.uriRepresentation())" }
    try requireLater(try ask(.managedObjectIDResultType, id)) { id($0.objectID) }
    let count: [String] = try ask(.countResultType) { (count: NSNumber) in "\(count)" }
    try requireLater(Array(repeating: "", count: Int(count.first ?? "") ?? 0)) { _ in "" }
  }

  /// Others save after the block of a fetch in batches: each batch is of the newest rows.
  private func changeBehindBatches(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (reader, others) = (context(coordinator), context(try open()))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: chance(1, of: 2))]
    request.fetchBatchSize = 1 + draw(4)
    note("others change ranks after an asynchronous fetch in batches of \(request.fetchBatchSize)")
    // Touched in blocks of the reader.
    nonisolated(unsafe) var found: [NSManagedObject] = []
    _ = try carryOutLater(
      reader, request,
      { item in
        found.append(item)
        return ""
      })
    let expected = try others.performAndWait {
      let items = try others.fetch(request)
      for item in items { item.setValue(500 + newNumber(), forKey: "rank") }
      try save(others)
      return items.map { RulePicture.text($0.value(forKey: "rank")) }
    }
    try reader.performAndWait {
      try require(
        found.map { RulePicture.text($0.value(forKey: "rank")) }, expected, .staleRead,
        "the ranks that others saved after an asynchronous fetch in batches")
    }
  }

  /// Others save between the call and the block, and the context merges that, or reads the row: the answer has it.
  private func hearBeforeBlock(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let reader = context(coordinator)
    let merges = chance(1, of: 2)
    let held = try reader.performAndWait { try all("Item", reader) }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.returnsObjectsAsFaults = chance(1, of: 2)
    request.predicate = chance(1, of: 2) ? NSPredicate(format: "rank >= -7") : nil
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let name = "later \(newNumber())"
    var changed: [Int] = []
    var gone: Int?
    note("others save after the call of an asynchronous fetch, which is \(merges ? "merged" : "read") before its block")
    let seen = try carryOutLater(
      reader, request, { "\(RulePicture.number($0)) \(RulePicture.text($0.value(forKey: "name")))" },
      {
        try writer.performAndWait {
          writer.refreshAllObjects()
          let items = try all("Item", writer)
          let chosen = some(items, atMost: 3)
          for item in chosen { item.setValue(name, forKey: "name") }
          if merges, let item = pick(items.filter { !chosen.contains($0) }), chance(1, of: 2) {
            gone = RulePicture.number(item)
            writer.delete(item)
          }
          changed = chosen.map(RulePicture.number)
          if merges {
            let new = insert("Item", writer)
            new.setValue(name, forKey: "name")
            new.setValue(1, forKey: "rank")
            changed.append(RulePicture.number(new))
          }
          try save(writer)
        }
        if merges {
          for save in saves.removeAll() { reader.mergeChanges(fromContextDidSave: save) }
        } else {
          for item in held {
            reader.refresh(item, mergeChanges: false)
            _ = item.value(forKey: "name")
          }
        }
      })
    precondition(gone.map { !changed.contains($0) } ?? true, "an item that is deleted was not changed before")
    for number in changed {
      try require(
        seen.answer.contains("\(number) \(name)"), true, .staleRead,
        "whether an asynchronous fetch has the name of item \(number), which its context \(merges ? "merged" : "read") before"
      )
    }
    if let gone {
      try require(
        seen.answer.contains { $0.hasPrefix("\(gone) ") }, false, .resurrectedRecord,
        "whether an asynchronous fetch has item \(gone), of which its context merged the deletion before")
    }
    reader.performAndWait { withExtendedLifetime(held) {} }
  }
}
