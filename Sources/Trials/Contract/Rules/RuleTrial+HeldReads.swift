import Cells
import Checking
import CoreData
import Scheduling

// S6.6, S6.7, S6.11: a read that is held open across a commit, of a save or of any batch request, leaves nothing older behind.

extension RuleTrial {
  private enum HeldWrite: CaseIterable { case save, insert, update, delete }

  /// Reads begin before a commit, or once its rows were hidden for it, and end after its publication.
  func holdReads() throws {
    let (url, step, thread) = (newURL(), Locked<(@Sendable () -> Void)?>(nil), pthread_self())
    let coordinator = try session.faults.whileOpening({ try open(at: url) }) {
      // A store that another client opens meanwhile calls this as well.
      guard pthread_self() == thread else { return }
      step.withLock { step in
        defer { step = nil }
        return step
      }?()
    }
    let file = try open(at: url)
    for write in HeldWrite.allCases {
      for isPrepared in [false, true] { try holdRead(across: write, isPrepared ? step : nil, coordinator, file) }
    }
    for _ in 0..<2 { try holdMerges(coordinator, file) }
    for coordinator in [coordinator, file] { try close(coordinator) }
  }

  /// A context that merges a save in a thread of its own, and is held at its first row.
  private struct HeldMerge: Sendable {
    let thread = Locked<pthread_t?>(nil)
    let isHeld = Latch(label: "a merge is held")
    let mayEnd = Latch(label: "a merge may end")
    let isDone = Latch(label: "a merge is done")
  }

  /// Two contexts merge another coordinator's save at one time: once the first has it, new contexts read the file.
  private func holdMerges(_ coordinator: NSPersistentStoreCoordinator, _ file: NSPersistentStoreCoordinator) throws {
    precondition(file !== coordinator, "another coordinator saves what is merged")
    let (keeper, writer) = (context(coordinator), context(file))
    let (items, ids) = try keeper.performAndWait {
      let items = (0..<3).map { _ in insert("Item", keeper) }
      try save(keeper)
      return (items, items.map { (number: RulePicture.number($0), id: $0.objectID) })
    }
    let isGone = chance(1, of: 2)
    try writer.performAndWait {
      for (index, (_, id)) in ids.enumerated() {
        let own = file.managedObjectID(forURIRepresentation: id.uriRepresentation())
        guard let item = try own.map(writer.existingObject) else { continue }
        if isGone, index == 1 { writer.delete(item) } else { item.setValue(70, forKey: "rank") }
      }
      try save(writer)
    }
    note("two contexts merge at one time that others have changed items\(isGone ? ", and deleted one" : "")")
    // Two threads read the lists, and no thread changes them.
    nonisolated(unsafe) let lists: [String: [Any]] = [
      NSUpdatedObjectIDsKey: ids.indices.filter { !isGone || $0 != 1 }.map { ids[$0].id },
      NSDeletedObjectIDsKey: isGone ? [ids[1].id] : [],
    ]
    let merges = [HeldMerge(), HeldMerge()]
    let newest = try picture(freshContext(file))
    try Checkpoint.watching({ place, _ in
      guard place.name == "store.afterRead",
        let merge = merges.first(where: { $0.thread.withLock { $0 } == pthread_self() })
      else { return }
      merge.isHeld.open()
      _ = merge.mayEnd.wait(atMost: 20)
    }) {
      defer { for merge in merges { merge.mayEnd.open() } }
      for merge in merges {
        let reader = context(coordinator)
        reader.perform {
          merge.thread.withLock { $0 = pthread_self() }
          NSManagedObjectContext.mergeChanges(fromRemoteContextSave: lists, into: [reader])
          merge.thread.withLock { $0 = nil }
          // Where nothing was read.
          merge.isHeld.open()
          merge.isDone.open()
        }
        _ = merge.isHeld.wait(atMost: 20)
      }
      merges[0].mayEnd.open()
      _ = merges[0].isDone.wait(atMost: 20)
      try requireNewest(ids, .save, coordinator, newest)
    }
    _ = merges[1].isDone.wait(atMost: 20)
    keeper.performAndWait { withExtendedLifetime(items) { keeper.reset() } }
  }

