import Cells
import Checking
import CoreData

// S4.1 to S4.5: a child shows its parent's values, a save gives the parent the child's changes and nothing else, and the
// file the root's values; IDs lead to the same object at each level.

extension RuleTrial {
  func families() throws {
    let coordinator = try open()
    let root = context(coordinator, .mergeByPropertyObjectTrump)
    // A child may take a member out that has no row any more: the root looks for that row.
    CellReports.allowInaccessibleFaults(in: [root.name ?? ""])
    try root.performAndWait {
      populate(root, items: 4)
      try save(root)
    }
    let middle = [0, 1].map { _ in context(in: root, merges: chance(1, of: 2)) }
    let leaves = [middle[0], pick(middle) ?? middle[0]].map { context(in: $0, merges: chance(1, of: 2)) }
    let all = [root] + middle + leaves
    var permanent: [Int: NSManagedObjectID] = [:]
    for _ in 0..<(4 + draw(6)) {
      guard let editor = pick(middle + leaves + leaves), let parent = editor.parent else { continue }
      // One part of the tree has unsaved changes at a time: deletions that meet those of another one are tried on their own.
      for other in middle where other !== editor && other !== parent && other.performAndWait({ other.hasChanges }) {
        try bringUpToDate(other)
        try push(other, root)
      }
      try bringUpToDate(editor)
      let held = try held(editor)
      let hadChanges = editor.performAndWait { editor.hasChanges }
      try editor.performAndWait {
        for _ in 0..<(1 + draw(4)) { try changeSomething(editor) }
        editor.processPendingChanges()
        try identify(editor, held, &permanent)
      }
      try push(editor, parent, hadChanges: hadChanges)
      withExtendedLifetime(held) {}
      // Where others may change objects that are deleted and not saved, a child's rules are followed again only by its save.
      let isDeleting = parent.performAndWait { !parent.deletedObjects.isEmpty }
      if isDeleting || chance(1, of: 2), let grandparent = parent.parent { try push(parent, grandparent) }
      if chance(1, of: 3) { try saveRoot(root, coordinator) }
    }
    try crossDeletion(middle, root)
    try pushEqual(middle[0], root)
    for context in leaves + middle {
      guard let parent = context.parent else { continue }
      try bringUpToDate(context)
      try push(context, parent)
    }
    try saveRoot(root, coordinator)
    let file = try stored(coordinator).withoutDerived
    for context in all {
      try bringUpToDate(context)
      try require(try picture(context).withoutDerived, file, .staleRead, "at the end in \(context.name ?? "")")
    }
    try checkPermanent(permanent, coordinator)
    if let leaf = pick(leaves) { try lookUpNew(leaf, root) }
    try liveOn()
  }

  /// An object that a child has inserted is one, by the ID that it had at first and by the one that the root's save gave; of several
  /// each obtains its row's.
  private func lookUpNew(_ leaf: NSManagedObjectContext, _ root: NSManagedObjectContext) throws {
    precondition(leaf.parent?.parent === root, "a leaf is two levels below the root")
    let (new, id, others) = try leaf.performAndWait {
      let new = insert("Item", leaf)
      let others =
        try some(all("Box", leaf), atMost: 1) + (0..<draw(3)).map { insert(["Tag", "Item", "Box"][$0], leaf) }
      for object in [new] + others where chance(1, of: 4) { try leaf.obtainPermanentIDs(for: [object]) }
      return (new, new.objectID, others)
    }
    var path: [NSManagedObjectContext] = []
    var next: NSManagedObjectContext? = leaf
    while let context = next {
      try context.performAndWait { try save(context) }
      path.append(context)
      next = context.parent
    }
    let number = leaf.performAndWait { RulePicture.number(new) }
    let rows = try root.performAndWait {
      let objects = try RulePicture.entities.flatMap { try all($0, root) }
      return Dictionary(objects.map { (RulePicture.number($0), $0.objectID) }) { first, _ in first }
    }
    guard let row = rows[number] else {
      return try report(.lostRecord, "item \(number) in the root", expected: "there", seen: "missing")
    }
    try require(row.isTemporaryID, false, .wrongValue, "whether the ID of \(number) is temporary after the root's save")
    for context in path where context !== root {
      try context.performAndWait {
        let own = context === leaf ? new : context.registeredObject(for: id)
        for other in some([id, row], atMost: 2) + [row, id] {
          let ways = [
            ("object(with:)", context.object(with: other)), ("existingObject", try context.existingObject(with: other)),
          ]
          for (way, found) in ways where own != nil && found !== own {
            try report(
              .duplicateRecord,
              "\(number) by \(way) of \(other == id ? "its own" : "its row's") ID in \(context.name ?? "")",
              expected: "the object that the context has", seen: "another")
          }
        }
        let fetched = try all("Item", context).filter { RulePicture.number($0) == number }
        try require(fetched.count, 1, .duplicateRecord, "how often \(number) is fetched in \(context.name ?? "")")
        if let own, fetched.first !== own {
          try report(
            .duplicateRecord, "\(number), fetched", expected: "the object that the context has", seen: "another")
        }
      }
    }
    try leaf.performAndWait {
      let list = Array((some(others, atMost: 4) + [new]).reversed())
      note("obtain the permanent IDs of \(list.map(RulePicture.number)) once all are saved")
      try leaf.obtainPermanentIDs(for: list)
      for object in list {
        try require(
          object.objectID, rows[RulePicture.number(object)], .wrongValue,
          "the permanent ID of \(RulePicture.number(object)), one of \(list.count) that were asked for once their rows are saved"
        )
      }
    }
  }

