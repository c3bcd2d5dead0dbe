import Cells
import Checking
import CoreData

// S2.6, S5.1, S5.2: what others have deleted leaves everything that leads to it, unsaved or not; a deletion that is not saved yet
// outlives the row's return; whatever a remote save calls its objects, and however many there are, every context of a tree then shows
// the newest, and the newest members of owners with rows that are as before.

extension RuleTrial {
  func references() throws {
    let coordinator = try open()
    let maker = context(coordinator)
    try maker.performAndWait {
      populate(maker, items: 7)
      for _ in 0..<7 { insertPlain(maker) }
      try save(maker)
    }
    for _ in 0..<2 { try loseReferences(coordinator) }
    try keepDeletion(coordinator)
    try vanishBeforeSave()
    try overtake()
    try mergeRemotely(coordinator)
    for (entity, key) in [("Box", "items"), ("Box", "list"), ("Box", "shown"), ("Tag", "items"), ("Item", "tags")] {
      try readMembersAgain(entity, key, coordinator)
    }
  }

  /// How a reader hears of a save.
  private enum Way: CaseIterable {
    case notification, ids, automatic
  }

  private func hear(_ saves: [Notification], _ way: Way, _ reader: NSManagedObjectContext) {
    let coordinator = reader.persistentStoreCoordinator
    for save in saves {
      switch way {
      case .automatic: reader.performAndWait {}
      case .notification: reader.performAndWait { reader.mergeChanges(fromContextDidSave: save) }
      case .ids:
        var lists: [String: Any] = [:]
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
          lists[key] = listed(
            (save.userInfo?[key] as? Set<NSManagedObject> ?? []).compactMap {
              coordinator?.managedObjectID(forURIRepresentation: $0.objectID.uriRepresentation())
            })
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: lists, into: [reader])
      }
    }
  }

  // MARK: References

  /// Unsaved references, and members that were read, lead to what another context deletes: after the merge nothing does, whoever
  /// loses something is named, and the rest is saved.
  private func loseReferences(_ coordinator: NSPersistentStoreCoordinator) throws {
    let way = pick(Way.allCases) ?? .notification
    let (writer, reader) = (
      context(coordinator), context(coordinator, merges: way == .automatic, .mergeByPropertyObjectTrump)
    )
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let isRead = chance(1, of: 2)
    let held = try reader.performAndWait { () -> [NSManagedObject] in
      let held = try RulePicture.entities.flatMap { try all($0, reader) }
      if isRead {
        _ = try RulePicture(reader)
      } else if chance(1, of: 2) {
        for object in held { reader.refresh(object, mergeChanges: false) }
      }
      return held
    }
    let victims = some(held, atMost: 2)
    guard !victims.isEmpty else { return }
    let touched = reader.performAndWait { () -> [NSManagedObject] in
      let touched = (0..<draw(5)).compactMap { _ in refer(to: pick(victims) ?? victims[0], among: held, reader) }
      if chance(1, of: 2) { reader.processPendingChanges() }
      return touched
    }
    let victimIDs = reader.performAndWait { victims.map(\.objectID) }
    try delete(victimIDs, writer)
    let saved = saves.removeAll()
    let gone = Set(
      saved.flatMap { $0.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? [] }.map(\.objectID))
    let log = NoticeLog(session.environment, reader)
    defer { log.end() }
    // Reading would be another way to hear of it.
    let before = isRead && way != .automatic ? reader.performAndWait { leading(held, to: gone) } : []
    note("\(reader.name ?? "") merges it: \(way)")
    hear(saved, way, reader)
    try reader.performAndWait {
      reader.processPendingChanges()
      let named = log.removeNamed()
      try require(
        before.subtracting(gone).subtracting(named).count, 0, .missedNotification,
        "objects that lost what others have deleted, and that a merge does not name, by \(way)")
      for victim in held where gone.contains(victim.objectID) {
        try require(
          victim.isDeleted, true, .resurrectedRecord, "whether what others have deleted is deleted, by \(way)")
      }
      let left = leading(touched + held, to: gone).subtracting(gone)
      try require(
        left.count, 0, .danglingReference, "objects that still lead to what others have deleted, by \(way)")
      try save(reader)
      reader.refreshAllObjects()
    }
    try requireCurrent(reader, coordinator, .staleRead, "in a context that lost references, and saved")
    reader.performAndWait { withExtendedLifetime((held, touched)) {} }
  }

  private func delete(_ ids: [NSManagedObjectID], _ writer: NSManagedObjectContext) throws {
    precondition(!ids.isEmpty, "others delete at least one row")
    try writer.performAndWait {
      for id in ids {
        guard let victim = try? writer.existingObject(with: id), !victim.isDeleted else { continue }
        note("others delete \(RulePicture.number(victim))")
        writer.delete(victim)
        writer.processPendingChanges()
      }
      try save(writer)
    }
  }

  /// Leads an object to another one in a drawn way that fits; in a block of the context.
  private func refer(
    to victim: NSManagedObject, among held: [NSManagedObject], _ context: NSManagedObjectContext
  ) -> NSManagedObject? {
    precondition(held.contains { $0 === victim }, "a victim is among the objects that are held")
    func other(_ entity: String) -> NSManagedObject? {
      let isNew = entity != "Box" && chance(1, of: 4)
      return isNew ? insert(entity, context) : pick(held.filter { $0 !== victim && $0.entity.name == entity })
    }
    let (owner, key): (NSManagedObject?, String) =
      switch victim.entity.name {
      case "Box": (other("Item"), pick(["box", "shelf", "covered"]) ?? "box")
      case "Tag": (other("Item"), "tags")
      default:
        chance(1, of: 4) ? (other("Tag"), "items") : (other("Box"), pick(["items", "list", "cover"]) ?? "items")
      }
    guard let owner, let relationship = owner.entity.relationshipsByName[key] else { return nil }
    note("\(key) of \(RulePicture.number(owner)) leads to \(RulePicture.number(victim))")
    switch (relationship.isToMany, relationship.isOrdered) {
    case (false, _): owner.setValue(victim, forKey: key)
    case (true, true): owner.mutableOrderedSetValue(forKey: key).add(victim)
    case (true, false): owner.mutableSetValue(forKey: key).add(victim)
    }
    return owner
  }

  /// The objects of which a relationship leads to one of others; in a block of their context.
  private func leading(_ objects: [NSManagedObject], to others: Set<NSManagedObjectID>) -> Set<NSManagedObjectID> {
    var leading: Set<NSManagedObjectID> = []
    for object in objects where !object.isDeleted && object.managedObjectContext != nil {
      for name in object.entity.relationshipsByName.keys.sorted() {
        let value = object.value(forKey: name)
        let members =
          (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? (value as? Set<NSManagedObject>).map { Array($0) }
          ?? [value as? NSManagedObject].compactMap { $0 }
        if members.contains(where: { others.contains($0.objectID) || $0.isDeleted }) {
          leading.insert(object.objectID)
        }
      }
    }
    return leading
  }

  // MARK: Deletions

  /// An object is deleted and not saved; others delete its row as well, which undo brings back: the deletion stays, and is saved.
  private func keepDeletion(_ coordinator: NSPersistentStoreCoordinator) throws {
    let way = pick(Way.allCases) ?? .notification
    let (writer, reader) = (context(coordinator), context(coordinator, merges: way == .automatic))
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let doomed = try reader.performAndWait { () -> NSManagedObject? in
      guard let doomed = pick(try all("Plain", reader)) else { return nil }
      return doomed
    }
    guard let doomed else { return }
    let id = reader.performAndWait { doomed.objectID }
    note("a deletion here; there a deletion, its undo and their saves, which arrive by \(way)")
    try reader.performAndWait {
      reader.delete(doomed)
      if chance(1, of: 2) { reader.processPendingChanges() }
      try writer.performAndWait {
        let row = try writer.existingObject(with: id)
        defer { writer.undoManager = nil }
        recordForUndo(writer) { writer.delete(row) }
        try writer.save()
        writer.undo()
        if chance(1, of: 2) { for object in writer.insertedObjects { object.setValue(newNumber(), forKey: "rank") } }
        try writer.save()
        withExtendedLifetime(row) {}
      }
    }
    let saved = saves.removeAll()
    hear(chance(1, of: 3) ? saved.reversed() : saved, way, reader)
    try reader.performAndWait {
      reader.processPendingChanges()
      try require(
        [doomed.isDeleted, reader.deletedObjects.contains(doomed), try all("Plain", reader).contains(doomed)],
        [true, true, false], .resurrectedRecord,
        "whether an unsaved deletion, of which the row came back by \(way), is deleted, listed and found")
      try save(reader)
    }
    let fresh = freshContext(coordinator)
    let isThere = fresh.performAndWait { (try? fresh.existingObject(with: id)) != nil }
    try require(isThere, false, .resurrectedRecord, "whether a row is there after its deletion was saved")
  }

  // MARK: Remote saves

  /// A save of another coordinator is merged under drawn keys, in lists of any length, into a child alone or both: it and its parent
  /// show the newest.
  private func mergeRemotely(_ coordinator: NSPersistentStoreCoordinator) throws {
    let other = try open()
    let root = context(coordinator)
    let child = context(in: root)
    let (readers, rank) = ([root, child], newNumber())
    let ids = some(try root.performAndWait { try all("Plain", root).map(\.objectID) }, atMost: 7)
    let changed = Array(ids.prefix(draw(4)))
    let deleted = Array(ids.dropFirst(changed.count).prefix(draw(4)))
    let held = try readers.map { reader in
      try reader.performAndWait {
        try (changed + deleted).map { id in
          let object = try reader.existingObject(with: id)
          _ = object.value(forKey: "rank")
          return object
        }
      }
    }
    precondition(changed.count + deleted.count <= ids.count, "what is changed is not deleted")
    let inserted = try saveElsewhere(changed, rank, deleted, inserts: draw(4), context(other))
    let changes = remoteChanges(coordinator, inserted, changed, deleted)
    let what = "a remote save of \(inserted.count), \(changed.count) and \(deleted.count)"
    let receivers = pick([[child], [child, root], [root, child]]) ?? [child]
    note("\(what) as \(changes.keys.map { "\($0)" }.sorted()), merged into \(receivers.count)")
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: receivers)
    for (reader, objects) in zip(readers, held) {
      let place = reader === child ? "a child" : "its parent"
      try reader.performAndWait {
        let ranks = objects.prefix(changed.count).map { ($0.value(forKey: "rank") as? NSNumber)?.intValue }
        try require(ranks, changed.map { _ in rank }, .staleRead, "the ranks in \(place) after \(what)")
        let found = Set(try all("Plain", reader).map { $0.objectID.uriRepresentation() })
        let gone = objects.dropFirst(changed.count)
        try require(
          [
            gone.allSatisfy(\.isDeleted), found.isDisjoint(with: gone.map { $0.objectID.uriRepresentation() }),
            found.isSuperset(of: inserted),
          ],
          [true, true, true], .staleRead,
          "in \(place), whether all that \(what) deletes is deleted, and not found; and what it inserts is")
        try require(reader.hasChanges, false, .wrongValue, "changes of \(place) after a remote merge")
      }
    }
    for (reader, objects) in zip(readers, held) { reader.performAndWait { withExtendedLifetime(objects) {} } }
    try close(other)
  }

  /// A remote save of lists under drawn keys.
  private func remoteChanges(
    _ coordinator: NSPersistentStoreCoordinator, _ inserted: [URL], _ changed: [NSManagedObjectID],
    _ deleted: [NSManagedObjectID]
  ) -> [AnyHashable: Any] {
    let stranger = context(coordinator)
    let temporary = stranger.performAndWait { insertPlain(stranger).objectID }
    let updates = [
      NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
      NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey,
    ]
    let parts: [(keys: [String], uris: [URL])] = [
      ([NSInsertedObjectsKey, NSInsertedObjectIDsKey], inserted), (updates, changed.map { $0.uriRepresentation() }),
      ([NSDeletedObjectsKey, NSDeletedObjectIDsKey], deleted.map { $0.uriRepresentation() }),
    ]
    var changes: [AnyHashable: Any] = [:]
    for (keys, uris) in parts {
      // Objects of one kind may be divided among two keys.
      let (count, order) = (draw(uris.count + 1), some(keys, atMost: 1) + keys)
      changes[order[0]] = list(Array(uris.prefix(count)), coordinator, chance(1, of: 2) ? temporary : nil)
      guard let second = order.first(where: { $0 != order[0] }) else { continue }
      changes[second] = list(Array(uris.dropFirst(count)), coordinator, nil)
    }
    return changes
  }

  /// Changes some objects, deletes others and inserts new ones.
  ///
  /// - Returns: the new ones.
  private func saveElsewhere(
    _ changed: [NSManagedObjectID], _ rank: Int, _ deleted: [NSManagedObjectID], inserts: Int,
    _ writer: NSManagedObjectContext
  ) throws -> [URL] {
    try writer.performAndWait {
      func object(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        let own = writer.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id.uriRepresentation())
        return try own.map(writer.existingObject)
      }
      for id in changed { try object(id)?.setValue(rank, forKey: "rank") }
      for row in try deleted.compactMap(object) { writer.delete(row) }
      let new = (0..<inserts).map { _ in insertPlain(writer) }
      try save(writer)
      return new.map { $0.objectID.uriRepresentation() }
    }
  }

  /// Objects and perhaps a temporary ID, as a list of a drawn kind.
  private func list(
    _ uris: [URL], _ coordinator: NSPersistentStoreCoordinator, _ temporary: NSManagedObjectID?
  ) -> Any {
    let ids = uris.compactMap { coordinator.managedObjectID(forURIRepresentation: $0) } + [temporary].compactMap { $0 }
    let uris = ids.map { $0.uriRepresentation() }
    switch draw(5) {
    case 0: return ids
    case 1: return Set(ids)
    case 2: return uris
    case 3: return Set(uris)
    default: return (ids.prefix(1).map { $0 as Any }) + (uris.dropFirst().map { $0 as Any })
    }
  }

  /// A batch request takes members away, and leaves their owners' rows as they are: a context that merges the owners reads their
  /// members again.
  private func readMembersAgain(_ entity: String, _ key: String, _ coordinator: NSPersistentStoreCoordinator) throws {
    let (reader, writer) = (context(coordinator), context(coordinator))
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let ids = try writer.performAndWait {
      let owners = (0..<2).map { _ in insert(entity, writer) }
      for owner in owners {
        let members = (0..<3).map { _ in insert(key == "tags" ? "Tag" : "Item", writer) }
        let isOrdered = owner.entity.relationshipsByName[key]?.isOrdered == true
        owner.setValue(isOrdered ? NSOrderedSet(array: members) : Set(members), forKey: key)
      }
      try save(writer)
      return owners.map(\.objectID)
    }
    func state(_ owner: NSManagedObject) -> (row: [String: String], members: [Int]) {
      let (texts, keys) = (RulePicture.properties(of: owner), owner.entity.attributesByName)
      return (texts.filter { keys[$0.key] != nil }, RulePicture.numbers(texts[key]))
    }
    let owners = try reader.performAndWait { try ids.map(reader.existingObject) }
    let old = reader.performAndWait { owners.map(state) }
    let doomed = old.flatMap { Array($0.members.dropFirst(draw(3)).prefix(1)) }
    note("a batch request takes \(doomed) out of \(key) of \(entity), of which only the owners are merged")
    try writer.performAndWait {
      let chosen = NSPredicate(format: "\(RuleModel.number) IN %@", argumentArray: [doomed])
      if let column = ["items": "box", "list": "shelf"][entity == "Box" ? key : ""], chance(1, of: 2) {
        let request = NSBatchUpdateRequest(entityName: "Item")
        (request.predicate, request.propertiesToUpdate) = (chosen, [column: NSNull()])
        _ = try writer.execute(request)
      } else {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: key == "tags" ? "Tag" : "Item")
        fetch.predicate = chosen
        _ = try writer.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      }
    }
    let file = freshContext(coordinator)
    let rows = try file.performAndWait { try ids.map { state(try file.existingObject(with: $0)).row } }
    // The premise; another row would have the members read for itself.
    try require(
      rows == old.map(\.row), !(entity == "Box" && key == "items"), .wrongValue,
      "whether rows of \(entity) are as before a batch request took members out of \(key)")
    let name = pick([NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectIDsKey]) ?? NSUpdatedObjectsKey
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [name: ids], into: [reader])
    try reader.performAndWait {
      try require(
        owners.map { state($0).members }, old.map { $0.members.filter { !doomed.contains($0) } }, .staleRead,
        "the \(key) of each \(entity) that a remote merge names, though its row is as before")
      withExtendedLifetime(owners) {}
    }
  }
}
