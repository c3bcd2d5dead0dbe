import Checking
import CoreData

// S2.6, S7.1, S8.1: both sides of every kind of relationship show the changes of either side, made in any way, in memory
// and in the file; objects that a delete rule reaches are gone, and nothing leads there.

extension RuleTrial {
  func members() throws {
    let coordinator = try open()
    let root = context(coordinator, merges: false)
    let editor = chance(1, of: 3) ? context(in: root) : root
    var links = RuleLinks(RuleModel.shared)
    editor.performAndWait {
      for entity in ["Box", "Box", "Box", "Tag", "Tag", "Tag", "Item", "Item", "SpecialItem", "Item", "Item", "Item"] {
        links.insert(RulePicture.number(insert(entity, editor)), entity)
      }
    }
    for round in 0..<(2 + draw(3)) {
      try editor.performAndWait {
        let held = try objects(editor)
        // Whoever takes part may be a fault, have read its members or not, or be known to nothing but the other side.
        let staysFault = round > 0 && chance(1, of: 2)
        for _ in 0..<(round == 0 ? 1 : 3 + draw(8)) {
          let objects = staysFault ? held : try self.objects(editor)
          if staysFault { makeFaults(held, editor) }
          try relate(objects, &links)
          if chance(1, of: 3) { editor.processPendingChanges() }
          if chance(1, of: 8), let object = pick(held.keys.sorted()).flatMap({ held[$0] }) {
            note("refresh \(RulePicture.number(object)), merging")
            editor.refresh(object, mergeChanges: true)
          }
          if !staysFault || chance(1, of: 3) { try require(objects, links, "in the context that changed it") }
        }
        try require(held, links, "after all of its changes")
        if chance(1, of: 2) { try removeSomething(editor, &links) }
        try require(try objects(editor), links, "before a save")
        try save(editor)
      }
      if editor !== root { try root.performAndWait { try save(root) } }
      for reader in [editor, root, freshContext(coordinator)] {
        if reader !== editor || chance(1, of: 2) { reader.performAndWait { reader.refreshAllObjects() } }
        try reader.performAndWait { try require(try objects(reader), links, "after a save in \(reader.name ?? "")") }
      }
    }
    try fillPages()
  }

  /// The relationships that are changed; ordered ones twice as often.
  private static let related = [
    ("Box", "items"), ("Item", "box"), ("Box", "list"), ("Item", "shelf"), ("Item", "tags"), ("Tag", "items"),
    ("Box", "cover"), ("Item", "covered"), ("Box", "shown"), ("Box", "list"), ("Item", "tags"),
  ]

  /// Makes faults of some objects without changes, and reads one relationship of some; in a block of the context.
  private func makeFaults(_ objects: [Int: NSManagedObject], _ context: NSManagedObjectContext) {
    let clean = objects.keys.sorted().filter { objects[$0]?.hasChanges == false }
    let chosen = chance(1, of: 2) ? clean : some(clean, atMost: clean.count)
    let read = some(chosen, atMost: 2)
    note("faults of \(chosen), of which \(read) are read")
    for object in chosen.compactMap({ objects[$0] }) { context.refresh(object, mergeChanges: false) }
    for object in read.compactMap({ objects[$0] }) {
      _ = pick(object.entity.relationshipsByName.keys.sorted()).map { object.value(forKey: $0) }
    }
  }

  private func objects(_ context: NSManagedObjectContext) throws -> [Int: NSManagedObject] {
    let objects = try ["Item", "Box", "Tag"].flatMap { try all($0, context) }
    return Dictionary(uniqueKeysWithValues: objects.map { (RulePicture.number($0), $0) })
  }

  private func require(_ objects: [Int: NSManagedObject], _ links: RuleLinks, _ what: String) throws {
    try require(objects.keys.sorted(), links.entities.keys.sorted(), .lostRecord, "the objects \(what)")
    for (number, object) in objects.sorted(by: { $0.key < $1.key }) {
      for (name, relationship) in object.entity.relationshipsByName {
        let seen = RulePicture.members(of: object, relationship)
        try require(
          seen, links.members(name, of: number), .asymmetricInverse,
          "\(name) of \(object.entity.name ?? "") \(number) \(what)")
      }
    }
  }

