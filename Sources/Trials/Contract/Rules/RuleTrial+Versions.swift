import Checking
import CoreData

// S1.5, S3.1, S3.3: a save meets the objects that others have changed, and no others, each as often as it is saved; a fetch
// brings a realised object no newer version; an object that is locked stays so until a save succeeds.

extension RuleTrial {
  func versions() throws {
    let first = try open()
    let second = chance(1, of: 2) ? first : try open()
    let maker = context(first)
    try maker.performAndWait {
      populate(maker, items: 6)
      try save(maker)
    }
    for _ in 0..<(2 + draw(2)) { try meetAll(first, second) }
    for _ in 0..<2 { try keepLocks(first) }
  }

  /// The saves of others, of objects that a late context has read.
  private struct Touches {
    /// By number: how many saves show another value or other members of it.
    var needed: [Int: Int] = [:]
    /// How many saves had it in a list.
    var allowed: [Int: Int] = [:]
    var deleted: Set<Int> = []
  }

  // MARK: Conflicts

  /// A context has read everything, and changes something of everything: its save meets exactly the rows that others have saved.
  private func meetAll(_ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws {
    let late = context(first)
    let (held, shown) = try late.performAndWait { () -> ([NSManagedObject], RulePicture) in
      let held = try RulePicture.entities.flatMap { try all($0, late) }
      return (held, try RulePicture(late))
    }
    let touches = try touch(second)
    let numbers = Set(shown.objects.keys)
    let (before, after) = try late.performAndWait { () -> (Bool, Bool) in
      let (before, after) = (chance(2, of: 3), chance(1, of: 2))
      if before { try fetchAnew(held, late) }
      for object in held {
        object.setValue(newNumber(), forKey: Self.counter(of: object))
      }
      if chance(1, of: 2) { late.processPendingChanges() }
      if after { try fetchAnew(held, late) }
      for object in held {
        let number = RulePicture.number(object)
        for name in RuleModel.attributes(of: object.entity.name ?? "") where name != Self.counter(of: object) {
          try require(
            RulePicture.text(object.value(forKey: name)), shown.objects[number]?[name] ?? "nothing", .wrongValue,
            "\(name) of \(number), which was realised before others saved it, after a fetch")
        }
      }
      return (before, after)
    }
    let needed = Set(touches.needed.keys).union(touches.deleted).intersection(numbers)
    // A save that was refused changes nothing of that.
    for attempt in ["a first", "a second"] {
      let error = late.performAndWait { AnythingClient.error { try late.save() } }
      try late.performAndWait {
        try check(
          error, needed, touches, numbers,
          "\(attempt) save\(before || after ? " after a fetch" : "")")
      }
      guard error != nil else { break }
    }
    late.performAndWait {
      late.rollback()
      late.refreshAllObjects()
      withExtendedLifetime(held) {}
    }
    var (seen, current) = (try picture(late), try stored(first))
    // A derived value raises no version: the row cache of a coordinator keeps one that another has computed anew.
    if first !== second { (seen, current) = (seen.withoutDerived, current.withoutDerived) }
    try require(seen, current, .staleRead, "in a context after refused saves and a refresh")
  }

  private static func counter(of object: NSManagedObject) -> String {
    switch object.entity.name {
    case "Box": "size"
    case "Tag": "weight"
    default: "rank"
    }
  }

  /// One to three saves of others.
  private func touch(_ coordinator: NSPersistentStoreCoordinator) throws -> Touches {
    let other = context(coordinator)
    var touches = Touches()
    var old = try stored(coordinator).withoutDerived
    for _ in 0..<(1 + draw(3)) {
      try other.performAndWait {
        // Whom a deletion reaches may be known to its context or not.
        if chance(1, of: 2) { other.reset() }
        if chance(1, of: 3) { _ = try RulePicture(other) }
        try changeSomething(other)
        other.processPendingChanges()
        let changed = other.updatedObjects.map(RulePicture.number)
        let deleted = other.deletedObjects.map {
          ($0.committedValues(forKeys: [RuleModel.number])[RuleModel.number] as? NSNumber)?.intValue ?? -1
        }
        for number in changed + deleted { touches.allowed[number, default: 0] += 1 }
        touches.deleted.formUnion(deleted)
        try save(other)
      }
      let new = try stored(coordinator).withoutDerived
      for (number, object) in new.objects where old.objects[number] != nil && old.objects[number] != object {
        touches.needed[number, default: 0] += 1
      }
      old = new
    }
    precondition(
      touches.deleted.isSubset(of: touches.allowed.keys), "who deletes an object has it in a list of its save")
    return touches
  }

  /// Reads the objects again in a drawn way; in a block of the context.
  private func fetchAnew(_ held: [NSManagedObject], _ context: NSManagedObjectContext) throws {
    let way = draw(4)
    note("fetch again, \(["whole", "in batches", "one by one", "with members"][way])")
    for entity in RulePicture.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      switch way {
      case 0: request.returnsObjectsAsFaults = false
      case 1:
        request.fetchBatchSize = 2
        request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: false)]
      case 2:
        for object in held where object.entity.name == entity { _ = try? context.existingObject(with: object.objectID) }
        continue
      default: if entity == "Item" { request.relationshipKeyPathsForPrefetching = ["box", "tags"] }
      }
      for object in try context.fetch(request) { _ = object.isFault }
    }
  }

  /// The conflicts of a refused save; in a block of its context.
  private func check(
    _ error: NSError?, _ needed: Set<Int>, _ touches: Touches, _ numbers: Set<Int>, _ what: String
  ) throws {
    precondition(needed.isSubset(of: numbers), "a conflict is about an object that was held")
    guard let error else {
      return try require(
        needed.sorted(), [], .lostUpdate, "objects that others have saved, and that \(what) has not met")
    }
    guard error.code == NSManagedObjectMergeError else { throw error }
    try require(error.domain, NSCocoaErrorDomain, .wrongValue, "the domain of the error of \(what)")
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    let met = conflicts.map { RulePicture.number($0.sourceObject) }
    try require(met.count, Set(met).count, .wrongValue, "conflicts of \(what), each of another object")
    try require(
      needed.subtracting(met).sorted(), [], .lostUpdate, "objects that others have saved, and that \(what) has not met")
    let allowed = Set(touches.allowed.keys).union(needed).intersection(numbers)
    try require(
      Set(met).subtracting(allowed).sorted(), [], .failedSave,
      "objects that no other context has saved, and that \(what) meets")
    for conflict in conflicts {
      let number = RulePicture.number(conflict.sourceObject)
      guard !touches.deleted.contains(number) else {
        try require(
          conflict.newVersionNumber, 0, .wrongValue, "the new version of \(number), which is gone, at \(what)")
        continue
      }
      let rise = conflict.newVersionNumber - conflict.oldVersionNumber
      let (least, most) = (touches.needed[number] ?? 1, touches.allowed[number] ?? 0)
      try require(
        rise >= least && rise <= max(least, most), true, .wrongValue,
        "whether the version of \(number) rose by \(least) to \(most) until \(what): by \(rise)")
    }
  }

  // MARK: Locks

  /// An object that is to be checked for conflicts is checked until a save succeeds, also after a refused one; and no longer.
  private func keepLocks(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, other) = (context(coordinator), context(coordinator))
    let isRefused = chance(1, of: 2)
    let end = draw(4)
    note(
      "detect conflicts\(isRefused ? ", after which a rule refuses a save" : ""); then \(["others save", "a save", "a rollback", "a reset"][end])"
    )
    let pair = try owner.performAndWait { () -> (locked: NSManagedObject, changed: NSManagedObject)? in
      let items = try all("Item", owner)
      guard let locked = pick(items), let changed = pick(items.filter { $0 !== locked }) else { return nil }
      if chance(1, of: 2) { _ = locked.value(forKey: "rank") }
      owner.detectConflicts(for: locked)
      changed.setValue(newNumber(), forKey: "rank")
      guard isRefused else { return (locked, changed) }
      let box = insert("Box", owner)
      box.setValue(String(repeating: "long ", count: 9), forKey: "title")
      let error = AnythingClient.error { try owner.save() }
      try require(error == nil, false, .failedSave, "whether a title that is too long is refused")
      owner.delete(box)
      return (locked, changed)
    }
    guard let pair else { return }
    let (id, changedID) = owner.performAndWait { (pair.locked.objectID, pair.changed.objectID) }
    try owner.performAndWait {
      switch end {
      case 1: try save(owner)
      case 2: owner.rollback()
      case 3: owner.reset()
      default: break
      }
    }
    try other.performAndWait {
      let item = try other.existingObject(with: id)
      note("others save item \(RulePicture.number(item))")
      if chance(1, of: 3) { other.delete(item) } else { item.setValue(newNumber(), forKey: "rank") }
      try save(other)
    }
    guard end == 0 else {
      return try owner.performAndWait {
        try owner.existingObject(with: changedID).setValue(newNumber(), forKey: "rank")
        try save(owner)
        withExtendedLifetime(pair) {}
      }
    }
    try owner.performAndWait {
      for attempt in ["a", "a second"] {
        let error = AnythingClient.error { try owner.save() }
        try require(
          error?.code, NSManagedObjectMergeError, .lostUpdate,
          "the error of \(attempt) save that meets a newer row of an object that is locked")
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
        try require(
          conflicts.map { $0.sourceObject === pair.locked }, [true], .wrongValue, "whose conflict \(attempt) save meets"
        )
      }
      owner.rollback()
    }
  }
}
