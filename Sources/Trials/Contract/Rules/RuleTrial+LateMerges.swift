import Checking
import CoreData
import Scheduling

// S4.5, S8.1: what a child has read, pushed or deleted after its parent's save stays when it merges that save late; it takes back
// what the parent has not written; and what comes to an object that a child has deleted.

extension RuleTrial {
  /// A child merges a save of its parent late, beside a busy parent or not: after it has read, pushed or deleted something newer, in drawn
  /// properties and members of the same objects. It shows the whole of each as its parent does.
  func mergeLate(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(
      root.parent == nil && root.persistentStoreCoordinator === coordinator, "others save to the root's file")
    let child = context(in: root, merges: true)
    let (ids, above) = try makeBoxes(root)
    let held = try child.performAndWait { try ids.map(child.existingObject) }
    let (way, isBusy) = (draw(3), chance(2, of: 3))
    let words = ["reads", "pushes", "deletes"][way]
    let mayGo = Latch(label: "a parent continues")
    var edits: [Int: [String: String]] = [:]
    note("a parent saves, and its child \(words) something newer\(isBusy ? "; the parent is busy" : "")")
    let shown = try child.performAndWait {
      // Every list is read before.
      for object in held { _ = RulePicture.properties(of: object) }
      try root.performAndWait {
        edit(above, &edits)
        try save(root)
        if way == 0 { edit(above, &edits) }
      }
      switch way {
      case 0:
        for object in held { child.refresh(object, mergeChanges: false) }
        for object in held { _ = RulePicture.properties(of: object) }
      case 1: edit(held, &edits)
      default:
        edits[RulePicture.number(held[4])] = nil
        child.delete(held[4])
      }
      if way == 1 || way == 2 && chance(1, of: 2) { try save(child) } else { child.processPendingChanges() }
      let shown = try picture(root)
      if isBusy { try keepBusy(root, until: mayGo) }
      return shown
    }
    for (number, key, text) in edits.flatMap({ number, texts in texts.map { (number, $0.key, $0.value) } }) {
      let own = shown.objects[number]?[key] ?? ""
      try require(own, text, .lostUpdate, "\(key) of \(number) in a parent of a child that \(words)")
    }
    // Merges what has come; only then relationships may wait for the parent.
    child.performAndWait {}
    mayGo.open()
    try child.performAndWait {
      try require(
        held[4].isDeleted || held[4].managedObjectContext == nil, way == 2, .resurrectedRecord,
        "whether what a child has deleted stays so as it merges an earlier save")
      let left = (way == 2 ? [] : held).map { (RulePicture.number($0), RulePicture.properties(of: $0)) }
      let seen = RulePicture(Dictionary(uniqueKeysWithValues: left))
      try require(
        seen.withoutDerived, shown.part(Set(seen.objects.keys)).withoutDerived, .lostUpdate,
        "in a child that merges an older save of its parent, and \(words) something newer")
    }
    for context in [child, root] { try context.performAndWait { try save(context) } }
    child.performAndWait { child.refreshAllObjects() }
    let file = try stored(coordinator).withoutDerived
    try require(try picture(child).withoutDerived, file, .unpersistedSave, "in a child after a late merge")
  }

  /// Two boxes and three items in them, saved, with their IDs.
  private func makeBoxes(_ root: NSManagedObjectContext) throws -> ([NSManagedObjectID], [NSManagedObject]) {
    try root.performAndWait {
      root.refreshAllObjects()
      let made = ["Box", "Box", "Item", "SpecialItem", "Item"].map { insert($0, root) }
      for item in made[2...] { item.setValue(made[draw(2)], forKey: "box") }
      try save(root)
      return (made.map(\.objectID), made)
    }
  }

