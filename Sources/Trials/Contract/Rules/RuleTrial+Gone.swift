import Cells
import Checking
import CoreData

// S2.1, S2.3, S2.4, S8.1, S8.2: rows that others have deleted, and that are back: nothing is asked where a call can throw, a second
// deletion changes nothing in the file, and lists and partners are those of the file.

extension RuleTrial {
  func gone() throws {
    let coordinator = try open()
    let writer = context(coordinator, .mergeByPropertyObjectTrump)
    try writer.performAndWait {
      populate(writer, items: 5)
      try save(writer)
    }
    let parts = [
      askNothing, beEmpty, moveOn, deleteTwice, deleteTwice, deleteOldFaults, returnEverywhere, leaveShown,
      arrangeWithGone,
      waitWithinInterval, insertAgain,
    ]
    for part in parts {
      // Other contexts have changed what it has read.
      writer.performAndWait { writer.reset() }
      try part(coordinator, writer)
    }
  }

  /// An item in every kind of relationship, saved; in a block of the context.
  private func insertRelated(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    let item = insert("Item", context)
    let (boxes, tags) = (try all("Box", context), try all("Tag", context))
    connect(item, boxes, tags)
    if let box = pick(boxes) {
      note("cover of \(RulePicture.number(box)) = \(RulePicture.number(item))")
      box.setValue(item, forKey: "cover")
    }
    if let box = pick(boxes) {
      note("shown of \(RulePicture.number(box)) gains \(RulePicture.number(item))")
      box.mutableSetValue(forKey: "shown").add(item)
    }
    try save(context)
    return item
  }

  /// Deletes an item in a context that may undo it, and saves.
  private func deleteElsewhere(_ item: NSManagedObject, _ writer: NSManagedObjectContext) throws {
    try writer.performAndWait {
      precondition(!item.isDeleted, "an object is deleted once")
      note("delete item \(RulePicture.number(item)) elsewhere")
      recordForUndo(writer) { writer.delete(item) }
      try save(writer)
    }
  }

  /// Undoes that deletion, or leaves it at that.
  private func endDeletion(_ writer: NSManagedObjectContext, isUndone: Bool) throws {
    try writer.performAndWait {
      if isUndone {
        note("undo the deletion, and save")
        writer.undo()
        try save(writer)
      }
      writer.undoManager = nil
    }
  }

  // MARK: Nothing is asked

