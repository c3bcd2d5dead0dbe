import Cells
import Checking
import CoreData
import Scheduling

// S1.5, S2.4, S8.3: whichever way objects leave a context, those that nothing holds are gone, though they were related all around, and
// those that are held show and hold no others.

extension RuleTrial {
  /// How objects leave a context, or let each other go.
  private enum Leaving: CaseIterable { case deleted, deletedTwice, pushed, rolledBack, reset, refreshed, released }

  private struct WeakObject {
    weak var object: NSManagedObject?
  }

  func leaveNothing() throws {
    let coordinator = try open(at: newURL())
    for leaving in [.deletedTwice, pick(Leaving.allCases) ?? .deleted] { try leave(leaving, coordinator) }
    try close(coordinator)
  }

  private func leave(_ leaving: Leaving, _ coordinator: NSPersistentStoreCoordinator) throws {
    note("objects leave: \(leaving)")
    let (left, held) = try {
      let root = context(coordinator)
      let owner = leaving == .pushed ? context(in: root) : root
      try owner.performAndWait {
        populate(owner, items: 3 + draw(4))
        if leaving != .rolledBack { try save(owner) }
      }
      if owner !== root { try root.performAndWait { try save(root) } }
      let objects = try owner.performAndWait { try RulePicture.entities.flatMap { try all($0, owner) } }
      owner.performAndWait { for object in objects { _ = RulePicture.properties(of: object) } }
      if leaving == .deletedTwice {
        owner.performAndWait {
          // By the others an object that was changed meanwhile would stay.
          owner.mergePolicy = pick([NSMergePolicy.overwrite, .mergeByPropertyObjectTrump]) ?? .overwrite
        }
        try deleteSome(coordinator)
      }
      let (left, held) = try owner.performAndWait { try dismiss(objects, leaving, owner) }
      try owner.performAndWait { try requireAlone(held, leaving) }
      return (left, held)
    }()
    // A context that is released may be so in another thread.
    for _ in 0..<200 where left.contains(where: { $0.object != nil }) { SerialQueue.main.sync {} }
    try require(
      left.filter { $0.object != nil }.count, 0, .contextLeak,
      "objects that are left of \(left.count), of which nothing is held: \(leaving)")
    withExtendedLifetime(held) {}
  }

  /// Others delete some of the objects first.
  private func deleteSome(_ coordinator: NSPersistentStoreCoordinator) throws {
    let other = context(coordinator)
    try other.performAndWait {
      for object in try RulePicture.entities.flatMap({ try all($0, other) }) where chance(1, of: 2) {
        other.delete(object)
      }
      try save(other)
    }
  }

  /// Has all objects leave, of which everything was read; in a block of the context.
  ///
  /// - Returns: those that nothing holds, and the others.
  private func dismiss(
    _ objects: [NSManagedObject], _ leaving: Leaving, _ context: NSManagedObjectContext
  ) throws -> (left: [WeakObject], held: [NSManagedObject]) {
    precondition(!objects.isEmpty, "there are objects to leave")
    // An object of a context that is gone may hold whatever it has read.
    let held = leaving == .released ? [] : some(objects, atMost: leaving == .deletedTwice ? 6 : 2)
    switch leaving {
    case .deleted, .deletedTwice, .pushed:
      for object in shuffled(objects) { context.delete(object) }
      try save(context)
    case .rolledBack: context.rollback()
    case .reset: context.reset()
    case .refreshed: context.refreshAllObjects()
    case .released: break
    }
    return (objects.filter { object in !held.contains { $0 === object } }.map { WeakObject(object: $0) }, held)
  }

  /// Objects that are gone for their context lead nowhere, and say so; in a block of the context.
  private func requireAlone(_ held: [NSManagedObject], _ leaving: Leaving) throws {
    guard [.deleted, .deletedTwice, .pushed, .reset].contains(leaving) else { return }
    for object in held {
      let what = "\(object.entity.name ?? "") that has left its context: \(leaving)"
      try require(
        [object.managedObjectContext == nil, object.isDeleted, object.hasChanges], [true, false, false], .wrongValue,
        "whether no context, a deletion, and changes are those of a \(what)")
      for (name, relationship) in object.entity.relationshipsByName {
        guard relationship.isToMany || leaving != .reset else { continue }
        try require(RulePicture.members(of: object, relationship).count, 0, .wrongValue, "\(name) of \(what)")
      }
    }
  }

  // MARK: Moving on