  /// Deletes one or two objects; in a block of the context.
  private func removeSomething(_ context: NSManagedObjectContext, _ links: inout RuleLinks) throws {
    let objects = try objects(context)
    for number in some(objects.keys.sorted().filter { _ in chance(1, of: 2) }, atMost: 2) {
      guard let object = objects[number] else { continue }
      let old = links
      links.delete([number])
      // No rule takes a deleted object out of a relationship without an inverse.
      for (owner, member) in old.owners(of: old.entities.keys.filter { links.entities[$0] == nil }, "shown") {
        guard links.entities[owner] != nil, let member = objects[member] else { continue }
        objects[owner]?.mutableSetValue(forKey: "shown").remove(member)
      }
      note("delete \(number), and take it out of what is shown")
      context.delete(object)
    }
    context.processPendingChanges()
  }

  /// Draws one change of a relationship, made on a drawn side in a drawn way; in a block of the context.
  private func relate(_ objects: [Int: NSManagedObject], _ links: inout RuleLinks) throws {
    guard let (entity, name) = pick(Self.related),
      let owner = pick(objects.keys.sorted().filter { links.kind(of: $0) == entity }), let object = objects[owner],
      let relationship = object.entity.relationshipsByName[name]
    else { return }
    let candidates = objects.keys.sorted().filter { links.kind(of: $0) == relationship.destinationEntity?.name }
    guard relationship.isToMany else {
      let target = chance(1, of: 4) ? nil : pick(candidates)
      let isByHand = !object.isFault && chance(1, of: 3)
      note("\(name) of \(owner) = \(target.map { "\($0)" } ?? "nil")\(isByHand ? " by hand" : "")")
      let member = target.flatMap { objects[$0] }
      if isByHand { setByHand(member, name, of: object) } else { object.setValue(member, forKey: name) }
      return links.set(name, of: owner, to: target.map { [$0] } ?? [])
    }
    let old = links.members(name, of: owner)
    let new = changed(old, candidates, isOrdered: relationship.isOrdered)
    if name == "shown" {
      // A row has the key of one owner: a member leaves the one that it has.
      for (other, member) in links.owners(of: new, name) where other != owner {
        guard let member = objects[member] else { continue }
        note("\(name) of \(other) loses \(RulePicture.number(member))")
        objects[other]?.mutableSetValue(forKey: name).remove(member)
        links.set(name, of: other, to: links.members(name, of: other).filter { $0 != RulePicture.number(member) })
      }
    }
    // A relationship that was not read has no primitive value.
    let way = draw(object.isFault || object.hasFault(forRelationshipNamed: name) ? 3 : 5)
    let ways = ["as a value", "member by member", "by the proxy", "by hand", "by hand in the primitive set"]
    note("\(name) of \(owner): \(old) becomes \(new), \(ways[way])")
    arrange(relationship, of: object, from: old, to: new, objects, way)
    links.set(name, of: owner, to: new)
  }

