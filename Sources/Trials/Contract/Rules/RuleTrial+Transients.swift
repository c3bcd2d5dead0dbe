import Checking
import CoreData

// S2.4, S4.4: a transient value belongs to one object. Saves, merges, refreshes that merge and undone edits keep it, a child's save
// gives it to the parent, once, and dropping an object's changes drops it.

extension RuleTrial {
  func transients() throws {
    let coordinator = try open()
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 5)
      try save(writer)
    }
    let parent = context(coordinator, merges: chance(1, of: 2), .mergeByPropertyObjectTrump)
    let marked = chance(1, of: 3) ? context(in: parent, merges: chance(1, of: 2)) : parent
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let objects = try marked.performAndWait { try all("Item", marked) }
    // An object that nothing holds leaves its context, with its transient values.
    let held = try parent.performAndWait { try all("Item", parent) }
    defer { withExtendedLifetime(held) {} }
    var marks: [Int: String] = [:]
    for round in 0..<(4 + draw(8)) {
      try step(round, writer, marked, objects, &marks, saves)
      if chance(1, of: 2) { try marked.performAndWait { try undoEdits(objects, marked) } }
      try marked.performAndWait {
        for (number, mark) in marks.sorted(by: { $0.key < $1.key }) {
          guard let object = objects.first(where: { RulePicture.number($0) == number }) else { continue }
          if object.isDeleted || object.managedObjectContext == nil { continue }
          try require(
            object.value(forKey: "mark") as? String, mark, .wrongValue, "the transient value of item \(number)")
        }
      }
    }
    for _ in 0..<3 { try pushOthers(coordinator) }
  }

  /// A value that a child has saved is none of its changes any more: with later ones it leaves what the parent has set since.
  private func pushOthers(_ coordinator: NSPersistentStoreCoordinator) throws {
    let parent = context(coordinator)
    let child = context(in: parent)
    let key = pick(["mark", "mark", "name", "rank"]) ?? "mark"
    func newValue() -> Any { key == "rank" ? newNumber() : "\(key) \(newNumber())" }
    try child.performAndWait {
      guard let item = pick(try all("Item", child)) else { return }
      precondition(item.entity.attributesByName[key] != nil, "the value that is pushed is an attribute's")
      item.setValue(newValue(), forKey: key)
      try save(child)
      let (id, new) = (item.objectID, newValue())
      note("\(key) of \(RulePicture.number(item)) is set in the child, which saves, and is \(new) in the parent then")
      let given = RulePicture.text(new)
      try parent.performAndWait { try parent.existingObject(with: id).setValue(new, forKey: key) }
      item.setValue(newNumber(), forKey: "weight")
      try save(child)
      let seen = try parent.performAndWait {
        RulePicture.text(try parent.existingObject(with: id).value(forKey: key))
      }
      try require(seen, given, .lostUpdate, "\(key) of an item of a parent, of which a child has pushed the weight")
    }
  }

  /// Edits that are undone leave transient values as they are; in a block of the context.
  private func undoEdits(_ objects: [NSManagedObject], _ context: NSManagedObjectContext) throws {
    precondition(context.undoManager == nil, "nothing else can be undone")
    let present = objects.filter { $0.managedObjectContext != nil && !$0.isDeleted }
    let key = pick(["rank", "weight", "box"]) ?? "rank"
    note("edits of \(key) are undone")
    let box = try all("Box", context).first
    recordForUndo(context) {
      for object in present { object.setValue(key == "box" ? box : newNumber(), forKey: key) }
    }
    context.undo()
    context.processPendingChanges()
    context.undoManager = nil
  }

  private func step(
    _ round: Int, _ writer: NSManagedObjectContext, _ marked: NSManagedObjectContext, _ objects: [NSManagedObject],
    _ marks: inout [Int: String], _ saves: SaveLog
  ) throws {
    precondition(
      marked !== writer && marked.persistentStoreCoordinator === writer.persistentStoreCoordinator,
      "another context of the same coordinator saves")
    guard let object = pick(objects) else { return }
    switch draw(6) {
    case 0, 1:
      marked.performAndWait {
        guard object.managedObjectContext != nil, !object.isDeleted else { return }
        let number = RulePicture.number(object)
        note("mark of item \(number) = mark \(round)")
        object.setValue("mark \(round)", forKey: "mark")
        marks[number] = "mark \(round)"
      }
    case 2:
      note("save the marked context")
      for context in [marked, marked.parent].compactMap({ $0 }) { try context.performAndWait { try context.save() } }
      guard let parent = marked.parent else { return }
      try parent.performAndWait {
        for (number, mark) in marks {
          let object = try all("Item", parent).first { RulePicture.number($0) == number }
          guard let object else { continue }
          try require(object.value(forKey: "mark") as? String, mark, .wrongValue, "the mark of \(number) in the parent")
        }
      }
    case 3:
      try writer.performAndWait {
        writer.refreshAllObjects()
        for item in some(try all("Item", writer), atMost: 3) {
          set(pick(["name", "rank", "weight"]) ?? "name", of: item)
        }
        try save(writer)
      }
      guard let root = marked.parent ?? Optional(marked) else { return }
      for save in saves.removeAll() where !root.automaticallyMergesChangesFromParent {
        root.performAndWait { root.mergeChanges(fromContextDidSave: save) }
      }
      root.performAndWait {}
      marked.performAndWait {}
    case 4:
      marked.performAndWait {
        note("refresh, merging")
        marked.refresh(object, mergeChanges: true)
      }
    default:
      marked.performAndWait {
        guard object.managedObjectContext != nil, !object.isDeleted else { return }
        let number = RulePicture.number(object)
        note("refresh item \(number), dropping its changes")
        marked.refresh(object, mergeChanges: false)
        marks[number] = nil
      }
    }
  }
}
