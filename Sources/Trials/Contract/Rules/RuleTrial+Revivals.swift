import Cells
import Checking
import CoreData
import Scheduling

// S3.4, S5.1: a policy decides about what is deleted here and changed elsewhere as a whole, with all of its relationships; the
// model's rules hold afterwards; and whoever shows another value than before the save is named.

extension RuleTrial {
  func revivals() throws {
    let first = try open()
    let second = chance(2, of: 3) ? first : try open()
    let maker = context(first)
    try maker.performAndWait {
      populate(maker, items: 7)
      let items = try all("Item", maker)
      for box in try all("Box", maker) where chance(1, of: 2) { box.setValue(pick(items), forKey: "cover") }
      try save(maker)
    }
    for _ in 0..<2 { try deleteHere(first, second) }
    for _ in 0..<3 { try nameDecisions(first, second) }
    for _ in 0..<2 { try leadToRevived(first) }
    try denyRevived()
    try leaveMandatory()
  }

  /// A reference by an older row leads to what its context has deleted, and a policy of others brings back: in the context, and in
  /// the file once it is written whole, it leads to the object that is there.
  private func leadToRevived(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (kind, key) =
      pick([("Item", "box"), ("Item", "shelf"), ("Item", "covered"), ("Box", "cover")]) ?? ("Item", "box")
    let (mine, reviver, other) = (
      context(coordinator, .overwrite), context(coordinator, .mergeByPropertyObjectTrump), context(coordinator)
    )
    func value(_ object: NSManagedObject) -> String { object.entity.name == "Box" ? "size" : "rank" }
    let ids = try other.performAndWait {
      let objects = [kind] + Array(repeating: kind == "Box" ? "Item" : "Box", count: 2)
      let made = objects.map { insertNumbered($0, other) }
      made[0].setValue(made[1], forKey: key)
      try save(other)
      return made.map(\.objectID)
    }
    precondition(ids.count == 3, "a target that goes, and another one")
    note("\(key) of \(kind) leads to what is deleted and comes back")
    let held = try mine.performAndWait {
      let held = try mine.existingObject(with: ids[0])
      _ = RulePicture.number(held)
      if chance(2, of: 3) { _ = held.value(forKey: key) }
      return held
    }
    let revived = try reviver.performAndWait {
      let object = try reviver.existingObject(with: ids[1])
      object.setValue(newNumber(), forKey: value(object))
      return object
    }
    try other.performAndWait {
      try other.existingObject(with: ids[0]).setValue(try other.existingObject(with: ids[2]), forKey: key)
      try save(other)
    }
    try mine.performAndWait {
      mine.delete(try mine.existingObject(with: ids[1]))
      try save(mine)
    }
    try reviver.performAndWait { try save(reviver) }
    try mine.performAndWait {
      if chance(1, of: 2) {
        let back = try mine.existingObject(with: ids[1])
        try require(
          (held.value(forKey: key) as? NSManagedObject) === back, true, .danglingReference,
          "whether \(key) leads to the object that came back")
        held.setValue(back, forKey: key)
        try require(
          [held.hasPersistentChangedValues, back.hasPersistentChangedValues], [false, false], .wrongValue,
          "whether \(key) is changed that was led to where it led")
      }
      held.setValue(newNumber(), forKey: value(held))
      try save(mine)
    }
    let fresh = freshContext(coordinator)
    let seen = try fresh.performAndWait {
      (try fresh.existingObject(with: ids[0]).value(forKey: key) as? NSManagedObject)?.objectID
    }
    try require(seen, ids[1], .danglingReference, "where \(key) leads in the file, written whole")
    _ = try stored(coordinator)
    reviver.performAndWait { withExtendedLifetime(revived) {} }
  }

  // MARK: Whole objects