  /// Sets the members of a to-many relationship in one of five ways; in a block of the context.
  private func arrange(
    _ relationship: NSRelationshipDescription, of object: NSManagedObject, from old: [Int], to new: [Int],
    _ objects: [Int: NSManagedObject], _ way: Int
  ) {
    precondition(relationship.isToMany && 0...4 ~= way, "members are set in one of five ways")
    let (name, members) = (relationship.name, new.compactMap { objects[$0] })
    let value: NSObject = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    switch way {
    case 0: object.setValue(value, forKey: name)
    case 4 where !relationship.isOrdered:
      let (set, kept) = (object.primitiveValue(forKey: name) as? NSMutableSet, Set(members))
      let changed = (old + new).filter { old.contains($0) != new.contains($0) }.compactMap { objects[$0] }
      object.willChangeValue(forKey: name, withSetMutation: .set, using: Set(changed))
      for member in changed { if kept.contains(member) { set?.add(member) } else { set?.remove(member) } }
      object.didChangeValue(forKey: name, withSetMutation: .set, using: Set(changed))
    case 3, 4: setByHand(value, name, of: object)
    case 1 where relationship.isOrdered:
      let proxy = object.mutableOrderedSetValue(forKey: name)
      for member in old where !new.contains(member) { if let gone = objects[member] { proxy.remove(gone) } }
      for (index, member) in members.enumerated() {
        let place = proxy.index(of: member)
        if place == NSNotFound {
          proxy.insert(member, at: index)
        } else if place != index {
          proxy.moveObjects(at: IndexSet(integer: place), to: index)
        }
      }
    case 1:
      let proxy = object.mutableSetValue(forKey: name)
      for member in new where !old.contains(member) { if let member = objects[member] { proxy.add(member) } }
      for member in old where !new.contains(member) { if let member = objects[member] { proxy.remove(member) } }
    default:
      if relationship.isOrdered {
        let proxy = object.mutableOrderedSetValue(forKey: name)
        proxy.removeAllObjects()
        proxy.addObjects(from: members)
      } else {
        let proxy = object.mutableSetValue(forKey: name)
        proxy.intersect(Set(members))
        proxy.union(Set(members))
      }
    }
  }

  /// Some members come, some leave; of an ordered relationship some move.
  private func changed(_ old: [Int], _ candidates: [Int], isOrdered: Bool) -> [Int] {
    let gone = some(old, atMost: 2)
    var new = old.filter { !gone.contains($0) }
    for member in some(candidates.filter { !new.contains($0) }, atMost: 3) {
      new.insert(member, at: draw(new.count + 1))
    }
    if isOrdered, new.count > 1, chance(1, of: 2) {
      new.insert(new.remove(at: draw(new.count)), at: draw(new.count + 1))
    }
    precondition(Set(new).count == new.count, "a member is there once")
    return isOrdered ? new : new.sorted()
  }

  // MARK: As many as fit into a page of the stack, and some more or less

