import Checking
import CoreData

// S2.6: an ordered relationship is saved in the order that it has in memory: also where many members came to one place, where
// others moved some meanwhile, in a child, and after a refresh.

extension RuleTrial {
  func orders() throws {
    let coordinator = try open()
    let others = chance(1, of: 3) ? try open() : coordinator
    let roots = [
      context(coordinator, merges: chance(1, of: 2), .mergeByPropertyObjectTrump),
      context(others, .mergeByPropertyObjectTrump),
    ]
    let editors = roots.map { chance(1, of: 3) ? context(in: $0, merges: chance(1, of: 2)) : $0 }
    let logs = roots.map { SaveLog(session.environment, of: $0) }
    defer { for log in logs { log.end() } }
    try roots[0].performAndWait {
      for entity in ["Box", "Box", "Item", "Item", "Item", "Item", "Tag", "Tag", "Tag", "Tag"] {
        _ = insert(entity, roots[0])
      }
      try save(roots[0])
    }
    let place = draw(3)
    for round in 0..<(6 + draw(14)) {
      let (editor, root) = chance(2, of: 3) ? (editors[0], roots[0]) : (editors[1], roots[1])
      for context in [root, editor] where chance(1, of: 3) { context.performAndWait { context.refreshAllObjects() } }
      let order = try editor.performAndWait {
        for _ in 0..<(1 + draw(3)) {
          try reorder(editor, place)
          if chance(1, of: 3) { try forget(editor) }
        }
        try touch(editor)
        let order = try orders(editor)
        try save(editor)
        return order
      }
      if editor !== root { try root.performAndWait { try save(root) } }
      let fresh = freshContext(root.persistentStoreCoordinator ?? coordinator)
      try fresh.performAndWait { try require(try orders(fresh), order, "in the file after save \(round)") }
      tell(logs, roots, editors)
      for (number, context) in (roots + editors).enumerated() {
        // A context that has read a state of another coordinator, or of a parent that has merged since, reads it anew.
        let seen = try context.performAndWait {
          if chance(1, of: 6) { context.reset() }
          if context.parent != nil { context.refreshAllObjects() }
          return try orders(context)
        }
        try require(seen, order, "in context \(number + 1) after save \(round)")
      }
    }
    try leadTogether(coordinator)
    if chance(1, of: 2) { try squeeze() }
  }

  /// A batch update leads members to an owner: who was there already keeps its place, before the others.
  private func leadTogether(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (editor, fresh) = (context(coordinator), freshContext(coordinator))
    try editor.performAndWait {
      guard let box = pick(try all("Box", editor)) else { return }
      let items = try all("Item", editor)
      box.setValue(NSOrderedSet(array: shuffled(items).filter { _ in chance(2, of: 3) }), forKey: "list")
      try save(editor)
      precondition(!items.isEmpty, "there are items to be led")
      let (number, limit) = (RulePicture.number(box), draw((items.map(RulePicture.number).max() ?? 0) + 2))
      let before = try orders(editor)[number] ?? []
      note("a batch update leads items before \(limit) to \(number), which has \(before)")
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.predicate = NSPredicate(format: "number < %ld", limit)
      request.propertiesToUpdate = ["shelf": chance(1, of: 2) ? box : box.objectID]
      _ = try editor.execute(request)
      let after = try fresh.performAndWait { try orders(fresh)[number] ?? [] }
      let new = items.map(RulePicture.number).filter { $0 < limit && !before.contains($0) }
      try require(
        [Array(after.prefix(before.count)), after.dropFirst(before.count).sorted()], [before, new], .wrongValue,
        "who was with \(number), and who came, after a batch update")
    }
  }

  /// An owner becomes a fault: members that say so themselves stay, and their order is the one that is saved; in a block of the context.
  private func forget(_ context: NSManagedObjectContext) throws {
    // As a rule it is the one of which members are reordered.
    let owners = try all(chance(3, of: 4) ? "Box" : "Item", context)
    guard let owner = chance(3, of: 4) ? owners.first : pick(owners), !owner.isInserted else { return }
    note("refresh \(RulePicture.number(owner)), without merging")
    context.refresh(owner, mergeChanges: false)
  }