  /// Several children merge several saves of their parent late, beside a busy parent or not: each has read its objects again between the
  /// saves, or after the last one and what the parent has changed since. What it has read last stays.
  func mergeSeveralLate(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(
      root.parent == nil && root.persistentStoreCoordinator === coordinator,
      "the children are those of a context of this coordinator")
    let children = (0..<(2 + draw(2))).map { _ in context(in: root, merges: true) }
    let (ids, above) = try makeBoxes(root)
    let held = try children.map { child in try child.performAndWait { try ids.map(child.existingObject) } }
    let (isBusy, isChangedLast, mayGo) = (chance(2, of: 3), chance(2, of: 3), Latch(label: "a parent continues"))
    note("a parent saves again and again, beside the blocks of \(children.count) children that read")
    let (shown, sure) = try inBlocks(of: children[...]) {
      for (child, own) in zip(children, held) { try readAgain(own, child) }
      for _ in 0..<(2 + draw(3)) {
        var edits: [Int: [String: String]] = [:]
        try root.performAndWait {
          edit(above, &edits)
          try save(root)
        }
        for (child, own) in zip(children, held) where chance(1, of: 2) { try readAgain(own, child) }
      }
      var edits: [Int: [String: String]] = [:]
      if isChangedLast { root.performAndWait { edit(above, &edits) } }
      // Who has not read the parent's last changes may show them or not.
      var sure: [Int] = []
      for (place, child) in children.enumerated() where place == 0 || chance(1, of: 2) {
        try readAgain(held[place], child)
        sure.append(place)
      }
      let shown = try picture(root)
      if isBusy { try keepBusy(root, until: mayGo) }
      return (shown, isChangedLast ? sure : Array(children.indices))
    }
    // They merge what has come; only then relationships may wait for the parent.
    for child in children { child.performAndWait {} }
    mayGo.open()
    for place in sure {
      try children[place].performAndWait {
        let objects = held[place].map { (RulePicture.number($0), RulePicture.properties(of: $0)) }
        let seen = RulePicture(Dictionary(uniqueKeysWithValues: objects))
        try require(
          seen.withoutDerived, shown.part(Set(seen.objects.keys)).withoutDerived, .lostUpdate,
          "in child \(place) of \(children.count) that merges older saves of its parent than it has read")
      }
    }
    try root.performAndWait { try save(root) }
    let file = try stored(coordinator).withoutDerived
    for child in children {
      child.performAndWait { child.refreshAllObjects() }
      try require(try picture(child).withoutDerived, file, .staleRead, "in one of several children after late merges")
    }
    root.performAndWait { withExtendedLifetime(above) {} }
    for (child, own) in zip(children, held) { child.performAndWait { withExtendedLifetime(own) {} } }
  }

  /// Runs a body in blocks of several contexts at once: whatever arrives there is merged afterwards.
  private func inBlocks<Result>(
    of contexts: ArraySlice<NSManagedObjectContext>, _ body: () throws -> Result
  ) throws -> Result {
    guard let first = contexts.first else { return try body() }
    return try first.performAndWait { try inBlocks(of: contexts.dropFirst(), body) }
  }

  /// Reads all of some objects again, one by one or by a fetch; in a block of the context.
  private func readAgain(_ objects: [NSManagedObject], _ context: NSManagedObjectContext) throws {
    let isFetched = chance(1, of: 3)
    note("\(context.name ?? "") reads again\(isFetched ? " by fetches" : "")")
    if isFetched {
      context.refreshAllObjects()
      for entity in ["Box", "Item"] { _ = try all(entity, context) }
    }
    for object in objects where !isFetched { context.refresh(object, mergeChanges: false) }
    for object in objects { _ = RulePicture.properties(of: object) }
  }

  private func keepBusy(_ parent: NSManagedObjectContext, until mayGo: Latch) throws {
    let isHeld = Latch(label: "a parent's queue is held")
    parent.perform {
      isHeld.open()
      _ = mayGo.wait(atMost: 20)
    }
    try require(isHeld.wait(atMost: 20), true, .hang, "whether a parent's queue is taken beside its child's block")
  }

  /// Gives some objects values that they never had, and boxes other members, new ones too; in a block of the context.
  private func edit(_ objects: [NSManagedObject], _ edits: inout [Int: [String: String]]) {
    var moved: [NSManagedObject] = []
    for _ in 0..<(1 + draw(3)) {
      guard let object = pick(objects), let owner = object.managedObjectContext else { continue }
      let keys =
        object.entity.name == "Box" ? ["title", "size", "new"] : ["name", "rank", "weight", "level", "box", "box"]
      let (key, number) = (pick(keys) ?? "", newNumber())
      note("\(key) of \(RulePicture.number(object)) in \(owner.name ?? "")")
      switch key {
      case "new":
        insertNumbered("Item", owner).setValue(object, forKey: "box")
        continue
      case "box":
        // Who comes back has not moved.
        guard !moved.contains(where: { $0 === object }) else { continue }
        moved.append(object)
        object.setValue(objects[objects[0] === object.value(forKey: key) as? NSManagedObject ? 1 : 0], forKey: key)
      default: object.setValue(["title", "name"].contains(key) ? "part \(number)" : number as Any, forKey: key)
      }
      edits[RulePicture.number(object), default: [:]][key] = RulePicture.properties(of: object)[key]
    }
  }

  /// A child that has read what its parent was to save takes that back where the parent has not written it, and names the object.
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
    let log = NoticeLog(session.environment, child)
    defer { log.end() }
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
    try require(log.removeNamed(), [id], .missedNotification, "what a child names as it takes a value back")
    try require(seen, isOvertaken ? theirs : old, .staleRead, "a rank of a child whose parent has not written it")
  }

  /// Who comes to an object that a child has deleted and not pushed is reached by the delete rules when the deletion is saved.
  func comeToDeletedInChild(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(
      root.parent == nil && root.persistentStoreCoordinator === coordinator, "others delete rows of the root's file")
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