  /// Many objects, read, changed and deleted together: each has the members that a loop gives it.
  private func fillPages() throws {
    let coordinator = try open(at: newURL())
    let (maker, reader) = (context(coordinator), context(coordinator, merges: true))
    let count = (pick([32, 64, 100, 100, 128, 200, 200, 256, 300]) ?? 100) - 2 + draw(5)
    var links = RuleLinks(RuleModel.shared)
    note("\(count) boxes, items and tags, related all around")
    try maker.performAndWait {
      let made = ["Box", "Item", "Tag"].map { entity in
        (0..<count).map { _ in
          let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: maker)
          object.setValue(newNumber(), forKey: RuleModel.number)
          links.insert(RulePicture.number(object), entity)
          return object
        }
      }
      if chance(1, of: 2) { try maker.obtainPermanentIDs(for: made.flatMap { $0 }) }
      let step = 1 + draw(count - 1)
      precondition(1..<count ~= step, "an item has two tags, and a box leads to another item than it lists")
      for index in 0..<count {
        let (box, item, next) = (made[0][index], made[1][index], made[1][(index + step) % count])
        let tags = [made[2][index], made[2][(index + step) % count]]
        for (name, owner, members, value) in [
          ("items", box, [next], Set([next])), ("list", box, [item], NSOrderedSet(array: [item])),
          ("shown", box, [next], Set([next])), ("cover", box, [item], item),
          ("tags", item, tags, NSOrderedSet(array: tags)),
        ] as [(String, NSManagedObject, [NSManagedObject], Any)] {
          owner.setValue(value, forKey: name)
          links.set(name, of: RulePicture.number(owner), to: members.map(RulePicture.number))
        }
      }
      try save(maker)
    }
    let held = try reader.performAndWait { try objects(reader) }
    try reader.performAndWait { try require(held, links, "of \(count) owners, one by one") }
    for _ in 0..<3 { try readTogether(freshContext(coordinator), links) }
    let (update, rank) = (NSBatchUpdateRequest(entityName: "Item"), newNumber())
    (update.propertiesToUpdate, update.resultType) = (["rank": rank], .updatedObjectIDsResultType)
    let changed = try maker.performAndWait { (try maker.execute(update) as? NSBatchUpdateResult)?.result }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: changed ?? []], into: [reader])
    let ranks = reader.performAndWait {
      held.keys.sorted().compactMap { links.kind(of: $0) == "Item" ? held[$0]?.value(forKey: "rank") as? Int : nil }
    }
    try require(
      ranks, Array(repeating: rank, count: count), .staleRead,
      "ranks of \(count) items that a batch request has changed")
    links.delete(try deleteTogether(coordinator, into: reader))
    for context in [reader, freshContext(coordinator)] {
      try context.performAndWait { try require(try objects(context), links, "after all, in \(context.name ?? "")") }
    }
    reader.performAndWait { withExtendedLifetime(held) {} }
  }

  /// Members that are read with their owners, and fetches by lists of owners; in a context that has read nothing.
  private func readTogether(_ context: NSManagedObjectContext, _ links: RuleLinks) throws {
    guard let (entity, name) = pick(Self.related) else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.relationshipKeyPathsForPrefetching = [name]
    request.fetchBatchSize = pick([0, 0, 1, 99, 100, 101]) ?? 0
    note("prefetch \(name) of each \(entity), in batches of \(request.fetchBatchSize)")
    try context.performAndWait {
      for owner in try context.fetch(request) {
        guard let relationship = owner.entity.relationshipsByName[name] else { continue }
        let (number, isFault) = (RulePicture.number(owner), owner.hasFault(forRelationshipNamed: name))
        try require(isFault, false, .wrongValue, "whether prefetched \(name) of \(number) is a fault")
        try require(
          RulePicture.members(of: owner, relationship), links.members(name, of: number), .wrongValue,
          "\(name) of \(entity) \(number), prefetched")
      }
      let boxes = some(try all("Box", context), atMost: links.entities.count)
      let conditions = boxes.map { NSPredicate(format: "box.number == %ld", RulePicture.number($0)) }
      for predicate in [
        NSPredicate(format: "box IN %@", argumentArray: [boxes]),
        NSCompoundPredicate(orPredicateWithSubpredicates: conditions),
      ] {
        let items = NSFetchRequest<NSManagedObject>(entityName: "Item")
        items.predicate = predicate
        try require(
          try context.fetch(items).map(RulePicture.number).sorted(),
          boxes.flatMap { links.members("items", of: RulePicture.number($0)) }.sorted(), .wrongValue,
          "items in \(boxes.count) boxes")
      }
    }
  }

  /// Nearly all of an entity are deleted together, in a child or by a batch request now and then.
  private func deleteTogether(
    _ coordinator: NSPersistentStoreCoordinator, into reader: NSManagedObjectContext
  ) throws -> [Int] {
    precondition(
      reader.persistentStoreCoordinator === coordinator && reader.automaticallyMergesChangesFromParent,
      "the reader merges by itself what is deleted")
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    let entity = pick(["Box", "Item", "Tag"]) ?? "Tag"
    let isBatch = entity != "Box" && chance(1, of: 3)
    let (ids, numbers) = try editor.performAndWait {
      let gone = try all(entity, editor).dropFirst(draw(3)).dropLast(draw(3))
      note("delete \(gone.count) of \(entity)\(isBatch ? " by batch" : "")")
      let found = (gone.map(\.objectID), gone.map(RulePicture.number))
      if isBatch { _ = try editor.execute(NSBatchDeleteRequest(objectIDs: found.0)) }
      for object in isBatch ? [] : gone { editor.delete(object) }
      try save(editor)
      return found
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    if isBatch {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [reader])
      // No list names the owners that have lost their covers.
      reader.performAndWait { reader.refreshAllObjects() }
    }
    return numbers
  }
}