  /// Members come to one place, save by save, until no number is left between its neighbours: of many others few move, as the history
  /// has it.
  private func squeeze() throws {
    let coordinator = try open(at: newURL(), history: true)
    let (editor, isLong) = (context(coordinator), chance(1, of: 2))
    note("members come to one place among \(isLong ? "many" : "few")")
    let (ids, token) = try editor.performAndWait {
      let box = insert("Box", editor)
      let list = box.mutableOrderedSetValue(forKey: "list")
      // Of members with one number the older would be first: they come in another order than they were made in.
      let new = shuffled((0..<24).map { _ in insert("Item", editor) })
      let members = isLong ? new : some(new, atMost: 20)
      for _ in 0..<(isLong ? 500 : 2) {
        let other = NSEntityDescription.insertNewObject(forEntityName: "Item", into: editor)
        other.setValue(newNumber(), forKey: RuleModel.number)
        list.add(other)
      }
      try save(editor)
      let (place, token) = (
        1 + draw(min(20, list.count - 1)), coordinator.currentPersistentHistoryToken(fromStores: nil)
      )
      precondition(place <= list.count, "members come between others, or behind them")
      for member in members {
        list.insert(member, at: place)
        try editor.save()
      }
      let fresh = freshContext(coordinator)
      let seen = try fresh.performAndWait { try orders(fresh) }
      try require(seen, try orders(editor), "after many came to place \(place)")
      return (([box] + members).map(\.objectID), token)
    }
    let transactions = try answer(.fetchHistory(after: token), coordinator) as? [NSPersistentHistoryTransaction] ?? []
    let moved = transactions.flatMap { $0.changes ?? [] }.count { !ids.contains($0.changedObjectID) }
    try require(
      moved <= 20 * (ids.count - 1), true, .historyDivergence,
      "whether \(ids.count - 1) members that came to one place of a list moved few others: \(moved) times")
    try close(coordinator)
  }

  /// Every root hears of the other's saves.
  private func tell(_ logs: [SaveLog], _ roots: [NSManagedObjectContext], _ editors: [NSManagedObjectContext]) {
    precondition(roots.count == 2 && logs.count == roots.count, "each of two roots has a log of its saves")
    for (log, other) in zip(logs, roots.reversed()) {
      for save in log.removeAll() {
        if other.automaticallyMergesChangesFromParent,
          other.persistentStoreCoordinator === roots[0].persistentStoreCoordinator,
          roots[0].persistentStoreCoordinator === roots[1].persistentStoreCoordinator
        {
          other.performAndWait {}
        } else {
          other.performAndWait { other.mergeChanges(fromContextDidSave: save) }
        }
      }
    }
    for context in editors { context.performAndWait {} }
  }

  /// The lists of all boxes and the tags of all items, by the owners' numbers; in a block of the context.
  private func orders(_ context: NSManagedObjectContext) throws -> [Int: [Int]] {
    var orders: [Int: [Int]] = [:]
    for (entity, name) in [("Box", "list"), ("Item", "tags")] {
      for owner in try all(entity, context) {
        guard let relationship = owner.entity.relationshipsByName[name] else { continue }
        orders[RulePicture.number(owner)] = RulePicture.members(of: owner, relationship)
      }
    }
    return orders
  }

  private func require(_ seen: [Int: [Int]], _ expected: [Int: [Int]], _ what: String) throws {
    for owner in Set(seen.keys).union(expected.keys).sorted() {
      try require(
        seen[owner] ?? [-1], expected[owner] ?? [-1], .wrongValue, "the order of the members of \(owner) \(what)")
    }
  }

