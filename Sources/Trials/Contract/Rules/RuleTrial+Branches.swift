import Cells
import Checking
import CoreData
import Scheduling

// S4.1 to S4.4: parent and child change the same object, each its own properties; the parent deletes what the child relates; queries
// in a child see what each level has not saved; siblings see a push by a fetch, a refresh or a merge; transient values are pushed.

extension RuleTrial {
  func branches() throws {
    let coordinator = try open()
    let root = context(coordinator, .mergeByPropertyObjectTrump)
    CellReports.allowInaccessibleFaults(in: [root.name ?? ""])
    try root.performAndWait {
      populate(root, items: 6)
      try save(root)
    }
    for _ in 0..<2 { try divideProperties(root, coordinator) }
    try relateWhatIsDeleted(root, coordinator)
    try askEachLevel(root)
    try askPastChanges(root, coordinator)
    try hearSibling(root, coordinator)
    try pushTransient(root, coordinator)
    try mergeLate(root, coordinator)
    if chance(1, of: 2) { try mergeSeveralLate(root, coordinator) }
    try revertLateMerge(coordinator)
    try comeToDeletedInChild(root, coordinator)
    try refreshUnsaved(root, coordinator)
    for _ in 0..<3 { try deleteAtBothLevels(root, coordinator) }
  }

  // MARK: One object at two levels

  private static let shared = [
    "name", "rank", "weight", "isNew", "madeAt", "price", "place", "code", "page", "ratio", "level", "photo", "box",
    "shelf", "tags",
  ]

  /// Gives a property a drawn value; in a block of the object's context.
  private func setAny(_ name: String, of item: NSManagedObject, _ context: NSManagedObjectContext) throws {
    precondition(Self.shared.contains(name), "\(name) is a property of items")
    guard let relationship = item.entity.relationshipsByName[name] else { return set(name, of: item) }
    let targets = some(try all(relationship.destinationEntity?.name ?? "", context), atMost: name == "tags" ? 3 : 1)
    note("\(name) of \(RulePicture.number(item)) = \(targets.map(RulePicture.number))")
    if name == "tags" {
      item.setValue(NSOrderedSet(array: targets), forKey: name)
    } else {
      item.setValue(targets.first, forKey: name)
    }
  }