  /// One child relates and changes an object that the other deletes: the deletion stays, and the parent can save.
  private func crossDeletion(_ middle: [NSManagedObjectContext], _ root: NSManagedObjectContext) throws {
    precondition(
      middle.count == 2 && middle.allSatisfy { $0.parent === root }, "two children of the root cross each other")
    for context in middle { try bringUpToDate(context) }
    let number: Int? = try middle[0].performAndWait {
      let (items, boxes, tags) = (try all("Item", middle[0]), try all("Box", middle[0]), try all("Tag", middle[0]))
      guard let item = pick(items) else { return nil }
      set("rank", of: item)
      connect(item, boxes, tags)
      return RulePicture.number(pick([item, item] + boxes + tags) ?? item)
    }
    let isDeleted = try middle[1].performAndWait {
      let object = try RulePicture.entities.flatMap { try all($0, middle[1]) }.first {
        RulePicture.number($0) == number
      }
      guard let object else { return false }
      note("meanwhile delete \(number ?? 0)")
      middle[1].delete(object)
      return true
    }
    guard isDeleted else { return }
    try push(middle[1], root)
    try middle[0].performAndWait { try save(middle[0]) }
    let isThere = try picture(root).objects[number ?? 0] != nil
    try require(
      isThere, false, .resurrectedRecord,
      "whether \(number ?? 0), deleted by one child and changed by another, is there")
  }

  /// A property that a child sets to the value that it has is no change: the parent's unsaved value stays.
  private func pushEqual(_ child: NSManagedObjectContext, _ root: NSManagedObjectContext) throws {
    precondition(child.parent === root, "a child saves to the root")
    try bringUpToDate(child)
    let item: NSManagedObject? = try child.performAndWait {
      let item = pick(try all("Item", child).filter { !$0.objectID.isTemporaryID })
      _ = item?.value(forKey: "rank")
      return item
    }
    guard let item else { return }
    let id = child.performAndWait { item.objectID }
    let value = 1_000 + newNumber()
    note("the parent sets a rank, and a child the one that it has")
    try root.performAndWait {
      try root.existingObject(with: id).setValue(value, forKey: "rank")
      if chance(1, of: 2) { root.processPendingChanges() }
    }
    // A child that merges by itself has merged no save meanwhile.
    try child.performAndWait {
      item.setValue(item.value(forKey: "rank"), forKey: "rank")
      item.setValue("by a child \(newNumber())", forKey: "name")
      try save(child)
    }
    let rank = try root.performAndWait {
      (try root.existingObject(with: id).value(forKey: "rank") as? NSNumber)?.intValue
    }
    try require(rank, value, .lostUpdate, "a rank of the parent that a child has set to what it had")
  }

  /// Everything unchanged in a context and its ancestors is brought to their parents' current state.
  private func bringUpToDate(_ context: NSManagedObjectContext) throws {
    var path = [context]
    while let parent = path.last?.parent { path.append(parent) }
    for context in path.reversed() { context.performAndWait { context.refreshAllObjects() } }
  }

  /// Objects that nothing holds leave a context: some are held, as a view's are.
  private func held(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.performAndWait { try some(all("Item", context) + all("Box", context), atMost: 9) }
  }

