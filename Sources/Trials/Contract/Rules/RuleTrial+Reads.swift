import Cells
import Checking
import CoreData
import Scheduling

// S6.3, S6.6, S6.16: whatever is saved while a block reads, its next read is the newest; no context shows an older value after
// a newer one; of a store that was removed nothing can be read. S7.1: rows that are read in batches, beside others' saves.

extension RuleTrial {
  func reads() throws {
    let (first, second) = (try open(), try open())
    let writer = context(first)
    try writer.performAndWait {
      populate(writer, items: 6)
      for item in try all("Item", writer) { item.setValue(0, forKey: "rank") }
      // So many that a fetch takes a while.
      for number in 0..<150 {
        let item = NSEntityDescription.insertNewObject(forEntityName: "SpecialItem", into: writer)
        item.setValue(1_000 + number, forKey: RuleModel.number)
      }
      try save(writer)
    }
    try readInOneBlock(first, chance(1, of: 2) ? first : second)
    try fetchInOneState(first, chance(1, of: 2) ? first : second)
    for _ in 0..<2 { try readBatches(first, chance(1, of: 2) ? first : second) }
    try readBesideWriter(first, second)
    try readWithinInterval(first)
    for _ in 0..<2 { try readBesideSave(first) }
    for _ in 0..<2 { try fetchBatchesAfterUpdate(first, second) }
    if !Simulation.isCurrent {
      try holdReads()
      try fetchAcrossReads()
    }
    try readRemovedStore(first)
  }

  /// One block reads faults, while another context saves between them.
  private func readInOneBlock(_ own: NSPersistentStoreCoordinator, _ others: NSPersistentStoreCoordinator) throws {
    let (reader, writer) = (freshContext(own), freshContext(others))
    let store = own.persistentStores.first
    try reader.performAndWait {
      let ids = try all("Item", reader).prefix(6).map(\.objectID)
      reader.reset()
      var ranks: [Int] = ids.map { _ in 0 }
      for round in 1...(3 + draw(4)) {
        let order = some(Array(ids.indices), atMost: ids.count)
        for index in order {
          if chance(1, of: 2), let changed = pick(Array(ids.indices)) {
            note("others: rank of item \(changed) = \(round * 10 + changed)")
            ranks[changed] = round * 10 + changed
            let uri = ids[changed].uriRepresentation()
            try writer.performAndWait {
              guard let id = others.managedObjectID(forURIRepresentation: uri) else { return }
              try writer.existingObject(with: id).setValue(round * 10 + changed, forKey: "rank")
              try writer.save()
              writer.reset()
            }
          }
          note("read item \(index)")
          let object = reader.object(with: ids[index])
          reader.refresh(object, mergeChanges: false)
          try require(
            (object.value(forKey: "rank") as? NSNumber)?.intValue, ranks[index], .staleRead,
            "the rank of item \(index), a fault that fired after the save")
        }
      }
    }
    precondition(store != nil, "a trial's coordinator has its store")
  }

