import Checking
import CoreData

// S2.4: undoing a group of edits shows the state before it, redoing the state after it: values, both sides of relationships,
// orders, insertions and deletions, also of changes that were saved, and in a child; with groups in groups, a limit of groups, and
// edits that are not recorded.

extension RuleTrial {
  func undos() throws {
    let coordinator = try open()
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try root.performAndWait {
      populate(root, items: 4 + draw(4))
      try save(root)
    }
    let references = try open(at: newURL())
    for _ in 0..<3 { try undoReference(references) }
    try undoWaiting(references)
    let manager = UndoManager()
    manager.groupsByEvent = false
    let limit = chance(1, of: 3) ? 2 + draw(3) : 0
    manager.levelsOfUndo = limit
    note("undo of \(limit == 0 ? "any number of" : "\(limit)") groups")
    var pictures = [try picture(editor).withoutDerived]
    editor.performAndWait {
      editor.processPendingChanges()
      editor.undoManager = manager
    }
    defer { editor.performAndWait { editor.undoManager = nil } }
    var place = 0
    func requireState() throws {
      let (seen, last) = (editor.performAndWait { [manager.canUndo, manager.canRedo] }, pictures.count - 1)
      try require(
        seen, [place > 0, place < last], .wrongValue, "whether group \(place) of \(last) can be undone and redone")
    }
    for _ in 0..<(4 + draw(8)) {
      try requireState()
      switch draw(10) {
      case 0..<4:
        pictures.removeSubrange((place + 1)...)
        pictures += try makeGroup(editor, manager)
        place += 1
        forget(limit, &place, &pictures)
      case 4, 5: try go(max(0, place - 1 - draw(2)), &place, editor, &pictures)
      case 6: try go(min(pictures.count - 1, place + 1 + draw(2)), &place, editor, &pictures)
      case 7: try saveAll(editor, coordinator, pictures[place])
      case 8: try touch(editor, pictures[place])
      default: try editUnrecorded(editor, manager, &pictures)
      }
    }
    try go(0, &place, editor, &pictures)
    if chance(1, of: 2) { try saveAll(editor, coordinator, pictures[0]) }
    try go(pictures.count - 1, &place, editor, &pictures)
    if chance(1, of: 2) { try go(max(0, place - draw(3)), &place, editor, &pictures) }
    if chance(1, of: 2) { return try dropAll(editor, manager) }
    try saveAll(editor, coordinator, pictures[place])
  }

  /// Deletions of which the rules wait for the save are a step of undo as any other.
  private func undoWaiting(_ coordinator: NSPersistentStoreCoordinator) throws {
    let editor = context(coordinator)
    try editor.performAndWait {
      let objects = (0..<3).map { _ in insertPlain(editor, rank: newNumber()) }
      try save(editor)
      (editor.propagatesDeletesAtEndOfEvent, editor.undoManager) = (false, UndoManager())
      defer { editor.undoManager = nil }
      func state() -> [Int?] { objects.map { $0.isDeleted ? nil : ($0.value(forKey: "rank") as? NSNumber)?.intValue } }
      var states = [state()]
      for _ in 0..<(1 + draw(3)) {
        pick(objects)?.setValue(newNumber(), forKey: "rank")
        editor.processPendingChanges()
        states.append(state())
      }
      for object in [objects[draw(3)], objects[draw(3)]] { editor.delete(object) }
      states.append(state())
      precondition(states.count > 2, "the deletions are not the only step")
      note("\(states.count - 2) changes, and deletions that wait for the save, are undone and done again")
      var place = states.count - 1
      for step in [-1, 1] + states.dropFirst().map({ _ in -1 }) + [1] {
        if step < 0 { editor.undo() } else { editor.redo() }
        place += step
        try require(
          state(), states[place], .wrongValue, "ranks after \(step < 0 ? "an undo" : "a redo") to step \(place)")
      }
    }
  }

