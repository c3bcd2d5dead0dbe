import Checking
import CoreData

// S2.1, S2.8, S4.1 to S4.4, S8.1: what no store has yet, or what both levels delete, at two levels of a tree: faults without a row are
// asked by every call, and a deletion of the child outlives the one that its parent takes back.

extension RuleTrial {
  /// Objects that no store has become faults at the levels of a tree: each level shows all of their values, and so does the file.
  func refreshUnsaved(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "the levels are refreshed from this file")
    var levels = [root, context(in: root)]
    if chance(1, of: 2) { levels.append(context(in: levels[1])) }
    for level in levels { level.performAndWait { level.refreshAllObjects() } }
    var known = 1 + draw(levels.count - 1)
    let (maker, before) = (levels[known], try picture(root))
    maker.performAndWait { populate(maker, items: 3) }
    let shown = try picture(maker).withoutDerived
    let new = Set(shown.objects.keys).subtracting(before.objects.keys)
    for _ in 0..<(6 + draw(8)) {
      let level = levels[known + draw(levels.count - known)]
      try level.performAndWait {
        let objects = try RulePicture.entities.flatMap { try all($0, level) }
          .filter { new.contains(RulePicture.number($0)) }
        switch draw(4) {
        case 0:
          let chosen = some(objects, atMost: 5)
          note("\(chosen.map(RulePicture.number)) become faults in \(level.name ?? "")")
          if chance(1, of: 2) { try askRefreshed(chosen, level) }
          for object in chosen { level.refresh(object, mergeChanges: false) }
          if chance(1, of: 2) { level.processPendingChanges() }
        case 1 where level === levels[known] && known > 0:
          try save(level)
          known -= 1
        default: break
        }
      }
      if chance(1, of: 3) { try pushIntoFault(level, new) }
      try require(
        try picture(level).part(new).withoutDerived, shown.part(new), .lostUpdate,
        "new objects in \(level.name ?? ""), some of which became faults")
    }
    for level in levels.reversed() { try level.performAndWait { try save(level) } }
    try require(
      try stored(coordinator).part(new).withoutDerived, shown.part(new), .lostUpdate,
      "in the file new objects, some of which became faults")
  }

  /// A parent and a child delete one object, and the parent takes that back: to the child it stays deleted, and is in no list.
  func deleteAtBothLevels(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "both levels delete a row of this file")
    let (child, way) = (context(in: root), draw(3))
    root.performAndWait { root.refreshAllObjects() }
    let held = try child.performAndWait { try RulePicture.entities.flatMap { try all($0, child) } }
    let victim = child.performAndWait { pick(held.filter { $0.entity.name != "Box" }) }
    guard let victim else { return }
    let (id, number) = child.performAndWait {
      // Who is related to one of which nothing was read is reached only when the child saves.
      _ = RulePicture.properties(of: victim)
      return (victim.objectID, RulePicture.number(victim))
    }
    note("\(number) is deleted in the parent and in the child; the parent takes it back: \(way)")
    try root.performAndWait {
      let theirs = try root.existingObject(with: id)
      if way == 0 { recordForUndo(root) { root.delete(theirs) } } else { root.delete(theirs) }
      root.processPendingChanges()
    }
    func requireGone(_ moment: String) throws {
      for owner in shuffled(held) where !owner.isDeleted && chance(2, of: 3) {
        for (name, relationship) in owner.entity.relationshipsByName {
          try require(
            RulePicture.members(of: owner, relationship).contains(number), false, .resurrectedRecord,
            "whether \(name) of \(RulePicture.number(owner)) has \(number), \(moment)")
        }
      }
    }
    try child.performAndWait {
      child.delete(victim)
      child.processPendingChanges()
      try requireGone("which the child and its parent have deleted")
    }
    root.performAndWait {
      if way == 0 { root.undo() } else { root.rollback() }
      root.undoManager = nil
    }
    try child.performAndWait {
      for owner in held where !owner.isDeleted && chance(2, of: 3) { child.refresh(owner, mergeChanges: true) }
      try requireGone("which the child has deleted, and its parent has back")
      try save(child)
    }
    try root.performAndWait { try save(root) }
    try require(
      try stored(coordinator).objects[number] == nil, true, .resurrectedRecord,
      "whether \(number) is gone in the file, once a child's deletion was pushed")
    child.performAndWait { withExtendedLifetime(held) {} }
  }

  /// Unsaved objects that became faults are asked by every call; in a block of their context.
  private func askRefreshed(_ objects: [NSManagedObject], _ level: NSManagedObjectContext) throws {
    precondition(objects.allSatisfy { $0.managedObjectContext === level }, "each is of the level that is asked")
    func words(_ values: [String: Any]) -> [String: String] {
      values.filter { !($0.value is NSSet) && !($0.value is NSOrderedSet) && !($0.value is NSManagedObject) }
        .mapValues { RulePicture.text($0 is NSNull ? nil : $0) }
    }
    for object in objects {
      let (changes, event) = (words(object.changedValues()), words(object.changedValuesForCurrentEvent()))
      let (id, number) = (object.objectID, RulePicture.number(object))
      level.refresh(object, mergeChanges: false)
      switch draw(4) {
      case 0:
        try require(words(object.changedValues()), changes, .lostUpdate, "changedValues of \(number), a fault by now")
      case 1:
        try require(
          words(object.changedValuesForCurrentEvent()), event, .lostUpdate,
          "changedValuesForCurrentEvent of \(number), a fault by now")
      case 2:
        var found: NSManagedObject?
        let error = AnythingClient.error { found = try level.existingObject(with: id) }
        try require(error?.code, nil, .lostUpdate, "the error of existingObject of \(number), a fault by now")
        try require(found === object, true, .duplicateRecord, "whether existingObject of \(number) is the fault")
      default: break
      }
    }
  }

  /// A child reads an unsaved object that has become a fault, and changes it.
  private func pushIntoFault(_ level: NSManagedObjectContext, _ new: Set<Int>) throws {
    precondition(!new.isEmpty, "some objects are in no store yet")
    let (child, weight) = (context(in: level), newNumber())
    let fault = try level.performAndWait { () -> NSManagedObject? in
      let fault = pick(try all("Item", level).filter { $0.isInserted && new.contains(RulePicture.number($0)) })
      if let fault { level.refresh(fault, mergeChanges: false) }
      return fault
    }
    guard let fault else { return }
    let id = fault.objectID
    note("a child of \(level.name ?? "") gives a fault without a row the weight \(weight)")
    let old = try child.performAndWait {
      let own = try child.existingObject(with: id)
      let old = own.value(forKey: "weight")
      own.setValue(weight, forKey: "weight")
      try save(child)
      return old as? NSNumber
    }
    try level.performAndWait {
      try require(
        (fault.value(forKey: "weight") as? NSNumber)?.intValue, weight, .lostUpdate,
        "a weight that a child has pushed into a fault without a row")
      fault.setValue(old, forKey: "weight")
    }
  }
}