  /// Others have led an object elsewhere, and its context has deleted the partner that it still shows: it gets new ones as any other.
  func moveOn(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let relationships = [
      ("Item", "shelf"), ("Box", "cover"), ("Item", "covered"), ("Box", "list"), ("Box", "items"), ("Item", "tags"),
      ("Tag", "items"),
    ]
    for (entity, key) in shuffled(relationships) { try moveOn(entity, key, coordinator, writer) }
  }

  private func moveOn(
    _ entity: String, _ key: String, _ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext
  ) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "others save to the same file")
    let owner = context(coordinator, .mergeByPropertyObjectTrump)
    CellReports.allowInaccessibleFaults(in: [owner.name ?? ""])
    guard let relationship = RuleModel.shared.entitiesByName[entity]?.relationshipsByName[key],
      let destination = relationship.destinationEntity?.name
    else { return }
    // The first partner is deleted, the last one is new.
    let (id, ids) = try writer.performAndWait {
      let object = insertNumbered(entity, writer)
      let partners = (0..<(relationship.isToMany ? 3 : 1)).map { _ in insertNumbered(destination, writer) }
      Self.lead(object, relationship, to: partners)
      try save(writer)
      return (object.objectID, partners.map(\.objectID))
    }
    let (object, gone) = try owner.performAndWait {
      let object = try owner.existingObject(with: id)
      _ = RulePicture.members(of: object, relationship)
      let gone = owner.object(with: ids[0])
      if chance(1, of: 2) { _ = RulePicture.properties(of: gone) }
      return (object, gone)
    }
    // Both may delete it.
    let (isDeleted, refresh) = (chance(1, of: 2), draw(3))
    note(
      "\(entity).\(key): a partner has left and is deleted\(isDeleted ? " by both" : ""), refresh \(refresh); another one comes"
    )
    try writer.performAndWait {
      Self.lead(
        try writer.existingObject(with: id), relationship, to: try ids.dropFirst().map(writer.existingObject))
      if isDeleted { writer.delete(try writer.existingObject(with: ids[0])) }
      try save(writer)
    }
    let expected = try owner.performAndWait {
      if refresh > 0 { owner.refresh(gone, mergeChanges: refresh == 1) }
      owner.delete(gone)
      try save(owner)
      let partners = give(
        insertNumbered(destination, owner), to: object, relationship,
        beside: try ids.dropFirst().map(owner.existingObject))
      try save(owner)
      return partners.map(RulePicture.number)
    }
    for reader in [owner, freshContext(coordinator)] {
      try reader.performAndWait {
        let now = try reader.existingObject(with: id)
        if reader === owner { reader.refresh(now, mergeChanges: true) }
        try require(
          RulePicture.members(of: now, relationship).sorted(), expected.sorted(), .asymmetricInverse,
          "\(key) of an object of which a partner was deleted, and another one came, in \(reader.name ?? "")")
      }
    }
    owner.performAndWait { withExtendedLifetime((object, gone)) {} }
  }

  /// Gives an object another partner, in the place of the one before or beside the others; in a block of the context.
  ///
  /// - Returns: the partners that it has then.
  private func give(
    _ new: NSManagedObject, to object: NSManagedObject, _ relationship: NSRelationshipDescription,
    beside others: [NSManagedObject]
  ) -> [NSManagedObject] {
    precondition(relationship.isToMany || others.isEmpty, "a partner that is the only one has no others beside it")
    let key = relationship.name
    guard relationship.isToMany else {
      let isEmpty = chance(1, of: 3)
      object.setValue(isEmpty ? nil : new, forKey: key)
      return isEmpty ? [] : [new]
    }
    let shown = object.value(forKey: key)
    let members = ((shown as? NSOrderedSet)?.array ?? (shown as? NSSet)?.allObjects) as? [NSManagedObject] ?? []
    switch draw(4) {
    case 0, 1: Self.lead(object, relationship, to: members + [new])
    case 2: Self.lead(object, relationship, to: others + [new])
    case _ where relationship.isOrdered: object.mutableOrderedSetValue(forKey: key).insert(new, at: members.count)
    default: object.mutableSetValue(forKey: key).add(new)
    }
    return others + [new]
  }

  private static func lead(
    _ object: NSManagedObject, _ relationship: NSRelationshipDescription, to members: [NSManagedObject]
  ) {
    let name = relationship.name
    guard relationship.isToMany else { return object.setValue(members.first, forKey: name) }
    object.setValue(relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: name)
  }
}
