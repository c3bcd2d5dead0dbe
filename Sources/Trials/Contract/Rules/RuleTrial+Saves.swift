import Cells
import Checking
import CoreData
import Scheduling

// S3.1 to S3.5, S8.1: the calls of a save to its observers and its policy: versions that rise by one, snapshots of
// each side, keys that are given once, errors that name the obstacle.

extension RuleTrial {
  func saves() throws {
    let (first, second) = (try open(), try open())
    let maker = context(first)
    try maker.performAndWait {
      populate(maker, items: 6)
      try save(maker)
    }
    for _ in 0..<3 { try meetConflict(first, second) }
    try countOwners(first)
    try saveInsideSaves(first)
    try leadNowhere(first)
    try giveKeysOnce()
    try keepObtainedIDs(first)
  }

  // MARK: Conflicts

  /// A conflict has each side's values and versions: of this coordinator's row cache, or of the file.
  private func meetConflict(_ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws {
    let isOther = chance(1, of: 2)
    let policy = NotingPolicy()
    precondition(first !== second, "each coordinator has a row cache of its own")
    let (owner, other) = (context(first, policy), context(isOther ? second : first))
    guard let chosen = try owner.performAndWait({ pick(try all("Item", owner)) }) else { return }
    let uri = owner.performAndWait { chosen.objectID.uriRepresentation() }
    let (rank, name) = owner.performAndWait {
      let old = (RulePicture.text(chosen.value(forKey: "rank")), RulePicture.text(chosen.value(forKey: "name")))
      chosen.setValue("own \(newNumber())", forKey: "name")
      return old
    }
    let (updates, isDeleted, newRank) = (1 + draw(3), chance(1, of: 4), 10 * newNumber())
    precondition(1..<10 ~= updates, "each of the others' saves has a rank of its own")
    note("others save a row \(updates) times\(isDeleted ? ", and delete it" : "")")
    try other.performAndWait {
      guard let id = other.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else { return }
      other.stalenessInterval = 0
      let row = try other.existingObject(with: id)
      for update in 0..<updates {
        row.setValue(newRank + update, forKey: "rank")
        try other.save()
      }
      if isDeleted {
        other.delete(row)
        try other.save()
      }
    }
    try owner.performAndWait { try save(owner) }
    guard let seen = policy.conflicts.first, policy.conflicts.count == 1 else {
      return try require(policy.conflicts.count, 1, .lostUpdate, "conflicts of a save that meets a newer row")
    }
    try require(
      [seen.isOf(chosen), seen.newVersion == (isDeleted ? 0 : seen.oldVersion + updates)], [true, true], .wrongValue,
      "whether a conflict names its object, and versions: from \(seen.oldVersion) to \(seen.newVersion)")
    try require(
      [seen.own["rank"], seen.own["name"], seen.own["tags"]], [rank, name, nil], .wrongValue,
      "the object's snapshot of a conflict: what was committed, without members")
    guard !isDeleted else { return }
    // Of another coordinator's save the row cache has not heard.
    try require(
      [seen.cached == nil, seen.persisted == nil], isOther ? [false, false] : [false, true], .wrongValue,
      "which snapshots a conflict \(isOther ? "of the row cache with the store" : "of a context with the row cache") has"
    )
    let newest = isOther ? seen.persisted : seen.cached
    try require(
      newest?["rank"], "\(newRank + updates - 1)", .staleRead, "the newest rank that a conflict tells")
  }

  /// An object that gets or loses members has another version: a change that another context makes meanwhile meets it.
  private func countOwners(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, other) = (context(coordinator), context(coordinator))
    let key = pick(["items", "list", "tags"]) ?? "items"
    let (entity, member) = key == "tags" ? ("Item", "Tag") : ("Box", "Item")
    let attribute = entity == "Box" ? "size" : "rank"
    let box = try owner.performAndWait {
      guard let box = pick(try all(entity, owner)) else { return NSManagedObject?.none }
      box.setValue(newNumber(), forKey: attribute)
      return box
    }
    guard let box else { return }
    let id = owner.performAndWait { box.objectID }
    try other.performAndWait {
      let theirs = try other.existingObject(with: id)
      note("others add a member to \(key) of \(RulePicture.number(theirs))")
      let new = insert(member, other)
      if key == "items" {
        theirs.mutableSetValue(forKey: key).add(new)
      } else {
        theirs.mutableOrderedSetValue(forKey: key).add(new)
      }
      try save(other)
    }
    let error = owner.performAndWait { AnythingClient.error { try owner.save() } }
    try require(
      error?.code, NSManagedObjectMergeError, .lostUpdate, "the error of a save that meets new members of \(key)")
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    try require(
      conflicts.map { $0.sourceObject === box }, [true], .wrongValue, "the objects of the error's conflicts")
    owner.performAndWait { owner.rollback() }
  }

  // MARK: Saves in saves

  /// Changes of observers of will-save are saved with it; a save inside a save is refused, and harms nothing.
  private func saveInsideSaves(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let inner = Locked<Int?>(nil)
    let number = newNumber()
    note("a save in which an observer of will-save inserts, and saves")
    let observer = once(.NSManagedObjectContextWillSave, owner) { context in
      NSEntityDescription.insertNewObject(forEntityName: "Plain", into: context).setValue(
        number, forKey: RuleModel.number)
      let code = AnythingClient.error { try context.save() }?.code
      inner.withLock { $0 = code }
    }
    defer { session.environment.removeObserver(observer) }
    try owner.performAndWait {
      guard let item = pick(try all("Item", owner)) else { return }
      item.setValue(newNumber(), forKey: "rank")
      try save(owner)
      try require(
        inner.withLock { $0 }, 132_001, .wrongValue, "the error of a save inside a save")
      if owner.hasChanges { try save(owner) }
    }
    let fresh = freshContext(coordinator)
    let count = try fresh.performAndWait { try all("Plain", fresh).filter { RulePicture.number($0) == number }.count }
    try require(count, 1, .unpersistedSave, "objects that an observer has inserted before a save, in the file")
  }