  /// Everything that a context deletes was changed elsewhere: by the policy all of it stays as it is in the store, or goes.
  private func deleteHere(_ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws {
    let policy =
      pick([
        NSMergePolicy.mergeByPropertyStoreTrump, .rollback, .mergeByPropertyStoreTrump, .rollback,
        .mergeByPropertyObjectTrump, .overwrite,
      ]) ?? .rollback
    let keeps =
      policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType || policy.mergeType == .rollbackMergePolicyType
    let (mine, other) = (context(first, policy), context(second))
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    let (held, gone) = try mine.performAndWait { () -> ([NSManagedObject], [Int: NSManagedObject]) in
      let held = try RulePicture.entities.flatMap { try all($0, mine) }
      // Of a fault nothing was read that a conflict could be about.
      _ = try RulePicture(mine)
      for object in some(held, atMost: 3) where !object.isDeleted {
        note("here: delete \(RulePicture.number(object))")
        mine.delete(object)
      }
      mine.processPendingChanges()
      let gone = held.filter(\.isDeleted).map { (RulePicture.number($0), $0) }
      return (held, Dictionary(uniqueKeysWithValues: gone))
    }
    guard !gone.isEmpty else { return }
    try change(Set(gone.keys), other)
    let newest = try stored(first)
    let log = NoticeLog(session.environment, mine)
    defer { log.end() }
    try mine.performAndWait { try save(mine) }
    let file = try stored(first).withoutDerived
    // A policy takes back a deletion, and not what its rules have done to objects that no other context changed.
    let (seen, expected) =
      keeps
      ? (file.withoutRelationships, newest.withoutDerived.withoutRelationships)
      : (file, Self.without(Set(gone.keys), newest.withoutDerived))
    let what = "deleted here and changed elsewhere, by policy \(policy.mergeType.rawValue)"
    try require(seen, expected, keeps ? .lostRecord : .resurrectedRecord, "in the file after objects were \(what)")
    try mine.performAndWait {
      let notices = log.removeAll()
      let saved = notices.first { $0.name == "did-save" }
      try require(
        saved?.lists.deleted.count, keeps ? 0 : gone.count, .wrongNotification,
        "objects that a save has deleted, \(what)")
      let named = notices.filter { $0.name == "did-change" }
        .reduce(into: Set()) { $0.formUnion($1.ids.values.flatMap { $0 }) }
      for (number, object) in gone.sorted(by: { $0.key < $1.key }) where keeps {
        try require(
          [named.contains(object.objectID), object.isDeleted], [true, false], .missedNotification,
          "whether \(number), \(what), is named, and deleted")
      }
      let shown = try RulePicture(mine).withoutDerived
      let numbers = Set(gone.keys)
      try require(shown.part(numbers), file.part(numbers), .staleRead, "in a context after objects were \(what)")
      mine.refreshAllObjects()
      withExtendedLifetime(held) {}
    }
    try requireCurrent(mine, first, .staleRead, "in a context after objects were \(what), and a refresh")
  }

  private func change(_ numbers: Set<Int>, _ other: NSManagedObjectContext) throws {
    precondition(!numbers.isEmpty, "others change what was deleted")
    try other.performAndWait {
      for object in try RulePicture.entities.flatMap({ try all($0, other) })
      where numbers.contains(RulePicture.number(object)) {
        let key = ["Box": "size", "Tag": "weight"][object.entity.name ?? ""] ?? "rank"
        note("there: \(key) of \(RulePicture.number(object))")
        object.setValue(1_000 + newNumber(), forKey: key)
      }
      try save(other)
    }
  }

  /// Without some objects, and as members of none.
  private static func without(_ gone: Set<Int>, _ picture: RulePicture) -> RulePicture {
    let left = picture.objects.filter { !gone.contains($0.key) }
    return RulePicture(
      left.mapValues { texts in
        texts.mapValues { text in
          guard text.hasPrefix("[") else { return text }
          return "\(RulePicture.numbers(text).filter { !gone.contains($0) })"
        }
      })
  }

  // MARK: Notifications

  /// Others have changed the objects of a save: each that shows another value or other members afterwards is named.
  private func nameDecisions(_ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws {
    let policy =
      pick([NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback]) ?? .rollback
    let (mine, other) = (context(first, policy), context(second))
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    note("here:")
    let (held, before) = try mine.performAndWait { () -> ([NSManagedObject], [Int: [String: String]]) in
      let held = try RulePicture.entities.flatMap { try all($0, mine) }
      _ = try RulePicture(mine)
      for _ in 0..<(1 + draw(3)) { try changeSomething(mine) }
      mine.processPendingChanges()
      var before: [Int: [String: String]] = [:]
      for object in mine.updatedObjects where object.hasPersistentChangedValues {
        before[RulePicture.number(object)] = RulePicture.properties(of: object)
      }
      return (held, before)
    }
    note("there:")
    try other.performAndWait {
      for _ in 0..<(1 + draw(3)) { try changeSomething(other) }
      try save(other)
    }
    let log = NoticeLog(session.environment, mine)
    defer { log.end() }
    note("save \(mine.name ?? "")")
    let error = mine.performAndWait { AnythingClient.error { try mine.save() } }
    try mine.performAndWait {
      // A relationship may lead to what is gone.
      guard error == nil else { return mine.rollback() }
      let named = log.removeNamed()
      for object in held where object.managedObjectContext === mine && !object.isDeleted && !object.isFault {
        guard let old = before[RulePicture.number(object)] else { continue }
        let new = RulePicture.properties(of: object)
        let changed = new.keys.filter { old[$0] != new[$0] && !RuleModel.derived.contains($0) }.sorted()
        try require(
          changed.isEmpty || named.contains(object.objectID), true, .missedNotification,
          "whether \(RulePicture.number(object)) is named, of which policy \(policy.mergeType.rawValue) changed \(changed)"
        )
      }
      withExtendedLifetime(held) {}
    }
  }

  // MARK: Rules of the model

  private func insertJudged(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    precondition(JudgedModel.entities.contains(entity), "\(entity) is an entity with rules")
    let object = insertNumbered(entity, context)
    if entity == "Thing" { object.setValuesForKeys(["code": "c", "count": 5]) }
    return object
  }

  /// A store with some owners and their things, and two contexts of it that have read everything.
  private func judgedContexts(
    _ policy: NSMergePolicy
  ) throws -> (coordinator: NSPersistentStoreCoordinator, mine: NSManagedObjectContext, other: NSManagedObjectContext) {
    let coordinator = try open(JudgedModel.shared, at: newURL())
    let (mine, other) = (context(coordinator, policy), context(coordinator))
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    try other.performAndWait {
      for _ in 0..<2 {
        let owner = insertJudged("Owner", other)
        for _ in 0..<(1 + draw(3)) { insertJudged("Thing", other).setValue(owner, forKey: "owner") }
      }
      try save(other)
    }
    return (coordinator, mine, other)
  }

  private static func codes(_ error: NSError?) -> [Int] { parts(of: error).map(\.code) }

  /// An owner goes with its things, of which others change some: these stay by the policy, and deny the deletion.
  private func denyRevived() throws {
    let (coordinator, mine, other) = try judgedContexts(pick([.mergeByPropertyStoreTrump, .rollback]) ?? .rollback)
    let (owner, things) = try mine.performAndWait { () -> (NSManagedObject, [NSManagedObject]) in
      let (owners, things) = (try all("Owner", mine), try all("Thing", mine))
      _ = try RulePicture(mine, JudgedModel.entities)
      let owner = owners[draw(owners.count)]
      let its = things.filter { $0.value(forKey: "owner") as? NSManagedObject === owner }
      for object in its + [owner] { mine.delete(object) }
      mine.processPendingChanges()
      return (owner, its)
    }
    let ids = mine.performAndWait { things.map(\.objectID) }
    note("an owner and its \(ids.count) things are deleted, of which others change some")
    try other.performAndWait {
      for (index, id) in ids.enumerated() where index == 0 || chance(1, of: 2) {
        try other.existingObject(with: id).setValue(6, forKey: "count")
      }
      try save(other)
    }
    let stored = try picture(freshContext(coordinator), JudgedModel.entities)
    try mine.performAndWait {
      let error = AnythingClient.error { try mine.save() }
      try require(
        Self.codes(error).contains(NSValidationRelationshipDeniedDeleteError), true, .danglingReference,
        "whether a deletion is denied by things that a policy keeps, not \(Self.codes(error))")
      try require(
        mine.deletedObjects, Set(things + [owner]), .lostUpdate, "the deletions of a save that was denied by a policy")
    }
    try require(
      try picture(freshContext(coordinator), JudgedModel.entities), stored, .dirtyRead,
      "in the file after a save that was denied by a policy")
    try mine.performAndWait {
      note("mend by object trump")
      mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try save(mine)
    }
    let left = try picture(freshContext(coordinator), JudgedModel.entities)
    let numbers = Set(stored.objects.keys).subtracting(left.objects.keys)
    try require(numbers.count, ids.count + 1, .resurrectedRecord, "objects that are gone after a mended deletion")
    try close(coordinator)
  }

  /// A thing is changed that others have deleted with its owner: by the policy it comes back without one, which it must have.
  private func leaveMandatory() throws {
    let (coordinator, mine, other) = try judgedContexts(
      pick([.mergeByPropertyObjectTrump, .overwrite]) ?? .overwrite)
    let thing = try mine.performAndWait { () -> NSManagedObject? in
      _ = try RulePicture(mine, JudgedModel.entities)
      let thing = pick(try all("Thing", mine))
      thing?.setValue(7, forKey: "count")
      return thing
    }
    guard let thing else { return }
    let id = mine.performAndWait { thing.objectID }
    note("a thing is changed, which others delete with its owner")
    try other.performAndWait {
      guard let owner = try other.existingObject(with: id).value(forKey: "owner") as? NSManagedObject else { return }
      for thing in try all("Thing", other) where thing.value(forKey: "owner") as? NSManagedObject === owner {
        other.delete(thing)
      }
      other.delete(owner)
      try save(other)
    }
    let stored = try picture(freshContext(coordinator), JudgedModel.entities)
    try mine.performAndWait {
      let error = AnythingClient.error { try mine.save() }
      try require(
        Self.codes(error).contains(NSValidationMissingMandatoryPropertyError), true, .danglingReference,
        "whether a thing that comes back without its owner is refused, not \(Self.codes(error))")
      try require(
        [mine.updatedObjects.contains(thing), (thing.value(forKey: "count") as? NSNumber)?.intValue == 7],
        [true, true], .lostUpdate, "whether the change of a refused thing is left")
      mine.rollback()
    }
    try require(
      try picture(freshContext(coordinator), JudgedModel.entities), stored, .resurrectedRecord,
      "in the file after a thing that comes back without its owner was refused")
    try close(coordinator)
  }
}