  /// Gives a list of objects, new ones and others, their permanent IDs by one call; in a block of the context.
  private func identify(
    _ context: NSManagedObjectContext, _ held: [NSManagedObject], _ permanent: inout [Int: NSManagedObjectID]
  ) throws {
    let new = context.insertedObjects.sorted { RulePicture.number($0) < RulePicture.number($1) }
    let known = held.filter { !$0.isDeleted && $0.managedObjectContext === context && !new.contains($0) }
    let list = some(some(new, atMost: 3) + some(known, atMost: 2), atMost: 5)
    let old = list.map(\.objectID)
    note("obtain the permanent IDs of \(list.map(RulePicture.number))")
    try context.obtainPermanentIDs(for: list)
    for (object, former) in zip(list, old) {
      let (number, id) = (RulePicture.number(object), object.objectID)
      try require(
        [id.isTemporaryID, former.isTemporaryID || id == former], [false, true], .wrongValue,
        "whether the ID of \(number) is temporary after it was obtained, and kept if it was not before")
      for id in [former, id] where context.registeredObject(for: id) !== object {
        try report(
          .duplicateRecord, "object \(number) under \(id)", expected: "the object itself", seen: "another or none")
      }
      permanent[number] = id
    }
    try require(Set(list.map(\.objectID)).count, list.count, .duplicateRecord, "IDs of different objects of one call")
  }

  /// A save of a child: its parent then has the child's changes, under the same IDs.
  private func push(
    _ child: NSManagedObjectContext, _ parent: NSManagedObjectContext, hadChanges: Bool = true
  ) throws {
    precondition(child.parent === parent, "a context saves to its own parent")
    let (changed, deleted) = child.performAndWait {
      child.processPendingChanges()
      let changed = (Array(child.insertedObjects) + Array(child.updatedObjects)).map { object in
        let keys = object.isInserted ? Array(object.entity.attributesByName.keys) : Array(object.changedValues().keys)
        let values = RulePicture.properties(of: object).filter { object.entity.attributesByName[$0.key] != nil }
        return (object.objectID, RulePicture.number(object), values.filter { keys.contains($0.key) })
      }
      return (changed, child.deletedObjects.map(\.objectID))
    }
    let gone = child.performAndWait { Array(child.deletedObjects) }
    try child.performAndWait {
      try save(child)
      for object in gone where object.managedObjectContext != nil || object.isDeleted {
        try report(
          .wrongValue, "\(object.objectID) in a child that has saved its deletion", expected: "left its context",
          seen: "deleted there")
      }
    }
    try parent.performAndWait {
      parent.processPendingChanges()
      let known = Dictionary(parent.registeredObjects.map { ($0.objectID, $0) }) { first, _ in first }
      for (id, number, values) in changed {
        // An object that the parent has deleted, or found gone, stays so.
        guard let object = known[id], !object.isDeleted, (try? parent.existingObject(with: id)) != nil else { continue }
        try require(RulePicture.number(object), number, .wrongValue, "the object of the parent under \(id)")
        let seen = RulePicture.properties(of: object)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where !RuleModel.derived.contains(key) {
          try require(seen[key] ?? "", value, .lostUpdate, "\(key) of \(number) in the parent after a save")
        }
      }
      for id in deleted where known[id].map({ !$0.isDeleted }) ?? false {
        try report(.resurrectedRecord, "\(id) in the parent after a save", expected: "deleted", seen: "there")
      }
    }
    // A context that had unsaved changes while others deleted shows them until it reads again.
    if hadChanges || chance(1, of: 2) { child.performAndWait { child.refreshAllObjects() } }
    try require(
      try picture(child).withoutDerived, try picture(parent).withoutDerived, .staleRead, "in a child after its save")
  }