  /// A read is held open across a commit: what new contexts read afterwards is the file.
  ///
  /// - Parameter step: is called before the commit; nil where the read begins before the writer does anything.
  private func holdRead(
    across write: HeldWrite, _ step: Locked<(@Sendable () -> Void)?>?, _ coordinator: NSPersistentStoreCoordinator,
    _ file: NSPersistentStoreCoordinator
  ) throws {
    precondition(file !== coordinator, "the file is read without the row cache")
    let (reader, writer) = (freshContext(coordinator), context(coordinator, .mergeByPropertyObjectTrump))
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    reader.retainsRegisteredObjects = true
    let label = "held \(newNumber())"
    let ids = try writer.performAndWait {
      let objects = ["Box", "Tag", "Item", "Item", "Item"].map { insert($0, writer) }
      for (rank, item) in objects.dropFirst(2).enumerated() {
        item.setValuesForKeys(["rank": rank, "box": objects[0]])
      }
      objects[1].setValue(label, forKey: "label")
      try save(writer)
      defer { writer.reset() }
      return objects.map { (number: RulePicture.number($0), id: $0.objectID) }
    }
    let way = draw(3)
    note("a \(["fetch", "fault", "look-up"][way]) is held across \(write), \(step == nil ? "all of it" : "its commit")")
    let (isHeld, mayEnd) = (Latch(label: "a read is held"), Latch(label: "a commit is published"))
    let thread = Locked<pthread_t?>(nil)
    let begin: @Sendable () -> Void = { [session] in
      reader.perform {
        thread.withLock { $0 = pthread_self() }
        do {
          for entity in ["Item", "Box", "Tag"] where way == 0 {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.returnsObjectsAsFaults = false
            _ = try reader.fetch(request)
          }
          for (_, id) in ids.reversed() where way == 1 { _ = reader.object(with: id).value(forKey: RuleModel.number) }
          for (_, id) in ids.reversed() where way == 2 { _ = try? reader.existingObject(with: id) }
        } catch { session.fail(error) }
        // Nothing was read that a commit could overtake.
        isHeld.open()
      }
      _ = isHeld.wait(atMost: 20)
    }
    try Checkpoint.watching({ place, _ in
      guard place.name == "store.afterRead", thread.withLock({ $0 }) == pthread_self() else { return }
      isHeld.open()
      _ = mayEnd.wait(atMost: 20)
    }) {
      defer {
        step?.withLock { $0 = nil }
        mayEnd.open()
      }
      if let step { step.withLock { $0 = begin } } else { begin() }
      try writer.performAndWait { try carryOut(write, ids, label, writer) }
    }
    reader.performAndWait {}
    try requireNewest(ids, write, coordinator, try picture(freshContext(file)))
    reader.performAndWait { reader.reset() }
  }

  /// Changes, deletes or adds something of a box, a tag and three items; in a block of the context.
  private func carryOut(
    _ write: HeldWrite, _ ids: [(number: Int, id: NSManagedObjectID)], _ label: String, _ writer: NSManagedObjectContext
  ) throws {
    precondition(ids.count == 5, "there are a box, a tag and three items")
    let items = ids[3...].map(\.id)
    switch write {
    case .save:
      writer.delete(try writer.existingObject(with: items[1]))
      try writer.existingObject(with: items[0]).setValue(70, forKey: "rank")
      try save(writer)
    case .insert:
      // The first is the tag's row by now.
      let rows: [[String: Any]] = [
        ["label": label, RuleModel.number: ids[1].number, "weight": 70],
        ["label": label + " too", RuleModel.number: newNumber()],
      ]
      _ = try writer.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows))
    case .update:
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [items])
      request.propertiesToUpdate = ["rank": 70]
      _ = try writer.execute(request)
    case .delete: _ = try writer.execute(NSBatchDeleteRequest(objectIDs: items))
    }
  }

  /// Each object is as in the file, by whichever way a new context asks for it.
  private func requireNewest(
    _ ids: [(number: Int, id: NSManagedObjectID)], _ write: HeldWrite, _ coordinator: NSPersistentStoreCoordinator,
    _ file: RulePicture
  ) throws {
    for (index, (number, id)) in ids.enumerated() {
      // Of a batch update the row cache hears by a fetch.
      if write == .update, index == 2 { _ = try picture(context(coordinator)) }
      let asker = context(coordinator)
      CellReports.allowInaccessibleFaults(in: [asker.name ?? ""])
      try asker.performAndWait {
        let object = chance(1, of: 2) ? asker.object(with: id) : try? asker.existingObject(with: id)
        _ = object?.value(forKey: RuleModel.number)
        let isThere = object.map { !$0.isDeleted } ?? false
        let seen = RulePicture(isThere ? [number: object.map(RulePicture.properties) ?? [:]] : [:])
        try require(
          seen, file.part([number]), isThere ? .staleRead : .lostRecord,
          "in a new context after a held read and \(write)")
      }
    }
    let all = try picture(context(coordinator))
    try require(all, file, .staleRead, "by fetches of a new context after a held read and \(write)")
  }
}
