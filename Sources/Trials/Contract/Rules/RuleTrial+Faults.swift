import Cells
import Checking
import CoreData
import Scheduling

// S2.1 to S2.4, S2.9, S2.10: when a fault fires and when not; the handling of one without a row; which row answers within the
// interval; objects after refreshes, resets and rollbacks; and that a graph of any size is released.

extension RuleTrial {
  func faults() throws {
    let coordinator = try open()
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 6)
      try save(writer)
    }
    try answerFromCache(coordinator, writer)
    try askForRowsThatAreGone(coordinator, writer)
    try comeBack(coordinator, writer)
    try refreshOverNewerRows(coordinator, writer)
    try leaveByReset(coordinator)
    try readByTemporaryID(coordinator)
    try keepStoredProperties()
    try nameEntities()
    if !Simulation.isCurrent { try releaseChain(coordinator) }
  }

  // MARK: The row cache

  /// A batch update: a realised object keeps its value, the row cache answers within the interval, and no longer.
  private func answerFromCache(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "a batch request of the writer leaves the row cache as it is")
    let (keeper, patient, curious) = (context(coordinator), context(coordinator), context(coordinator))
    // Rows with derived values are read anew: this entity has none.
    let item = try keeper.performAndWait {
      let item = insertPlain(keeper, rank: newNumber())
      try save(keeper)
      return item
    }
    let id = keeper.performAndWait { item.objectID }
    func rank(_ object: NSManagedObject) -> Int { (object.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }
    let old = keeper.performAndWait { rank(item) }
    let new = 10_000 + newNumber()
    precondition(new != old, "the batch update gives another rank")
    note("batch update of a rank, which the row cache has")
    try writer.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Plain")
      request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
      request.propertiesToUpdate = ["rank": new]
      _ = try writer.execute(request)
    }
    patient.performAndWait { patient.stalenessInterval = pick([-1, 3_600]) ?? -1 }
    curious.performAndWait { curious.stalenessInterval = 0 }
    let cached = patient.performAndWait { rank(patient.object(with: id)) }
    try require(cached, old, .wrongValue, "a rank by the row cache, within the interval")
    keeper.performAndWait { keeper.stalenessInterval = 0 }
    try require(keeper.performAndWait { rank(item) }, old, .wrongValue, "a rank of an object that was realised before")
    try require(
      curious.performAndWait { rank(curious.object(with: id)) }, new, .staleRead, "a rank with an interval of 0")
    try keeper.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      request.predicate = NSPredicate(format: "rank == %ld", new)
      request.shouldRefreshRefetchedObjects = true
      let found = try keeper.fetch(request)
      try require(
        [found.count, found.first.map(rank) ?? 0], [1, new], .staleRead, "a rank that a refreshing fetch finds")
    }
  }

  // MARK: Rows that are gone

  /// A fault without a row asks its context; it has no values then, and is never saved.
  private func askForRowsThatAreGone(
    _ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext
  ) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "the row cache hears of rows that the writer deletes")
    let asking = AskingContext(concurrencyType: .privateQueueConcurrencyType)
    asking.persistentStoreCoordinator = coordinator
    session.environment.adopt(asking, name: "faults, asked \(newNumber())")
    CellReports.allowInaccessibleFaults(in: [asking.name ?? ""])
    let id: NSManagedObjectID = try writer.performAndWait {
      let item = insert("Item", writer)
      try save(writer)
      return item.objectID
    }
    try asking.performAndWait {
      asking.answer = pick([nil, true])?.flatMap { $0 }
      asking.shouldDeleteInaccessibleFaults = asking.answer == nil
      let fault = asking.object(with: id)
      try writer.performAndWait {
        note("delete it elsewhere")
        writer.delete(try writer.existingObject(with: id))
        try save(writer)
      }
      try require([fault.isFault, fault.hasChanges], [true, false], .wrongValue, "what a fault without a row is")
      try require(asking.asked, [], .wrongNotification, "who was asked before a property was read")
      try require(
        [fault.value(forKey: "name") == nil, fault.isDeleted], [true, true], .wrongValue,
        "whether a fault without a row has no name, and is deleted")
      try require(asking.asked, ["name"], .wrongNotification, "the properties that the context was asked about")
      fault.setValue("never", forKey: "name")
      try save(asking)
      let code = AnythingClient.error { _ = try asking.existingObject(with: id) }?.code
      try require(code, NSManagedObjectReferentialIntegrityError, .resurrectedRecord, "a fault without a row, saved")
    }
  }

  /// A row that is back under its ID takes the place of the object that was found gone.
  private func comeBack(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "a row that comes back is one of the row cache")
    let reader = context(coordinator)
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let (box, item) = try writer.performAndWait {
      let (box, item) = (insert("Box", writer), insert("Item", writer))
      item.setValue(box, forKey: "box")
      try save(writer)
      return (box, item)
    }
    let ids = writer.performAndWait { [box.objectID, item.objectID] }
    let gone = reader.performAndWait { reader.object(with: ids[1]) }
    try writer.performAndWait {
      recordForUndo(writer) { writer.delete(item) }
      try save(writer)
    }
    try reader.performAndWait {
      _ = gone.value(forKey: "name")
      try require(gone.isDeleted, true, .wrongValue, "isDeleted of a fault without a row")
    }
    try writer.performAndWait {
      note("undo the deletion, and save")
      writer.undo()
      try save(writer)
      writer.undoManager = nil
    }
    try reader.performAndWait {
      let found = try reader.existingObject(with: ids[1])
      let owner = reader.object(with: ids[0])
      reader.refresh(owner, mergeChanges: false)
      let members = owner.value(forKey: "items") as? Set<NSManagedObject> ?? []
      try require(
        [members.contains(found), members.count == 1, found.value(forKey: "box") as? NSManagedObject === owner],
        [true, true, true], .wrongValue, "whether a row that is back is the member, alone, and leads to its owner")
      let changed = reader.updatedObjects.filter(\.hasPersistentChangedValues)
      try require(
        [reader.insertedObjects.count, reader.deletedObjects.filter { $0 !== gone }.count, changed.count], [0, 0, 0],
        .wrongValue, "objects that a row that is back made something to save of")
    }
  }

  // MARK: Refreshes

  /// Unsaved changes stay on top of the newest row; an object without any is a fault, and its relationships are read again.
  private func refreshOverNewerRows(
    _ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext
  ) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "the row cache hears of rows that the writer changes")
    let owner = context(coordinator, .mergeByPropertyObjectTrump)
    try owner.performAndWait {
      let items = try all("Item", owner)
      guard items.count > 2 else { return }
      let boxes = try all("Box", owner)
      for box in boxes { _ = (box.value(forKey: "items") as? NSSet)?.count }
      items[0].setValue("unsaved", forKey: "name")
      try writer.performAndWait {
        writer.reset()
        let others = try all("Item", writer)
        for other in others { other.setValue(20_000 + RulePicture.number(other), forKey: "rank") }
        for other in others { other.setValue(try all("Box", writer)[0], forKey: "box") }
        note("others change every item's rank and box")
        try save(writer)
      }
      let isAll = chance(1, of: 2)
      note(isAll ? "refresh all" : "refresh two, merging")
      if isAll {
        owner.refreshAllObjects()
        try require(items[1].isFault, true, .wrongValue, "whether an object without changes is a fault")
      } else {
        for item in items.prefix(2) { owner.refresh(item, mergeChanges: true) }
        for box in boxes { owner.refresh(box, mergeChanges: false) }
      }
      for item in items.prefix(2) {
        try require(
          (item.value(forKey: "rank") as? NSNumber)?.intValue, 20_000 + RulePicture.number(item), .staleRead,
          "a rank after a refresh")
      }
      try require(items[0].value(forKey: "name") as? String, "unsaved", .lostUpdate, "an unsaved name after a refresh")
      try require(
        items[0].changedValues().keys.sorted(), ["name"], .wrongValue, "the changed values after a refresh")
      try require(
        boxes.map { ($0.value(forKey: "items") as? NSSet)?.count ?? -1 },
        boxes.indices.map { $0 == 0 ? items.count : 0 }, .staleRead, "the members of boxes after a refresh")
      owner.rollback()
      try require(owner.hasChanges, false, .wrongValue, "hasChanges after a rollback")
    }
  }

  /// After a reset an object that is held has no context, and values set in it stay its own.
  private func leaveByReset(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      guard let item = pick(try all("Item", owner)) else { return }
      let (id, isRead) = (item.objectID, chance(1, of: 2))
      if isRead { item.setValue("unsaved", forKey: "name") }
      note("reset")
      owner.reset()
      try require(
        [item.managedObjectContext == nil, owner.registeredObjects.isEmpty], [true, true], .wrongValue,
        "what a reset leaves")
      item.setValue("its own", forKey: "name")
      try require(item.value(forKey: "name") as? String, "its own", .wrongValue, "a value set after a reset")
      let found = try owner.existingObject(with: id)
      try require(
        [found !== item, found.value(forKey: "name") as? String != "its own", owner.hasChanges], [true, true, false],
        .wrongValue, "whether the context makes another object, of the row")
    }
  }

  /// A temporary ID leads to the object in a child as well, and stays temporary when the object has another one.
  private func readByTemporaryID(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let item = owner.performAndWait { insert("Item", owner) }
    let temporary = owner.performAndWait { item.objectID }
    let child = context(in: owner)
    let number = try child.performAndWait { RulePicture.number(try child.existingObject(with: temporary)) }
    try require(
      number, owner.performAndWait { RulePicture.number(item) }, .wrongValue, "a parent's new object in a child")
    let id = try owner.performAndWait {
      try save(owner)
      return item.objectID
    }
    try require(
      [id.isTemporaryID, id == temporary, temporary.isTemporaryID], [false, false, true], .wrongValue,
      "whether the ID is another one after a save")
  }

  // MARK: Classes

  /// A class with stored properties: each object has its own, from the initialiser on, however it was made.
  private func keepStoredProperties() throws {
    let coordinator = try open(KeptModel.shared, at: newURL())
    let (writer, reader) = (context(coordinator), context(coordinator))
    let child = context(in: reader)
    let id: NSManagedObjectID = try writer.performAndWait {
      guard let made = NSEntityDescription.insertNewObject(forEntityName: "Kept", into: writer) as? KeptObject else {
        preconditionFailure("KeptModel names KeptObject as the class of its entity")
      }
      try require(made.notes, ["made"], .wrongValue, "a stored property of a new object")
      made.notes.append("own")
      made.setValue(newNumber(), forKey: RuleModel.number)
      try save(writer)
      try require(made.notes, ["made", "own"], .wrongValue, "a stored property after a save")
      writer.refresh(made, mergeChanges: false)
      _ = made.value(forKey: RuleModel.number)
      try require(made.notes, ["made", "own"], .wrongValue, "a stored property of an object that is read again")
      return made.objectID
    }
    for context in [reader, child] {
      try context.performAndWait {
        let found = try context.fetch(NSFetchRequest<KeptObject>(entityName: "Kept"))
        try require(found.map(\.notes), [["made"]], .wrongValue, "a stored property of a fetched object")
        try require(found.map(\.objectID), [id], .wrongValue, "the ID of an object with stored properties")
        try require(found.map(\.hasChanges), [false], .wrongValue, "changes of an object that was fetched")
      }
    }
  }

  /// Of two models in use with a class the context of the running block decides, else the one that came into use last.
  private func nameEntities() throws {
    let models = (0..<2).map { _ in KeptModel.make() }
    let contexts = try models.map { context(try open($0, at: newURL())) }
    for index in [1, 0, 1] {
      let entity = contexts[index].performAndWait { KeptObject.entity() }
      try require(
        entity.managedObjectModel === models[index], true, .wrongValue,
        "whether the entity of a class is the one of the running block's model")
    }
  }

  /// A chain of objects, each held by the one before it, is released in a thread with a small stack.
  private func releaseChain(_ coordinator: NSPersistentStoreCoordinator) throws {
    guard chance(1, of: 3) else { return }
    let owner = context(coordinator)
    note("a chain of 20,000 objects is released")
    owner.performAndWait {
      guard let (box, item) = ["Box", "Item"].map({ NSEntityDescription.entity(forEntityName: $0, in: owner) }).pair
      else { return }
      var last: NSManagedObject?
      for number in 0..<20_000 {
        let object = NSManagedObject(entity: number.isMultiple(of: 2) ? box : item, insertInto: owner)
        object.setPrimitiveValue(last, forKey: number.isMultiple(of: 2) ? "cover" : "shelf")
        last = object
      }
      owner.reset()
    }
  }
}

extension [NSEntityDescription?] {
  fileprivate var pair: (NSEntityDescription, NSEntityDescription)? {
    guard count == 2, let first = self[0], let second = self[1] else { return nil }
    return (first, second)
  }
}

/// Notes which property it is asked about when a fault's row is gone.
private final class AskingContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: asked on its own queue.
  private(set) var asked: [String] = []
  /// Its own answer; nil for that of the setting.
  var answer: Bool?

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    asked.append(fault.objectID == oid ? property?.name ?? "none" : "another object")
    return answer ?? super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)
  }
}

/// An object with a property that only memory has.
private final class KeptObject: NSManagedObject {
  var notes = ["made"]
}

private enum KeptModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static func make() -> NSManagedObjectModel {
    let kept = ModelParts.entity("Kept")
    kept.managedObjectClassName = NSStringFromClass(KeptObject.self)
    let model = NSManagedObjectModel()
    model.entities = [kept]
    return model
  }
}