  /// A parent and a child change different properties of one object: each wins where it has changed something.
  private func divideProperties(
    _ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "what is pushed and saved is in this file")
    let middle = chance(1, of: 3) ? context(in: root) : nil
    let child = context(in: middle ?? root)
    let id: NSManagedObjectID? = try root.performAndWait {
      root.refreshAllObjects()
      return pick(try all("Item", root))?.objectID
    }
    guard let id else { return }
    let names = some(Self.shared, atMost: 10)
    let cut = draw(names.count + 1)
    let (above, below) = (Array(names[..<cut]), Array(names[cut...]))
    // The child may have read the object before the parent changes it.
    let early = try chance(1, of: 2) ? child.performAndWait { try child.existingObject(with: id) } : nil
    var expected = try root.performAndWait {
      let item = try root.existingObject(with: id)
      for name in above { try setAny(name, of: item, root) }
      if chance(1, of: 2) { root.processPendingChanges() }
      return RulePicture.properties(of: item)
    }
    let texts = try child.performAndWait {
      let item = try early ?? child.existingObject(with: id)
      for name in below { try setAny(name, of: item, child) }
      let texts = RulePicture.properties(of: item)
      note("the child saves \(below.sorted())")
      try save(child)
      return texts
    }
    for name in below { expected[name] = texts[name] }
    if let middle { try middle.performAndWait { try save(middle) } }
    func requireProperties(_ context: NSManagedObjectContext, _ what: String) throws {
      try context.performAndWait {
        let seen = RulePicture.properties(of: try context.existingObject(with: id))
        for name in Self.shared {
          try require(
            seen[name] ?? "", expected[name] ?? "", .lostUpdate,
            "\(name), \(above.contains(name) ? "changed above" : below.contains(name) ? "changed below" : "unchanged"), \(what)"
          )
        }
      }
    }
    try requireProperties(root, "in the parent after a push")
    try root.performAndWait { try save(root) }
    try requireProperties(freshContext(coordinator), "in the file after a push")
    _ = try stored(coordinator)
  }

  // MARK: What the parent has deleted

  /// A child relates and changes what its parent has deleted, saved, merged or found gone: the deletion stays, and the save succeeds.
  private func relateWhatIsDeleted(
    _ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "a row is deleted in the file of the root")
    let (child, late, way) = (context(in: root), context(in: root), draw(4))
    let held = try root.performAndWait {
      root.refreshAllObjects()
      return try all("Item", root) + all("Box", root)
    }
    let doomed = root.performAndWait { pick(held.filter { $0.entity.name != "Box" }) }
    guard let doomed else { return }
    let (id, number) = root.performAndWait { (doomed.objectID, RulePicture.number(doomed)) }
    let item = try child.performAndWait {
      let item = try child.existingObject(with: id)
      _ = RulePicture.properties(of: item)
      return item
    }
    try deleteAbove(doomed, root, coordinator, way)
    try late.performAndWait {
      let code = AnythingClient.error { _ = try late.existingObject(with: id) }?.code
      try require(
        code, NSManagedObjectReferentialIntegrityError, .resurrectedRecord,
        "existingObject in a child of what its parent has deleted, way \(way)")
      let numbers = try all("Item", late).map(RulePicture.number)
      try require(numbers.contains(number), false, .resurrectedRecord, "whether a child fetches it")
    }
    try child.performAndWait {
      try relateToAll(item, child)
      note("the child saves what it relates to \(number)")
      let error = AnythingClient.error { try child.save() }
      try require(error?.code, nil, .failedSave, "the error of a child that relates what its parent has deleted")
    }
    let shown = try picture(root)
    try require(
      shown.objects[number] == nil, true, .resurrectedRecord, "whether \(number) is gone in the parent, way \(way)")
    let links = RuleModel.shared.entitiesByName.mapValues { Set($0.relationshipsByName.keys) }
    for (owner, texts) in shown.objects.sorted(by: { $0.key < $1.key }) {
      for name in (links[texts["entity"] ?? ""] ?? []).sorted() {
        try require(
          RulePicture.numbers(texts[name]).contains(number), false, .danglingReference,
          "whether \(name) of \(owner) leads to \(number), which the parent has deleted, way \(way)")
      }
    }
    try root.performAndWait {
      try save(root)
      root.refreshAllObjects()
    }
    try require(
      try stored(coordinator).withoutDerived, try picture(root).withoutDerived, .unpersistedSave,
      "in the file after a child related what was deleted")
    root.performAndWait { withExtendedLifetime(held) {} }
  }

  /// The parent deletes an object, saves that, merges it, or finds it gone.
  private func deleteAbove(
    _ doomed: NSManagedObject, _ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ way: Int
  ) throws {
    precondition(0..<4 ~= way, "there are four ways to be gone")
    let id = root.performAndWait { doomed.objectID }
    note("the parent \(["deletes", "deletes and saves", "merges the deletion of", "finds gone"][way]) \(id)")
    guard way > 1 else {
      return try root.performAndWait {
        root.delete(doomed)
        if chance(1, of: 2) { root.processPendingChanges() }
        if way == 1 { try save(root) }
      }
    }
    let other = context(coordinator)
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    try other.performAndWait {
      other.delete(try other.existingObject(with: id))
      try save(other)
    }
    let saved = saves.removeLast()
    try root.performAndWait {
      if way == 2, let saved { return root.mergeChanges(fromContextDidSave: saved) }
      root.refresh(doomed, mergeChanges: false)
      _ = doomed.value(forKey: "name")
      try require(doomed.isDeleted, true, .wrongValue, "isDeleted of an object that the parent finds gone")
    }
  }

  /// Relates old and new objects to an item in every way, and changes it; in a block of the context.
  private func relateToAll(_ item: NSManagedObject, _ context: NSManagedObjectContext) throws {
    let (boxes, tags) = (try all("Box", context), try all("Tag", context))
    set("name", of: item)
    for way in some(Array(0..<7), atMost: 5) + [draw(7)] {
      let box = chance(1, of: 3) ? insert("Box", context) : pick(boxes) ?? insert("Box", context)
      let tag = chance(1, of: 3) ? insert("Tag", context) : pick(tags) ?? insert("Tag", context)
      note("relation \(way) to \(RulePicture.number(box)) or \(RulePicture.number(tag))")
      switch way {
      case 0: item.setValue(box, forKey: "box")
      case 1: box.mutableSetValue(forKey: "items").add(item)
      case 2:
        let list = box.mutableOrderedSetValue(forKey: "list")
        if !list.contains(item) { list.insert(item, at: draw(list.count + 1)) }
      case 3: box.setValue(item, forKey: "cover")
      case 4: tag.mutableSetValue(forKey: "items").add(item)
      case 5: item.setValue(NSOrderedSet(array: [tag] + some(tags, atMost: 2)), forKey: "tags")
      default: insert("Item", context).setValue(box, forKey: "shelf")
      }
    }
  }

  // MARK: Queries

  /// A query in a grandchild finds what the unsaved changes of all levels make of the file.
  private func askEachLevel(_ root: NSManagedObjectContext) throws {
    let middle = context(in: root)
    let leaf = context(in: middle)
    for context in [root, middle, leaf] {
      try context.performAndWait {
        context.refreshAllObjects()
        for _ in 0..<(1 + draw(3)) { try changeSomething(context) }
        context.processPendingChanges()
      }
    }
    try leaf.performAndWait {
      for _ in 0..<4 {
        let formats = ["rank >= 1", "box.size >= 0", "tags.@count >= 2", "name == nil"]
        try askByHand(leaf, pick(formats).map { NSPredicate(format: $0, argumentArray: []) })
        if chance(1, of: 3) { try changeSomething(leaf) }
        leaf.processPendingChanges()
      }
    }
    for context in [leaf, middle, root] { context.performAndWait { context.rollback() } }
  }

  /// Past unsaved changes a child finds what the file has, but for what a level above has deleted: in every form, by every predicate.
  private func askPastChanges(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "what is saved is in the file of the root")
    let above = chance(1, of: 2) ? [root] : [root, context(in: root)]
    let (leaf, saved) = (context(in: above[above.count - 1]), freshContext(coordinator))
    var gone: Set<NSManagedObjectID> = []
    for level in above {
      try level.performAndWait {
        for _ in 0..<draw(3) { try changeSomething(level) }
        if let item = pick(try all("Item", level)), chance(2, of: 3) {
          level.delete(item)
        }
        level.processPendingChanges()
        gone.formUnion(level.deletedObjects.map(\.objectID))
      }
    }
    for format in ["TRUEPREDICATE", "rank >= 1", "mark == nil", "mark == nil AND name != nil"] {
      let predicate = NSPredicate(format: format, argumentArray: [])
      func request<Found>(_: Found.Type, _ type: NSFetchRequestResultType) -> NSFetchRequest<Found> {
        let request = NSFetchRequest<Found>(entityName: "Item")
        (request.predicate, request.resultType, request.includesPendingChanges) = (predicate, type, false)
        return request
      }
      func text(_ ids: [NSManagedObjectID]) -> [String] { ids.map { "\($0)" }.sorted() }
      let expected = try saved.performAndWait {
        text(
          try all("Item", saved).filter { predicate.evaluate(with: $0) }.map(\.objectID).filter { !gone.contains($0) })
      }
      try leaf.performAndWait {
        let objects = request(NSManagedObject.self, .managedObjectResultType)
        let (found, count) = (try leaf.fetch(objects).map(\.objectID), try leaf.count(for: objects))
        let ids = try leaf.fetch(request(NSManagedObjectID.self, .managedObjectIDResultType))
        try require(
          [text(found), text(ids), ["\(count)"]], [expected, expected, ["\(expected.count)"]], .resurrectedRecord,
          "saved items where \(format), their IDs and their count, in a child below \(gone.count) deletions")
      }
    }
    for context in above.reversed() { context.performAndWait { context.rollback() } }
  }

  // MARK: Siblings

  /// A sibling keeps what it has read, finds what was pushed by a fetch, and has all of it once it merges the push.
  private func hearSibling(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "siblings have the file of their root")
    let (one, other) = (context(in: root), context(in: root))
    root.performAndWait { root.refreshAllObjects() }
    let saves = SaveLog(session.environment, of: one)
    defer { saves.end() }
    let held = try other.performAndWait { try RulePicture.entities.flatMap { try all($0, other) } }
    let before = try picture(other)
    try one.performAndWait {
      for _ in 0..<(2 + draw(4)) { try changeSomething(one) }
      try save(one)
    }
    let after = try picture(root)
    try other.performAndWait {
      for object in held {
        let number = RulePicture.number(object)
        let names = object.entity.attributesByName.keys.sorted().filter {
          !RuleModel.derived.contains($0) && $0 != "mark"
        }
        for name in names {
          try require(
            RulePicture.text(object.value(forKey: name)), before.objects[number]?[name] ?? "", .wrongValue,
            "\(name) of \(number) in a sibling that has not merged")
        }
      }
      let found = try all("Item", other).map(RulePicture.number)
      let there = after.objects.filter { $0.value["entity"]?.hasSuffix("Item") == true }.keys.sorted()
      try require(found, there, .staleRead, "the items that a sibling fetches after a push")
      guard let saved = saves.removeLast(), chance(2, of: 3) else { return other.refreshAllObjects() }
      note("the sibling merges the push")
      other.mergeChanges(fromContextDidSave: saved)
      for object in held where after.objects[RulePicture.number(object)] == nil {
        try require(object.isDeleted, true, .staleRead, "isDeleted of what a merged push has deleted")
      }
    }
    try require(
      try picture(other).withoutDerived, after.withoutDerived, .staleRead, "in a sibling that has merged the push")
    try require(other.performAndWait { other.hasChanges }, false, .wrongValue, "changes of a sibling that has merged")
    try root.performAndWait { try save(root) }
    _ = try stored(coordinator)
    other.performAndWait { withExtendedLifetime(held) {} }
  }

  // MARK: Transient values

  /// A transient value is pushed, makes the parent's object dirty and its row no newer; one that only the parent has set stays.
  private func pushTransient(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "the other context hears of the root's save")
    let (child, other) = (context(in: root), context(coordinator))
    let items = try root.performAndWait {
      root.refreshAllObjects()
      return Array(try all("Item", root).prefix(2))
    }
    guard items.count == 2 else { return }
    let ids = root.performAndWait { items.map(\.objectID) }
    let theirs = try other.performAndWait {
      let theirs = try ids.map { try other.existingObject(with: $0) }
      for item in theirs { _ = RulePicture.number(item) }
      return theirs
    }
    root.performAndWait { items[1].setValue("the parent's", forKey: "mark") }
    let rank = 5_000 + newNumber()
    let changesRank = chance(1, of: 2)
    try child.performAndWait {
      note("a child sets a transient value\(changesRank ? ", and the rank of another object" : "")")
      try child.existingObject(with: ids[0]).setValue("the child's", forKey: "mark")
      if changesRank { try child.existingObject(with: ids[1]).setValue(rank, forKey: "rank") }
      try save(child)
    }
    try root.performAndWait {
      try require(
        items.map { $0.value(forKey: "mark") as? String }, ["the child's", "the parent's"], .lostUpdate,
        "transient values of the parent after a push")
      try require(
        [items[0].hasChanges, items[0].hasPersistentChangedValues, items[0].changedValues().isEmpty, root.hasChanges],
        [true, false, true, true], .wrongValue, "what an object is whose transient value was pushed")
      try save(root)
    }
    // Who has read the row before meets no newer one.
    try other.performAndWait {
      theirs[0].setValue(newNumber(), forKey: "rank")
      let error = AnythingClient.error { try other.save() }
      try require(error?.code, nil, .failedSave, "the error of a save after another one of transient values")
    }
    root.performAndWait { root.refreshAllObjects() }
  }
}
