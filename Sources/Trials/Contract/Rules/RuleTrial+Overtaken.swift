import Cells
import Checking
import CoreData

// S3.4, S3.5, S4.5, S5.2, S8.1: a deletion follows its rules again where others have related its object to something since; an object
// that comes back leads to none that is gone; and a child hears of what its parent's save gives up. Every context then agrees with
// the file.

extension RuleTrial {
  func overtake() throws {
    let coordinator = try open(at: newURL())
    for _ in 0..<8 { try overtakeDeletion(coordinator) }
    for entity in ["Box", "Item", "Tag"] { try comeBack(entity, coordinator) }
    for collides in [true, false] { try giveUpPushed(collides, coordinator) }
    try close(coordinator)
  }

  // MARK: Deletions

  /// Objects with nothing related, each of an entity, of which a listener has read everything.
  private func makeApart(
    _ writer: NSManagedObjectContext, _ listener: NSManagedObjectContext
  ) throws -> (made: [String: NSManagedObject], held: [NSManagedObject]) {
    let made = try writer.performAndWait {
      let made = ["Box", "Item", "Tag"].map { ($0, insertNumbered($0, writer)) }
      try save(writer)
      return Dictionary(uniqueKeysWithValues: made)
    }
    precondition(made.count == 3, "there is one of each entity")
    let ids = writer.performAndWait { made.values.map(\.objectID) }
    let held = try listener.performAndWait { try ids.map(listener.existingObject) }
    _ = listener.performAndWait { relations(of: held) }
    return (made, held)
  }

  /// A context deletes what it knows nothing of; another one relates something to it before the deletion is saved.
  private func overtakeDeletion(_ coordinator: NSPersistentStoreCoordinator) throws {
    let merges = chance(1, of: 2)
    let deleter = context(coordinator, merges ? .error : .mergeByPropertyObjectTrump)
    let (writer, listener) = (context(coordinator), context(coordinator, merges: true))
    let (made, held) = try makeApart(writer, listener)
    let pairs = [
      ("Box", "items", "Item"), ("Box", "list", "Item"), ("Box", "cover", "Item"), ("Item", "covered", "Box"),
      ("Item", "tags", "Tag"), ("Tag", "items", "Item"), ("Item", "box", "Box"),
    ]
    guard let (entity, key, other) = pick(pairs), let victim = made[entity], let partner = made[other] else { return }
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let id = writer.performAndWait { victim.objectID }
    let isRead = chance(1, of: 3)
    note("a \(entity) is deleted\(isRead ? ", of which the values were read" : ""), and others set its \(key)")
    let doomed = deleter.performAndWait {
      let doomed = deleter.object(with: id)
      if isRead { _ = RulePicture.number(doomed) }
      deleter.delete(doomed)
      deleter.processPendingChanges()
      if chance(1, of: 3) { deleter.refresh(doomed, mergeChanges: chance(1, of: 2)) }
      return doomed
    }
    try writer.performAndWait {
      let isToMany = victim.entity.relationshipsByName[key]?.isToMany ?? false
      let isOrdered = victim.entity.relationshipsByName[key]?.isOrdered ?? false
      let members: Any = isOrdered ? NSOrderedSet(object: partner) : Set([partner])
      victim.setValue(isToMany ? members : partner, forKey: key)
      try save(writer)
    }
    if merges {
      for save in saves.removeAll() { deleter.performAndWait { deleter.mergeChanges(fromContextDidSave: save) } }
    }
    try deleter.performAndWait {
      if chance(1, of: 2) {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesPendingChanges = false
        _ = try deleter.fetch(request)
      }
      try save(deleter)
      withExtendedLifetime(doomed) {}
    }
    try requireAgreement(held, listener, coordinator, "after a deletion of a \(entity) that others gave \(key)")
  }

  // MARK: Returns