  /// Calls that can throw, and fetches, do not ask about a fault without a row.
  private func askNothing(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "the row cache hears of rows that the writer deletes")
    let asked = UnaskedContext(concurrencyType: .privateQueueConcurrencyType)
    asked.persistentStoreCoordinator = coordinator
    session.environment.adopt(asked, name: "gone, not asked \(newNumber())")
    asked.performAndWait {
      asked.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      // Where nothing is asked, the process does not end either.
      asked.shouldDeleteInaccessibleFaults = chance(1, of: 2)
    }
    let (box, item) = try writer.performAndWait {
      let (box, item) = (insert("Box", writer), try insertRelated(writer))
      item.setValue(box, forKey: "box")
      insert("Item", writer).setValue(box, forKey: "box")
      try save(writer)
      return (box, item)
    }
    let (boxID, id) = writer.performAndWait { (box.objectID, item.objectID) }
    let child = chance(1, of: 2) ? context(in: asked) : nil
    try child?.performAndWait {
      guard let child else { return }
      note("a child takes the item out of its box")
      let member = try child.existingObject(with: id)
      try child.existingObject(with: boxID).mutableSetValue(forKey: "items").remove(member)
    }
    let fault = try asked.performAndWait {
      _ = (try asked.existingObject(with: boxID).value(forKey: "items") as? NSSet)?.count
      let fault = asked.object(with: id)
      asked.refresh(fault, mergeChanges: false)
      return fault
    }
    try deleteElsewhere(item, writer)
    try endDeletion(writer, isUndone: false)
    let deletion = child == nil ? draw(3) : 0
    try child?.performAndWait { try child?.save() }
    try asked.performAndWait {
      _ = fault.isFault
      let code = AnythingClient.error { _ = try asked.existingObject(with: id) }?.code
      try require(code, NSManagedObjectReferentialIntegrityError, .resurrectedRecord, "existingObject of a fault")
      _ = try asked.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      if deletion > 0 {
        note(deletion == 1 ? "delete the fault" : "delete its owner")
        asked.delete(deletion == 1 ? fault : try asked.existingObject(with: boxID))
        if chance(1, of: 2) { asked.processPendingChanges() }
      }
      try save(asked)
      try require(
        asked.asked, 0, .wrongNotification, "how often a context was asked about faults where calls can throw")
      asked.reset()
    }
    _ = try stored(coordinator)
  }

  /// Who is found gone has no values of any kind, takes no changes, and hinders no save.
  private func beEmpty(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "the reader asks for a row that its own coordinator has lost")
    let reader = context(coordinator)
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let item = try writer.performAndWait { try insertRelated(writer) }
    let id = writer.performAndWait { item.objectID }
    let fault = reader.performAndWait { reader.object(with: id) }
    try deleteElsewhere(item, writer)
    try endDeletion(writer, isUndone: false)
    let file = try stored(coordinator)
    try reader.performAndWait {
      let entity = fault.entity
      let keys = entity.propertiesByName.keys.sorted().filter { entity.propertiesByName[$0]?.isTransient == false }
      // Any property may be the first that is read.
      guard let first = pick(keys) else { return }
      note("read \(first) of a fault without a row")
      for key in [first] + keys {
        let value = fault.value(forKey: key)
        let count = (value as? NSOrderedSet)?.count ?? (value as? Set<NSManagedObject>)?.count
        let isEmpty =
          RulePicture.text(value) == "null" || count == 0 || (value as? NSNumber)?.doubleValue == 0
          || value as? Bool == false
        try require(isEmpty, true, .wrongValue, "whether \(key) of an object without a row is empty: \(value as Any)")
      }
      try require(
        [fault.isDeleted, fault.isFault, reader.hasChanges], [true, false, false], .wrongValue,
        "what an object without a row is")
      set(pick(RuleModel.attributes(of: "Item")) ?? "rank", of: fault)
      if let box = pick(try all("Box", reader)) { box.setValue(newNumber(), forKey: "size") }
      try save(reader)
    }
    try require(
      try stored(coordinator).objects.keys.sorted(), file.objects.keys.sorted(), .resurrectedRecord,
      "the objects of the file after an object without a row was changed")
  }

  // MARK: Deleting

  /// Deleting an object without a row does nothing in the file, though the row may be back by the save.
  private func deleteTwice(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "two contexts delete a row of one coordinator")
    let root = context(coordinator)
    let other = chance(2, of: 3) ? context(in: root) : root
    let item = try writer.performAndWait { try insertRelated(writer) }
    let id = writer.performAndWait { item.objectID }
    let fault = other.performAndWait { other.object(with: id) }
    let isBack = chance(3, of: 4)
    try deleteElsewhere(item, writer)
    try other.performAndWait {
      note("delete the fault, whose row is gone")
      other.delete(fault)
      other.processPendingChanges()
      try require(
        fault.managedObjectContext == nil || fault.isDeleted, true, .wrongValue, "isDeleted of a deleted fault")
    }
    try endDeletion(writer, isUndone: isBack)
    let file = try stored(coordinator)
    try other.performAndWait { try save(other) }
    if other !== root { try root.performAndWait { try save(root) } }
    try require(
      try stored(coordinator), file, .lostRecord,
      "in the file after a deletion \(other !== root ? "by a child " : "")of what was gone\(isBack ? ", and is back" : "")"
    )
    try other.performAndWait {
      let found = try? other.existingObject(with: id)
      try require(
        [found != nil, found === fault], [isBack, false], .wrongValue,
        "whether a row that is back is found, as the object that was deleted")
    }
    other.performAndWait { other.reset() }
  }

  /// Faults are deleted in the version that their rows have now, though others have changed them since they were fetched.
  private func deleteOldFaults(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "the faults are older than rows of their own coordinator")
    let other = context(coordinator)
    let numbers = try writer.performAndWait {
      let plain = (0..<(1 + draw(4))).map { _ in insertPlain(writer, rank: newNumber()) }
      let items = (0..<draw(3)).map { _ in insert("Item", writer) }
      try save(writer)
      return (plain + items).map(RulePicture.number)
    }
    let entities = ["Plain", "Item"]
    func chosen(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
      try entities.flatMap { try all($0, context) }.filter { numbers.contains(RulePicture.number($0)) }
    }
    let faults = try other.performAndWait {
      let objects = try chosen(other)
      for object in objects { other.refresh(object, mergeChanges: false) }
      return objects
    }
    try writer.performAndWait {
      for object in try chosen(writer) where chance(2, of: 3) { object.setValue(newNumber(), forKey: "rank") }
      note("others change ranks")
      try save(writer)
    }
    try other.performAndWait {
      note("delete \(faults.count) faults")
      for fault in faults {
        other.delete(fault)
        if chance(1, of: 3) { other.processPendingChanges() }
      }
      let error = AnythingClient.error { try other.save() }
      try require(error?.code, nil, .failedSave, "the error of deleting faults whose rows are newer")
    }
    let left = try picture(freshContext(coordinator), entities).objects.keys.filter(numbers.contains)
    try require(left.sorted(), [], .resurrectedRecord, "faults that were deleted, in the file")
    writer.performAndWait { writer.refreshAllObjects() }
  }

  // MARK: Coming back

  /// A reader that has found an object gone shows the file: without it, and with the row that is back in each relationship.
  private func returnEverywhere(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "a row comes back to the coordinator that lost it")
    let reader = context(coordinator)
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let item = try writer.performAndWait {
      let item = try insertRelated(writer)
      // Many lead to it.
      for item in try all("Item", writer) { item.setValue(NSOrderedSet(array: try all("Tag", writer)), forKey: "tags") }
      try save(writer)
      return item
    }
    let id = writer.performAndWait { item.objectID }
    let held = try reader.performAndWait { try RulePicture.entities.flatMap { try all($0, reader) } }
    _ = try picture(reader)
    let gone = reader.performAndWait {
      let gone = reader.object(with: id)
      reader.refresh(gone, mergeChanges: false)
      return gone
    }
    try deleteElsewhere(item, writer)
    try reader.performAndWait {
      _ = gone.value(forKey: pick(["name", "box", "tags", "covered"]) ?? "name")
      try require(gone.isDeleted, true, .wrongValue, "isDeleted of an object without a row")
      reader.refreshAllObjects()
    }
    try requireShown(reader, coordinator, .resurrectedRecord, "in a context that has found an object gone")
    try endDeletion(writer, isUndone: true)
    try reader.performAndWait {
      let way = draw(5)
      note("the row that is back is met, way \(way)")
      switch way {
      case 0: _ = try reader.existingObject(with: id)
      case 1: _ = try all("Item", reader)
      case 2, 3:
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.relationshipKeyPathsForPrefetching = ["items"]
        reader.refreshAllObjects()
        let members = try reader.fetch(request).flatMap { $0.value(forKey: "items") as? Set<NSManagedObject> ?? [] }
        let own = Set(members.filter { $0.objectID == id }.map { ObjectIdentifier($0) })
        try require(own.count, 1, .wrongValue, "how many objects have the ID of a row that is back, to which many lead")
      default: reader.refreshAllObjects()
      }
      reader.refreshAllObjects()
    }
    try requireShown(reader, coordinator, .lostRecord, "in a context to which a row is back")
    try reader.performAndWait {
      let found = try reader.existingObject(with: id)
      try require(
        [
          found === gone, found.isDeleted, found.hasChanges, reader.insertedObjects.isEmpty,
          reader.updatedObjects.contains(where: \.hasPersistentChangedValues),
        ], [false, false, false, true, false], .wrongValue,
        "whether a row that is back is the object that was found gone, is deleted, changed, or a change of others")
    }
    reader.performAndWait { withExtendedLifetime(held) { reader.reset() } }
  }

  private func requireShown(
    _ reader: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ kind: ViolationKind,
    _ what: String
  ) throws {
    precondition(reader.persistentStoreCoordinator === coordinator, "a context shows rows of its own file")
    try require(try picture(reader).withoutDerived, try stored(coordinator).withoutDerived, kind, what)
  }

  /// A list without an inverse loses who is gone in every context that merges, and that is no change.
  private func leaveShown(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "the keeper merges saves of its own coordinator")
    let isAutomatic = chance(1, of: 2)
    let keeper = context(coordinator, merges: isAutomatic, .mergeByPropertyObjectTrump)
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let (box, ids) = try writer.performAndWait {
      let (box, items) = (insert("Box", writer), (0..<3).map { _ in insert("Item", writer) })
      let spare = insert("Item", writer)
      box.mutableSetValue(forKey: "shown").addObjects(from: items)
      try save(writer)
      return (box, (items + [spare]).map(\.objectID))
    }
    let boxID = writer.performAndWait { box.objectID }
    // The last one is added and not saved; who goes may be that one.
    let (adds, victim) = (chance(1, of: 2), draw(4))
    let own = try keeper.performAndWait {
      let own = try keeper.existingObject(with: boxID)
      let shown = own.mutableSetValue(forKey: "shown")
      try require(shown.count, 3, .wrongValue, "members of a list without inverse")
      if adds {
        note("a list gains a member, unsaved")
        shown.add(try keeper.existingObject(with: ids[3]))
      }
      return own
    }
    let numbers = try keeper.performAndWait { try ids.map { RulePicture.number(try keeper.existingObject(with: $0)) } }
    try writer.performAndWait {
      note("others delete member \(victim)")
      writer.delete(try writer.existingObject(with: ids[victim]))
      try save(writer)
    }
    let saved = saves.removeAll()
    try keeper.performAndWait {
      if !isAutomatic { for save in saved { keeper.mergeChanges(fromContextDidSave: save) } }
      let members = (own.value(forKey: "shown") as? Set<NSManagedObject> ?? []).map(RulePicture.number).sorted()
      let expected = numbers.indices.filter { $0 != victim && ($0 < 3 || adds) }.map { numbers[$0] }.sorted()
      try require(members, expected, .danglingReference, "a list without inverse after a member's deletion was merged")
      try require(
        own.hasPersistentChangedValues, adds && victim != 3, .wrongValue,
        "whether a list that lost who is gone is changed")
      if !adds {
        try require(
          [own.hasChanges, keeper.hasChanges], [false, false], .wrongValue, "changes by a member that is gone")
      }
      try save(keeper)
    }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let members = try fresh.existingObject(with: boxID).value(forKey: "shown") as? Set<NSManagedObject> ?? []
      let expected = numbers.indices.filter { $0 != victim && ($0 < 3 || adds) }.map { numbers[$0] }.sorted()
      try require(members.map(RulePicture.number).sorted(), expected, .unpersistedSave, "that list in the file")
    }
    writer.performAndWait { writer.refreshAllObjects() }
  }
}
