import Checking
import CoreData
import Scheduling

// S4.5, S8.1: what a child has read, pushed or deleted after its parent's save stays when it merges that save late; it takes back
// what the parent has not written; and what comes to an object that a child has deleted.

extension RuleTrial {
  /// A child merges a save of its parent late: after it has read, pushed or deleted something newer, beside a busy parent or not.
  func mergeLate(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    let child = context(in: root, merges: true)
    let above = try root.performAndWait {
      root.refreshAllObjects()
      return pick(try all("Item", root))
    }
    guard let above else { return }
    let (id, number) = root.performAndWait { (above.objectID, RulePicture.number(above)) }
    let (saved, newer, way, isBusy) = (6_000 + newNumber(), 6_000 + newNumber(), draw(3), chance(1, of: 2))
    let (isHeld, mayGo) = (Latch(label: "a parent's queue is held"), Latch(label: "a parent continues"))
    note(
      "in a block of the child the parent saves rank \(saved) of \(number), and the child \(["reads", "pushes", "deletes"][way])"
        + "\(isBusy ? "; the parent is busy as the child merges" : "")")
    let item = try child.performAndWait {
      let item = try child.existingObject(with: id)
      try root.performAndWait {
        above.setValue(saved, forKey: "rank")
        try save(root)
      }
      try overtake(way, item, child, above: above, root, rank: newer)
      if isBusy {
        root.perform {
          isHeld.open()
          _ = mayGo.wait(atMost: 20)
        }
        try require(
          isHeld.wait(atMost: 20), true, .hang, "whether a parent's queue is taken while a child waits for nothing")
      }
      return item
    }
    // Merges what has come.
    child.performAndWait {}
    try child.performAndWait {
      defer { mayGo.open() }
      if way == 2 {
        return try require(
          item.isDeleted || item.managedObjectContext == nil, true, .resurrectedRecord,
          "whether what a child has deleted stays so as it merges an earlier save")
      }
      // A fault would have to be read from the parent.
      if item.isFault { mayGo.open() }
      try require(
        (item.value(forKey: "rank") as? NSNumber)?.intValue, newer, .lostUpdate,
        "a rank that a child has \(way == 0 ? "read" : "pushed") after the save that it merges")
    }
    for context in [child, root] { try context.performAndWait { try save(context) } }
    let row = try stored(coordinator).objects[number]
    try require(
      row?["rank"], way == 2 ? nil : "\(newer)", .unpersistedSave,
      "the rank in the file after a late merge into a child")
  }

  /// The child reads, pushes or deletes something newer than what its parent has saved; in a block of the child.
  private func overtake(
    _ way: Int, _ item: NSManagedObject, _ child: NSManagedObjectContext, above: NSManagedObject,
    _ root: NSManagedObjectContext, rank newer: Int
  ) throws {
    precondition(0..<3 ~= way, "a child does one of three things")
    switch way {
    case 0:
      root.performAndWait { above.setValue(newer, forKey: "rank") }
      child.refresh(item, mergeChanges: false)
      try require(
        (item.value(forKey: "rank") as? NSNumber)?.intValue, newer, .staleRead, "a rank that a child reads again")
    case 1:
      item.setValue(newer, forKey: "rank")
      try save(child)
    default:
      child.delete(item)
      if chance(1, of: 2) { try save(child) } else { child.processPendingChanges() }
    }
  }

  /// A child that has read what its parent was to save takes that back where the parent has not written it.
  func revertLateMerge(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (parent, other) = (context(coordinator, .mergeByPropertyStoreTrump), context(coordinator))
    let child = context(in: parent, merges: true)
    let above = try parent.performAndWait { pick(try all("Item", parent)) }
    guard let above else { return }
    let isOvertaken = chance(1, of: 2)
    let (id, old, unsaved, theirs) = try parent.performAndWait {
      _ = try parent.existingObject(with: above.objectID)
      let old = (above.value(forKey: "rank") as? NSNumber)?.intValue
      let (unsaved, theirs) = (8_000 + newNumber(), 8_000 + newNumber())
      above.setValue(unsaved, forKey: "rank")
      return (above.objectID, old, unsaved, theirs)
    }
    let item = try child.performAndWait {
      let item = try child.existingObject(with: id)
      try require(
        (item.value(forKey: "rank") as? NSNumber)?.intValue, unsaved, .staleRead, "a rank that a parent has not saved")
      return item
    }
    note(
      "the parent does not write the rank that its child has read: \(isOvertaken ? "others' counts" : "it is set back")"
    )
    if isOvertaken {
      try other.performAndWait {
        try other.existingObject(with: id).setValue(theirs, forKey: "rank")
        try save(other)
      }
    }
    try parent.performAndWait {
      if !isOvertaken { above.setValue(old, forKey: "rank") }
      try save(parent)
    }
    child.performAndWait {}
    let seen = try child.performAndWait {
      try require(child.hasChanges, false, .wrongValue, "changes of a child that takes a value back")
      return (item.value(forKey: "rank") as? NSNumber)?.intValue
    }
    try require(seen, isOvertaken ? theirs : old, .staleRead, "a rank of a child whose parent has not written it")
  }

  /// Who comes to an object that a child has deleted and not pushed is reached by the delete rules when the deletion is saved.
  func comeToDeletedInChild(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    let other = context(coordinator)
    let child = context(in: root, merges: chance(1, of: 2))
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    let (id, number): (NSManagedObjectID, Int) = try root.performAndWait {
      root.refreshAllObjects()
      let box = insert("Box", root)
      insert("Item", root).setValue(box, forKey: "box")
      try save(root)
      return (box.objectID, RulePicture.number(box))
    }
    let box = try child.performAndWait {
      let box = try child.existingObject(with: id)
      note("a child deletes box \(number)")
      child.delete(box)
      child.processPendingChanges()
      return box
    }
    let comer = try other.performAndWait {
      let comer = insert("Item", other)
      comer.setValue(try other.existingObject(with: id), forKey: "box")
      note("others put \(RulePicture.number(comer)) into it")
      try save(other)
      return RulePicture.number(comer)
    }
    root.performAndWait {
      if let saved = saves.removeLast() { root.mergeChanges(fromContextDidSave: saved) }
    }
    for context in [child, root] { try context.performAndWait { try save(context) } }
    child.performAndWait { withExtendedLifetime(box) {} }
    let left = try stored(coordinator).objects
    try require(
      [left[number] == nil, left[comer] == nil], [true, true], .orphanRecord,
      "whether a box that a child has deleted is gone from the file, and who came to it")
  }
}