  private func saveRoot(
    _ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "the root saves to this file")
    let shown = try picture(root).withoutDerived
    try root.performAndWait { try save(root) }
    try require(try picture(root).withoutDerived, shown, .lostUpdate, "in the root after its save")
    try require(
      try stored(coordinator).withoutDerived, shown, .unpersistedSave,
      "in the file after the root's save")
  }

  /// An object's row has the ID that it was given before its save.
  private func checkPermanent(_ permanent: [Int: NSManagedObjectID], _ coordinator: NSPersistentStoreCoordinator) throws
  {
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      for object in try RulePicture.entities.flatMap({ try all($0, fresh) }) {
        guard let id = permanent[RulePicture.number(object)] else { continue }
        try require(
          object.objectID.uriRepresentation(), id.uriRepresentation(), .wrongValue,
          "the ID of \(RulePicture.number(object))")
      }
    }
  }

  // MARK: Temporary here, with a row there

  /// Items of a child, by their numbers: rank, and the box's number.
  private struct LivingItems {
    var items: [Int: (rank: Int, box: Int?)] = [:]
    var boxes: [Int] = []
    /// An object that nothing holds comes back under its row's ID.
    var held: [NSManagedObject] = []

    var texts: [String] {
      items.sorted { $0.key < $1.key }.map { "\($0) \($1.rank) \($1.box.map { [$0] } ?? [])" }
    }
  }

  /// A child lives on after its root has saved what it inserted, and edits these objects: at each level every question has each object
  /// once, by the values of that level.
  private func liveOn() throws {
    var levels = [context(try open(at: newURL()))]
    for _ in 0...draw(2) { levels.append(context(in: levels[levels.count - 1], merges: chance(1, of: 3))) }
    let leaf = levels[levels.count - 1]
    var (own, shown) = (LivingItems(), levels.map { _ in [String]() })
    for _ in 0..<(12 + draw(12)) {
      try leaf.performAndWait { try live(leaf, &own) }
      shown[levels.count - 1] = own.texts
      // From the leaf up, as far as it goes.
      for source in levels.indices.reversed().prefix(chance(1, of: 3) ? levels.count : draw(levels.count)) {
        try levels[source].performAndWait { try save(levels[source]) }
        if source > 0 { shown[source - 1] = shown[source] }
      }
      for level in some(Array(levels.indices), atMost: levels.count) {
        let (context, expected) = (levels[level], shown[level])
        try context.performAndWait {
          let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
          try require(count, expected.count, .duplicateRecord, "how many items \(context.name ?? "") counts")
          let seen = try all("Item", context).map { item in
            let texts = RulePicture.properties(of: item)
            return ["number", "rank", "box"].map { texts[$0] ?? "" }.joined(separator: " ")
          }
          try require(seen, expected, .duplicateRecord, "the items of \(context.name ?? ""), with rank and box")
          let formats = ["rank >= 2", "box.number > 4", "box == nil OR rank < 3", "mark == nil"]
          try askByHand(context, pick(formats).map { NSPredicate(format: $0, argumentArray: []) })
        }
      }
    }
    leaf.performAndWait { withExtendedLifetime(own.held) {} }
  }

  /// One edit; in a block of the child.
  private func live(_ leaf: NSManagedObjectContext, _ own: inout LivingItems) throws {
    func find(_ entity: String, _ number: Int) throws -> NSManagedObject? {
      let known = own.held.first { $0.managedObjectContext === leaf && RulePicture.number($0) == number }
      return try known ?? all(entity, leaf).first { RulePicture.number($0) == number }
    }
    let number = pick(own.items.keys.sorted())
    let item = try number.flatMap { try find("Item", $0) }
    try require(item == nil, number == nil, .lostRecord, "whether there is no item \(number ?? 0)")
    switch draw(8) {
    case 0, 1:
      own.held.append(insertNumbered(pick(["Item", "SpecialItem"]) ?? "Item", leaf))
      own.items[own.held.last.map(RulePicture.number) ?? 0] = (3, nil)
    case 2:
      own.held.append(insertNumbered("Box", leaf))
      own.boxes.append(own.held.last.map(RulePicture.number) ?? 0)
    case 3, 4:
      guard let number else { return }
      let rank = draw(6)
      note("rank of \(number) = \(rank)")
      item?.setValue(rank, forKey: "rank")
      own.items[number]?.rank = rank
    case 5:
      guard let number, let box = pick(own.boxes) else { return }
      note("box of \(number) = \(box)")
      item?.setValue(try find("Box", box), forKey: "box")
      own.items[number]?.box = box
    case 6:
      guard let number, let item, own.items.count > 3 else { return }
      note("delete \(number)")
      leaf.delete(item)
      own.items[number] = nil
    default:
      note("refresh all, and hold less")
      own.held = some(own.held, atMost: own.held.count)
      leaf.refreshAllObjects()
      if chance(1, of: 3), let item { try leaf.obtainPermanentIDs(for: [item]) }
    }
  }
}