  /// Draws one change of an order, which the proxy must show at once; in a block of the context.
  private func reorder(_ context: NSManagedObjectContext, _ place: Int) throws {
    let isList = chance(3, of: 4)
    let name = isList ? "list" : "tags"
    guard let owner = pick(Array(try all(isList ? "Box" : "Item", context).prefix(chance(3, of: 4) ? 1 : 2))),
      let relationship = owner.entity.relationshipsByName[name]
    else { return }
    var members = RulePicture.members(of: owner, relationship)
    let proxy = owner.mutableOrderedSetValue(forKey: name)
    let count = members.count
    let before = members
    switch draw(count < 2 ? 4 : 13) {
    case 0, 1, 2, 3:
      let member = insert(isList ? "Item" : "Tag", context)
      let index = min(count, chance(3, of: 4) ? place : draw(count + 1))
      proxy.insert(member, at: index)
      members.insert(RulePicture.number(member), at: index)
    case 4:
      let (from, to) = (draw(count), draw(count))
      proxy.moveObjects(at: IndexSet(integer: from), to: to)
      members.insert(members.remove(at: from), at: to)
    case 5:
      let (one, other) = (draw(count), draw(count))
      proxy.exchangeObject(at: one, withObjectAt: other)
      members.swapAt(one, other)
    case 6:
      let index = draw(count)
      proxy.removeObject(at: index)
      members.remove(at: index)
    case 7:
      let index = draw(count)
      let member = insert(isList ? "Item" : "Tag", context)
      proxy.replaceObject(at: index, with: member)
      members[index] = RulePicture.number(member)
    case 8, 9, 10: try reorderSeveral(proxy, &members, isList ? "Item" : "Tag", context)
    default:
      members = some(members, atMost: count)
      let objects = try all(isList ? "Item" : "Tag", context)
      owner.setValue(
        NSOrderedSet(array: members.compactMap { number in objects.first { RulePicture.number($0) == number } }),
        forKey: name)
    }
    note("\(name) of \(RulePicture.number(owner)): \(before) becomes \(members)")
    try require(
      RulePicture.members(of: owner, relationship), members, .wrongValue,
      "\(name) of \(RulePicture.number(owner)) in memory")
  }

  /// Several members at once come, leave, move or are replaced; in a block of the context.
  private func reorderSeveral(
    _ proxy: NSMutableOrderedSet, _ members: inout [Int], _ entity: String, _ context: NSManagedObjectContext
  ) throws {
    let count = members.count
    precondition(count > 1, "several members are there to be moved")
    let indexes = IndexSet(some(Array(0..<count), atMost: 3).sorted())
    let way = draw(4)
    let new = way < 2 ? indexes.map { _ in insert(entity, context) } : []
    let numbers = new.map(RulePicture.number)
    switch way {
    case 0:
      proxy.insert(new, at: indexes)
      for (index, number) in zip(indexes, numbers) { members.insert(number, at: index) }
    case 1:
      proxy.replaceObjects(at: indexes, with: new)
      for (index, number) in zip(indexes, numbers) { members[index] = number }
    case 2:
      proxy.removeObjects(at: indexes)
      for index in indexes.reversed() { members.remove(at: index) }
    default:
      let target = draw(count - indexes.count + 1)
      let moved = indexes.map { members[$0] }
      proxy.moveObjects(at: indexes, to: target)
      for index in indexes.reversed() { members.remove(at: index) }
      members.insert(contentsOf: moved, at: target)
    }
  }

  /// Steps that change no order: a refresh that merges, a member that leaves and comes back, a new attribute; in a block of the context.
  private func touch(_ context: NSManagedObjectContext) throws {
    guard let box = pick(try all("Box", context)), chance(1, of: 2) else { return }
    let list = box.mutableOrderedSetValue(forKey: "list")
    if list.count > 0, chance(1, of: 2) {
      let index = draw(list.count)
      let member = list.object(at: index)
      note("member \(index) of \(RulePicture.number(box)) leaves and comes back")
      list.removeObject(at: index)
      if chance(1, of: 2) { context.processPendingChanges() }
      list.insert(member, at: index)
    }
    set("title", of: box)
    if !box.isInserted, chance(1, of: 2) {
      note("refresh \(RulePicture.number(box)), merging")
      context.refresh(box, mergeChanges: true)
    }
  }
}