  /// Undoing that a relationship leads elsewhere than to what was new at the last save leaves nothing to save.
  private func undoReference(_ coordinator: NSPersistentStoreCoordinator) throws {
    let root = context(coordinator)
    let editor = chance(2, of: 3) ? context(in: root) : root
    let (key, isItems) = pick([("box", true), ("shelf", true), ("cover", false)]) ?? ("box", true)
    let (owner, target) = try editor.performAndWait {
      let target = insert(isItems ? "Box" : "Item", editor)
      let owner = pick(try all(isItems ? "Item" : "Box", editor)) ?? insert(isItems ? "Item" : "Box", editor)
      owner.setValue(target, forKey: key)
      try save(editor)
      return (owner, target)
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    try editor.performAndWait {
      let refreshes = chance(3, of: 4)
      note("\(key) leads to a new object, \(refreshes ? "is read again, " : "")is changed, and undone")
      if refreshes { editor.refresh(owner, mergeChanges: false) }
      precondition(owner.managedObjectContext === editor, "an edit is undone where it was made")
      let old = owner.value(forKey: key) as? NSManagedObject
      recordForUndo(editor) { owner.setValue(nil, forKey: key) }
      editor.undo()
      editor.processPendingChanges()
      let now = owner.value(forKey: key) as? NSManagedObject
      try require(
        [old === target, now === target, owner.hasChanges, target.hasChanges, editor.hasChanges],
        [true, true, false, false, false], .wrongValue,
        "whether \(key) leads to a new object, before and after an undo, and owner, object and context have changes")
      editor.undoManager = nil
    }
  }

  /// After a reset or a rollback there is nothing to undo or redo, and both do nothing.
  private func dropAll(_ editor: NSManagedObjectContext, _ manager: UndoManager) throws {
    let isReset = chance(1, of: 2)
    note(isReset ? "reset" : "rollback")
    editor.performAndWait { isReset ? editor.reset() : editor.rollback() }
    let shown = try picture(editor)
    try editor.performAndWait {
      try require(
        [manager.canUndo, manager.canRedo, editor.hasChanges], [false, false, false], .wrongValue,
        "what can be undone, can be redone and is changed after a \(isReset ? "reset" : "rollback")")
      editor.redo()
      editor.undo()
    }
    try require(try picture(editor), shown, .wrongValue, "after an undo and a redo of what was dropped")
  }

  /// Steps that change nothing, and are no step of an undo.
  private func touch(_ editor: NSManagedObjectContext, _ expected: RulePicture) throws {
    try editor.performAndWait {
      let isRefresh = chance(1, of: 2)
      note(isRefresh ? "refresh all" : "obtain permanent IDs")
      if isRefresh { return editor.refreshAllObjects() }
      try editor.obtainPermanentIDs(
        for: editor.insertedObjects.sorted { RulePicture.number($0) < RulePicture.number($1) })
    }
    try require(try picture(editor).withoutDerived, expected, .wrongValue, "after a step that changes nothing")
  }

  /// A change that is not recorded is no step of an undo or a redo, and stays beside all of them.
  private func editUnrecorded(
    _ editor: NSManagedObjectContext, _ manager: UndoManager, _ pictures: inout [RulePicture]
  ) throws {
    let weight = newNumber()
    let number = try editor.performAndWait {
      guard let tag = pick(try all("Tag", editor)) else { return 0 }
      manager.disableUndoRegistration()
      note("weight of tag \(RulePicture.number(tag)) = \(weight), not recorded")
      tag.setValue(weight, forKey: "weight")
      editor.processPendingChanges()
      manager.enableUndoRegistration()
      return RulePicture.number(tag)
    }
    for index in pictures.indices { pictures[index].change("weight", of: number, to: "\(weight)") }
  }

  /// One group of edits, in events of their own; now and then with a group in it that is undone alone.
  ///
  /// - Returns: the state after it, and the one that a redo gives.
  private func makeGroup(_ editor: NSManagedObjectContext, _ manager: UndoManager) throws -> [RulePicture] {
    try editor.performAndWait {
      note("a group of edits:")
      manager.beginUndoGrouping()
      let isNested = chance(1, of: 3)
      if isNested { manager.beginUndoGrouping() }
      for _ in 0..<(1 + draw(4)) {
        if chance(1, of: 4) { try rearrange(editor) } else { try changeSomething(editor) }
        if chance(1, of: 3) { editor.processPendingChanges() }
      }
      // A group without an edit is none: every one has at least this.
      try all("Box", editor).first?.setValue(newNumber(), forKey: "size")
      editor.processPendingChanges()
      if isNested { manager.endUndoGrouping() }
      defer { manager.endUndoGrouping() }
      let after = try RulePicture(editor).withoutDerived
      guard chance(1, of: 4) else { return [after] }
      note("a group in it:")
      manager.beginUndoGrouping()
      for _ in 0..<(1 + draw(3)) { try changeSomething(editor) }
      try all("Box", editor).last?.setValue(newNumber(), forKey: "size")
      editor.processPendingChanges()
      manager.endUndoGrouping()
      let undone = try RulePicture(editor).withoutDerived
      note("undo the group in it")
      manager.undoNestedGroup()
      editor.processPendingChanges()
      try require(try RulePicture(editor).withoutDerived, after, .wrongValue, "after a group in another was undone")
      return [after, undone]
    }
  }

  /// Changes an order, a one-to-one relationship, or one without an inverse; in a block of the context.
  private func rearrange(_ context: NSManagedObjectContext) throws {
    let (boxes, items) = (try all("Box", context), try all("Item", context))
    guard let box = pick(boxes), let item = pick(items) else { return }
    let list = box.mutableOrderedSetValue(forKey: "list")
    switch draw(4) {
    case 0 where list.count > 1:
      let (from, to) = (draw(list.count), draw(list.count))
      note("member \(from) of list of \(RulePicture.number(box)) moves to \(to)")
      list.moveObjects(at: IndexSet(integer: from), to: to)
    case 0, 1:
      let index = list.contains(item) ? nil : draw(list.count + 1)
      note("item \(RulePicture.number(item)) comes to list of \(RulePicture.number(box))")
      if let index { list.insert(item, at: index) }
    case 2:
      note("cover of \(RulePicture.number(box)) = \(RulePicture.number(item))")
      box.setValue(item, forKey: "cover")
    default:
      note("tags of \(RulePicture.number(item)) are reversed")
      let tags = item.value(forKey: "tags") as? NSOrderedSet
      item.setValue(tags?.reversed, forKey: "tags")
    }
  }

  /// Of the groups to undo, and of those to redo, no more than the limit are kept.
  private func forget(_ limit: Int, _ place: inout Int, _ pictures: inout [RulePicture]) {
    precondition(limit >= 0 && pictures.indices.contains(place), "there is a state now")
    guard limit > 0 else { return }
    pictures.removeLast(max(0, pictures.count - 1 - place - limit))
    pictures.removeFirst(max(0, place - limit))
    place = min(place, limit)
  }

  /// Undoes or redoes until a group.
  private func go(
    _ target: Int, _ place: inout Int, _ editor: NSManagedObjectContext, _ pictures: inout [RulePicture]
  ) throws {
    precondition(
      pictures.indices.contains(target) && pictures.indices.contains(place), "there are a state now and one to go to")
    let isUndo = target < place
    for _ in 0..<abs(target - place) {
      place += isUndo ? -1 : 1
      note(isUndo ? "undo" : "redo")
      let limit = editor.performAndWait {
        isUndo ? editor.undo() : editor.redo()
        return editor.undoManager?.levelsOfUndo ?? 0
      }
      forget(limit, &place, &pictures)
      try require(
        try picture(editor).withoutDerived, pictures[place], .wrongValue, "after an \(isUndo ? "undo" : "redo")")
    }
  }

  /// Saves down to the file, which then has the context's values.
  private func saveAll(
    _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ expected: RulePicture
  ) throws {
    precondition(editor.persistentStoreCoordinator === coordinator, "the editor saves to this file")
    try editor.performAndWait { try save(editor) }
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    try require(try picture(editor).withoutDerived, expected, .wrongValue, "in a context that saved")
    try require(
      try stored(coordinator).withoutDerived, expected, .unpersistedSave, "in the file after a save")
  }
}

extension RuleTrial {
  /// Others save weights of some items; the weights, by the items' numbers.
  func saveWeights(_ other: NSManagedObjectContext, of numbers: [Int]) throws -> [Int: Int] {
    precondition(!numbers.isEmpty, "the items are known by their numbers")
    return try other.performAndWait {
      var weights: [Int: Int] = [:]
      for item in try all("Item", other) where numbers.contains(RulePicture.number(item)) && chance(2, of: 3) {
        let weight = newNumber()
        item.setValue(weight, forKey: "weight")
        weights[RulePicture.number(item)] = weight
      }
      note("others save weights of \(weights.keys.sorted())")
      try save(other)
      return weights
    }
  }
}