  // MARK: Relationships that lead nowhere

  /// A relationship to a row that is gone is refused with 1550 for each object and relationship, also where nothing conflicts.
  private func leadNowhere(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, other) = (context(coordinator), context(coordinator))
    CellReports.allowInaccessibleFaults(in: [owner.name ?? ""])
    let id: NSManagedObjectID = try other.performAndWait {
      let box = insert("Box", other)
      try save(other)
      return box.objectID
    }
    let keys = ["box", "shelf", "covered"]
    let chosen = keys.filter { _ in chance(1, of: 2) }
    try other.performAndWait {
      other.delete(try other.existingObject(with: id))
      try save(other)
    }
    let item = owner.performAndWait {
      let (box, item) = (owner.object(with: id), insert("Item", owner))
      for key in chosen { item.setValue(box, forKey: key) }
      note("\(chosen) of a new item lead to a fault of a box that is gone")
      return item
    }
    let before = try stored(coordinator)
    try owner.performAndWait {
      let error = AnythingClient.error { try owner.save() }
      let details = Self.parts(of: error)
      let named = details.filter { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item }
        .compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }
      try require(
        chosen.isEmpty || details.contains { $0.code == NSManagedObjectValidationError }, true, .danglingReference,
        "whether relationships that lead nowhere are refused with 1550, not \(details.map(\.code))")
      try require(
        Set(named).isSuperset(of: chosen), true, .wrongValue, "whether the error names \(chosen): \(named)")
      for key in keys { item.setValue(nil, forKey: key) }
      if !chosen.isEmpty {
        try require(try stored(coordinator), before, .dirtyRead, "in the file after a refused save")
      }
      try owner.performAndWait { try save(owner) }
    }
  }

  // MARK: Keys

  /// The key of a deleted row is not given again, also after the store was closed.
  private func giveKeysOnce() throws {
    let url = newURL()
    var (known, coordinator) = (Set<URL>(), try open(at: url))
    for _ in 0..<3 {
      let owner = context(coordinator)
      try owner.performAndWait {
        let new = (0..<(1 + draw(3))).map { _ in insert(pick(["Item", "SpecialItem"]) ?? "Item", owner) }
        try save(owner)
        for object in new {
          let uri = object.objectID.uriRepresentation()
          try require(
            known.insert(uri).inserted, true, .duplicateRecord, "whether the key \(uri.lastPathComponent) is new")
          try require(
            known.filter { $0.lastPathComponent == uri.lastPathComponent }.count, 1, .duplicateRecord,
            "rows of one table that had the key \(uri.lastPathComponent)")
        }
        note("delete them")
        for object in new { owner.delete(object) }
        try save(owner)
      }
      guard chance(2, of: 3) else { continue }
      note("close and open again")
      try close(coordinator)
      coordinator = try open(at: url)
    }
    try close(coordinator)
  }

  /// After a save that failed IDs that were obtained stay, and belong to nothing else.
  private func keepObtainedIDs(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, other) = (context(coordinator), context(coordinator))
    try owner.performAndWait {
      let (box, item) = (insert("Box", owner), insert("Item", owner))
      box.setValue(String(repeating: "long ", count: 9), forKey: "title")
      item.setValue(box, forKey: "box")
      let isEarly = chance(1, of: 2)
      if isEarly { try owner.obtainPermanentIDs(for: [item]) }
      let id = item.objectID
      let error = AnythingClient.error { try owner.save() }
      try require(error == nil, false, .failedSave, "whether a title that is too long is refused")
      try require(
        [item.objectID == id || !isEarly, box.isInserted, item.isInserted], [true, true, true], .lostUpdate,
        "what is left to save of a refused save")
      let rival: NSManagedObjectID = try other.performAndWait {
        let rival = insert("Item", other)
        try save(other)
        return rival.objectID
      }
      box.setValue("mended", forKey: "title")
      try save(owner)
      try require(
        [item.objectID == id || !isEarly, item.objectID == rival], [true, false], .duplicateRecord,
        "whether the ID of before is kept, and is another's")
      try require(
        item.value(forKey: "box") as? NSManagedObject === box, true, .lostUpdate, "a relationship, saved late")
    }
  }
}

/// Notes the conflicts that it decides as object trump does.
private final class NotingPolicy: NSMergePolicy, @unchecked Sendable {
  // Sendable: a trial reads the notes of its context's save.
  struct Noted {
    let object: ObjectIdentifier
    let oldVersion: Int
    let newVersion: Int
    let own: [String: String]
    let cached: [String: String]?
    let persisted: [String: String]?

    func isOf(_ other: NSManagedObject) -> Bool { object == ObjectIdentifier(other) }
  }

  private(set) var conflicts: [Noted] = []

  init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    func texts(_ snapshot: [String: Any]?) -> [String: String]? {
      snapshot?.mapValues { RulePicture.text($0 is NSNull ? nil : $0) }
    }
    conflicts += list.map {
      Noted(
        object: ObjectIdentifier($0.sourceObject), oldVersion: Int($0.oldVersionNumber),
        newVersion: Int($0.newVersionNumber), own: texts($0.objectSnapshot) ?? [:], cached: texts($0.cachedSnapshot),
        persisted: texts($0.persistedSnapshot))
    }
    try super.resolve(optimisticLockingConflicts: list)
  }
}