  /// A context changes an object that others delete, with some of those around it; its policy brings the object back.
  private func comeBack(_ entity: String, _ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator, pick([.mergeByPropertyObjectTrump, .overwrite]) ?? .overwrite)
    let (writer, listener) = (context(coordinator), context(coordinator, merges: true))
    let made = try writer.performAndWait {
      let (box, items, tags) = (
        insertNumbered("Box", writer), (0..<3).map { _ in insertNumbered("Item", writer) },
        (0..<2).map { _ in insertNumbered("Tag", writer) }
      )
      for item in items {
        item.setValue(box, forKey: "shelf")
        item.setValue(NSOrderedSet(array: some(tags, atMost: 2) + [tags[0]]), forKey: "tags")
      }
      box.setValue(items[0], forKey: "cover")
      try save(writer)
      return [box] + items + tags
    }
    let ids = writer.performAndWait { made.map(\.objectID) }
    let (held, heard) = try (
      owner.performAndWait { try ids.map(owner.existingObject) },
      listener.performAndWait { try ids.map(listener.existingObject) }
    )
    for (context, objects) in [(owner, held), (listener, heard)] {
      _ = context.performAndWait { relations(of: objects) }
    }
    guard let index = made.indices.first(where: { made[$0].entity.name == entity }) else { return }
    let doomed = Set([index] + (chance(1, of: 2) ? [draw(made.count)] : []))
    try owner.performAndWait {
      note("\(doomed.map { RulePicture.number(held[$0]) }) are deleted by others; \(entity) is changed here")
      held[index].setValue(newNumber(), forKey: RuleModel.number)
      try writer.performAndWait {
        for index in doomed { writer.delete(made[index]) }
        try save(writer)
      }
      try save(owner)
    }
    // Objects that are no part of the save are as they were read.
    try requireAgreement([held[index]], owner, coordinator, "in the context that brought a \(entity) back")
    try requireAgreement(heard, listener, coordinator, "after a \(entity) came back")
  }

  // MARK: Pushes

  /// A parent's save gives up an object that its child has pushed: it collides with another one's label, or others have deleted it.
  private func giveUpPushed(_ collides: Bool, _ coordinator: NSPersistentStoreCoordinator) throws {
    let policies: [NSMergePolicy] = [.mergeByPropertyStoreTrump, collides ? .mergeByPropertyObjectTrump : .rollback]
    let (root, writer) = (context(coordinator, pick(policies) ?? .rollback), context(coordinator))
    let child = context(in: root, merges: true)
    let label = "label \(newNumber())"
    let old = try writer.performAndWait {
      let tag = insertNumbered("Tag", writer)
      if collides { tag.setValue(label, forKey: "label") }
      try save(writer)
      return tag
    }
    let id = writer.performAndWait { old.objectID }
    let pushed = try child.performAndWait {
      let tag = try collides ? insertNumbered("Tag", child) : child.existingObject(with: id)
      tag.setValue(collides ? label : nil, forKey: "label")
      tag.setValue("pushed \(newNumber())", forKey: "remark")
      try save(child)
      return tag
    }
    if !collides {
      try writer.performAndWait {
        writer.delete(old)
        try save(writer)
      }
    }
    try root.performAndWait {
      _ = insertPlain(root)
      try save(root)
    }
    try child.performAndWait {
      try require(
        [pushed.isDeleted || pushed.managedObjectContext == nil, child.hasChanges], [true, false], .missedNotification,
        "whether a child's object that its parent gave up, which \(collides ? "collides" : "others deleted"), is deleted"
      )
      guard !pushed.objectID.isTemporaryID else { return }
      try require(
        AnythingClient.error { _ = try child.existingObject(with: pushed.objectID) }?.code,
        NSManagedObjectReferentialIntegrityError, .staleRead, "the error of an object that a parent gave up")
    }
  }

  // MARK: Looks

  /// The members of every relationship, by numbers, of those that are there; in a block of their context.
  private func relations(of objects: [NSManagedObject]) -> [String] {
    objects.filter { !$0.isDeleted && $0.managedObjectContext != nil }.flatMap { object in
      let number = RulePicture.number(object)
      return object.entity.relationshipsByName.sorted { $0.key < $1.key }.map {
        "\($0.key) of \(number): \(RulePicture.members(of: object, $0.value))"
      }
    }.sorted()
  }

  /// Objects of a context lead where a new context has them.
  private func requireAgreement(
    _ held: [NSManagedObject], _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator,
    _ what: String
  ) throws {
    precondition(!held.isEmpty, "some objects are looked at")
    // Who came back is another object where it was gone before.
    let (ids, seen) = owner.performAndWait {
      (held.map(\.objectID), relations(of: held.compactMap { try? owner.existingObject(with: $0.objectID) }))
    }
    let fresh = freshContext(coordinator)
    let expected = try fresh.performAndWait {
      let there = try Set(RulePicture.entities.flatMap { try all($0, fresh) }.map(\.objectID))
      return relations(of: ids.filter(there.contains).map(fresh.object))
    }
    try require(seen, expected, .staleRead, "the relationships of what a context has, \(what)")
  }
}