  /// Others change, delete and insert rows while an array is read in batches: it has the objects of its fetch, and each batch is of the
  /// newest rows.
  private func readBatches(_ own: NSPersistentStoreCoordinator, _ others: NSPersistentStoreCoordinator) throws {
    let (reader, writer) = (freshContext(own), freshContext(others))
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let request = NSFetchRequest<NSManagedObject>(entityName: chance(1, of: 4) ? "SpecialItem" : "Item")
    request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: chance(1, of: 2))]
    (request.fetchOffset, request.fetchLimit) = (draw(4), 8 + draw(12))
    if chance(1, of: 2) { request.relationshipKeyPathsForPrefetching = some(["box", "tags"], atMost: 2) }
    let expected = try reader.performAndWait {
      let numbers = try reader.fetch(request).map(RulePicture.number)
      reader.reset()
      return numbers
    }
    request.fetchBatchSize = 1 + draw(6)
    note("\(expected.count) objects from \(request.fetchOffset), in batches of \(request.fetchBatchSize)")
    var shown: [Int: String] = [:]
    try reader.performAndWait {
      let found = try reader.fetch(request)
      try require(found.count, expected.count, .lostRecord, "how many objects a fetch in batches finds")
      guard !found.isEmpty else { return }
      var rows = try writeRow(of: nil, writer)
      for _ in 0..<(6 + draw(10)) {
        if chance(1, of: 2) { rows = try writeRow(of: pick(expected), writer) }
        let place = draw(found.count)
        let way = draw(5)
        note("\(["refresh all", "refresh", "read", "read", "read"][way]), and read \(expected[place])")
        if way == 0 { reader.refreshAllObjects() }
        if way == 1 { reader.refresh(found[place], mergeChanges: false) }
        for (number, object) in zip(expected, found) where object.isFault { shown[number] = nil }
        _ = found[place].value(forKey: "rank")
        for (number, object) in zip(expected, found) where !object.isFault && !object.isDeleted {
          let rank = RulePicture.text(object.value(forKey: "rank"))
          try require(
            rank, shown[number] ?? rows[number] ?? "gone", .staleRead,
            "the rank of \(number), \(shown[number] == nil ? "of a batch that was read" : "which was read before")")
          shown[number] = rank
        }
      }
      for object in found { _ = object.value(forKey: "rank") }
      try require(
        found.filter { !$0.isDeleted }.map(RulePicture.number),
        expected.filter { rows[$0] != nil || shown[$0] != nil }, .lostRecord, "the objects of a fetch in batches")
    }
  }

  /// Changes or deletes an item, or inserts another.
  ///
  /// - Returns: the rank of each row, by the items' numbers.
  private func writeRow(of number: Int?, _ writer: NSManagedObjectContext) throws -> [Int: String] {
    precondition(number ?? 1 > 0, "an item has a number")
    return try writer.performAndWait {
      writer.reset()
      if let number {
        let item = try all("Item", writer).first { RulePicture.number($0) == number }
        switch draw(5) {
        case 0: _ = insert("Item", writer)
        case 1:
          note("others delete \(number)")
          item.map(writer.delete)
        default:
          note("others change the rank of \(number)")
          item?.setValue(1_000 + newNumber(), forKey: "rank")
        }
        try save(writer)
      }
      return Dictionary(
        uniqueKeysWithValues: try all("Item", writer).map {
          (RulePicture.number($0), RulePicture.text($0.value(forKey: "rank")))
        })
    }
  }

  /// Another context saves while a fetch evaluates a predicate that only memory can: the answer is of the rows that were read.
  private func fetchInOneState(_ own: NSPersistentStoreCoordinator, _ others: NSPersistentStoreCoordinator) throws {
    let (reader, writer) = (freshContext(own), freshContext(others))
    let items = try writer.performAndWait { try all("Item", writer) }
    func rank(_ item: NSManagedObject) -> Int { (item.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
    let expected = writer.performAndWait {
      items.filter { rank($0).isMultiple(of: 2) }.map(RulePicture.number).sorted()
    }
    let (changed, place) = (some(items, atMost: 20), draw(items.count))
    let deletes = chance(1, of: 3)
    note("a fetch in memory, at the \(place). object of which \(changed.count) are \(deletes ? "deleted" : "changed")")
    let (calls, failure) = (Locked(0), Locked<(any Error)?>(nil))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate { object, _ in
      let call = calls.withLock { calls in
        defer { calls += 1 }
        return calls
      }
      if call == place {
        do {
          try writer.performAndWait {
            for item in changed { deletes ? writer.delete(item) : item.setValue(rank(item) + 1, forKey: "rank") }
            try writer.save()
          }
        } catch { failure.withLock { $0 = error } }
      }
      return (object as? NSManagedObject).map(rank)?.isMultiple(of: 2) ?? false
    }
    try reader.performAndWait {
      let found = try reader.fetch(request).map(RulePicture.number).sorted()
      if let error = failure.withLock({ $0 }) { throw error }
      try require(found, expected, .readSkew, "a fetch in memory, while another context saves")
    }
  }

  /// One context raises a number again and again, another fetches, a third merges: none that reads afterwards sees less.
  private func readBesideWriter(_ own: NSPersistentStoreCoordinator, _ others: NSPersistentStoreCoordinator) throws {
    precondition(own !== others, "the others' coordinator has a row cache of its own")
    let (writer, fetcher, merger) = (freshContext(others), context(own), context(own))
    let id = try merger.performAndWait { try all("Item", merger)[0].objectID }
    let uri = id.uriRepresentation()
    let saves = 12
    let saved = Locked(0)
    note("others raise the rank of an item \(saves) times, while it is fetched, merged and read")
    writer.perform { [session] in
      do {
        guard let id = others.managedObjectID(forURIRepresentation: uri) else { return }
        let object = try writer.existingObject(with: id)
        for rank in 1_000...(1_000 + saves) {
          object.setValue(rank, forKey: "rank")
          try writer.save()
          saved.withLock { $0 = rank }
        }
      } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
    for _ in 0..<saves {
      fetcher.perform {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.returnsObjectsAsFaults = false
        _ = try? fetcher.fetch(request)
        fetcher.reset()
      }
    }
    func newRank() throws -> Int {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [uri]], into: [merger])
      let reader = context(own)
      return try reader.performAndWait {
        (try reader.existingObject(with: id).value(forKey: "rank") as? NSNumber)?.intValue ?? 0
      }
    }
    for _ in 0..<saves {
      let rank = saved.withLock { $0 }
      guard rank > 0 else { continue }
      let seen = try newRank()
      if seen < rank {
        try report(
          .nonMonotonicRead, "the rank of an item after a merge", expected: "at least \(rank)", seen: "\(seen)")
      }
    }
    writer.performAndWait {}
    fetcher.performAndWait {}
    let seen = try newRank()
    try require(seen, max(saved.withLock { $0 }, seen), .staleRead, "the rank of an item once all is quiet")
  }

  /// After a batch update the row cache may answer as long as the interval allows, and no longer.
  private func readWithinInterval(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (keeper, patient, fresh) = (context(coordinator), context(coordinator), freshContext(coordinator))
    let id = try keeper.performAndWait { try all("Item", keeper)[0].objectID }
    // The row cache has the rows of objects that are held.
    let held = try patient.performAndWait { try patient.existingObject(with: id) }
    let old = patient.performAndWait { (held.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
    note("a batch update of a row that the row cache has")
    try keeper.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
      request.propertiesToUpdate = ["rank": old + 11]
      _ = try keeper.execute(request)
    }
    func rank(_ context: NSManagedObjectContext) -> Int? {
      context.performAndWait {
        let object = context.object(with: id)
        context.refresh(object, mergeChanges: false)
        return (object.value(forKey: "rank") as? NSNumber)?.intValue
      }
    }
    try require(rank(fresh), old + 11, .staleRead, "a rank that is read without the row cache")
    try require(rank(patient), old + 11, .staleRead, "a rank once the row cache has read it")
    patient.performAndWait { withExtendedLifetime(held) {} }
  }

  /// Many rows are deleted or changed by one save: as soon as a count shows it, so does every other question.
  private func readBesideSave(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (writer, reader) = (context(coordinator), context(coordinator))
    let deletes = chance(2, of: 3)
    // So many that it takes a while until all of them are in the row cache.
    let count = Simulation.isCurrent ? 20 : 2_000
    let ids = try writer.performAndWait {
      let new = (0..<count).map { [RuleModel.number: 2_000 + $0] }
      _ = try writer.execute(NSBatchInsertRequest(entityName: "Item", objects: new))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "\(RuleModel.number) >= 2000")
      request.returnsObjectsAsFaults = false
      let rows = try writer.fetch(request)
      for row in rows { if deletes { writer.delete(row) } else { row.setValue(77, forKey: "rank") } }
      return rows.map(\.objectID)
    }
    guard let id = pick(ids) else { return }
    note("\(ids.count) rows are \(deletes ? "deleted" : "changed") by one save, beside questions")
    let isDone = Locked(false)
    writer.perform { [session] in
      do { try writer.save() } catch { if !session.faults.explains(error) { session.fail(error) } }
      isDone.withLock { $0 = true }
    }
    let question = NSFetchRequest<NSManagedObject>(entityName: "Item")
    question.predicate = NSPredicate(format: deletes ? "SELF == %@" : "SELF == %@ AND rank != 77", argumentArray: [id])
    var (isSeen, questions) = (false, 0)
    while !isSeen {
      // A simulation may let the asking thread run for ever.
      questions += 1
      if Simulation.isCurrent, questions > 40 { writer.performAndWait {} }
      let isLast = isDone.withLock { $0 }
      isSeen = try reader.performAndWait { try reader.count(for: question) == 0 }
      if isLast, !isSeen { return try report(.staleRead, "a count after a save", expected: "0", seen: "1") }
    }
    try reader.performAndWait {
      let found = try? reader.existingObject(with: id)
      let rank = (found?.value(forKey: "rank") as? NSNumber)?.intValue
      try require(
        rank, deletes ? nil : 77, deletes ? .resurrectedRecord : .staleRead,
        "the rank of a row that a count has just seen \(deletes ? "deleted" : "changed")")
    }
    writer.performAndWait {}
  }

  private func readRemovedStore(_ coordinator: NSPersistentStoreCoordinator) throws {
    let reader = context(coordinator)
    let fault = try reader.performAndWait { try all("Item", reader)[0] }
    let id = reader.performAndWait { fault.objectID }
    reader.performAndWait { reader.refresh(fault, mergeChanges: false) }
    note("remove the store, of which another one in memory takes the place")
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    // The one has a fault of it, the other has nothing.
    let found = [reader, context(coordinator)].filter { context in
      context.performAndWait { (try? context.existingObject(with: id)) != nil }
    }
    try require(found.count, 0, .wrongValue, "how many contexts find an object of a removed store")
    withExtendedLifetime(fault) {}
  }
}
