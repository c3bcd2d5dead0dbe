import Checking
import CoreData

// S2.4: undoing a group of edits shows the state before it, redoing the state after it: values, both sides of relationships,
// orders, insertions and deletions, also of changes that were saved, and in a child.

extension RuleTrial {
  func undos() throws {
    let coordinator = try open()
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try root.performAndWait {
      populate(root, items: 4 + draw(4))
      try save(root)
    }
    let manager = UndoManager()
    manager.groupsByEvent = false
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
      switch draw(8) {
      case 0..<4:
        pictures.removeSubrange((place + 1)...)
        pictures.append(try makeGroup(editor, manager))
        place += 1
      case 4, 5: try go(max(0, place - 1 - draw(2)), &place, editor, pictures)
      case 6: try go(min(pictures.count - 1, place + 1 + draw(2)), &place, editor, pictures)
      default: try saveAll(editor, coordinator, pictures[place])
      }
    }
    try go(0, &place, editor, pictures)
    if chance(1, of: 2) { try saveAll(editor, coordinator, pictures[0]) }
    try go(pictures.count - 1, &place, editor, pictures)
    if chance(1, of: 2) { try go(max(0, place - draw(3)), &place, editor, pictures) }
    if chance(1, of: 2) { return try dropAll(editor, manager) }
    try saveAll(editor, coordinator, pictures[place])
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

  /// One group of edits, in events of their own.
  private func makeGroup(_ editor: NSManagedObjectContext, _ manager: UndoManager) throws -> RulePicture {
    try editor.performAndWait {
      note("a group of edits:")
      manager.beginUndoGrouping()
      for _ in 0..<(1 + draw(4)) {
        if chance(1, of: 4) { try rearrange(editor) } else { try changeSomething(editor) }
        if chance(1, of: 3) { editor.processPendingChanges() }
      }
      // A group without an edit is none: every one has at least this.
      try all("Box", editor).first?.setValue(newNumber(), forKey: "size")
      editor.processPendingChanges()
      manager.endUndoGrouping()
      return try RulePicture(editor).withoutDerived
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

  /// Undoes or redoes until a group.
  private func go(_ target: Int, _ place: inout Int, _ editor: NSManagedObjectContext, _ pictures: [RulePicture]) throws
  {
    while place != target {
      let isUndo = target < place
      place += isUndo ? -1 : 1
      note(isUndo ? "undo" : "redo")
      editor.performAndWait { isUndo ? editor.undo() : editor.redo() }
      try require(
        try picture(editor).withoutDerived, pictures[place], .wrongValue, "after an \(isUndo ? "undo" : "redo")")
    }
  }

  /// Saves down to the file, which then has the context's values.
  private func saveAll(
    _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ expected: RulePicture
  ) throws {
    try editor.performAndWait { try save(editor) }
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    try require(try picture(editor).withoutDerived, expected, .wrongValue, "in a context that saved")
    try require(
      try stored(coordinator).withoutDerived, expected, .unpersistedSave, "in the file after a save")
  }
}
