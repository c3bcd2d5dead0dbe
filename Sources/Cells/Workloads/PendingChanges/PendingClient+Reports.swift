import CoreData
import Scheduling

// Notifications of the own context, and the saves that validation refuses.

extension PendingClient {
  /// The objects, or IDs, that notifications of the own context name while something is done, by their key.
  private func named<Item: Hashable>(
    in notification: Notification.Name, as type: Item.Type, _ body: () throws -> Void
  ) rethrows -> [String: Set<Item>] {
    let posted = Locked<[[AnyHashable: Any]]>([])
    let observer = session.environment.addObserver(forName: notification, object: own) { notification in
      posted.withLock { $0.append(notification.userInfo ?? [:]) }
    }
    defer { session.environment.removeObserver(observer) }
    try body()
    var sets: [String: Set<Item>] = [:]
    for (key, value) in posted.withLock({ $0 }).joined() {
      guard let key = key as? String, let items = value as? Set<Item> else { continue }
      sets[key, default: []].formUnion(items)
    }
    return sets
  }

  /// The objects that `NSManagedObjectContextObjectsDidChange` names while something is done.
  func changesNamed(_ body: () throws -> Void) rethrows -> [String: Set<NSManagedObject>] {
    try named(in: .NSManagedObjectContextObjectsDidChange, as: NSManagedObject.self, body)
  }

  /// One save with an insert, a change and a delete: the file has them, and every notification names each where it belongs.
  func saveEveryKind(_ page: PendingPage) throws {
    let changed = page.words[1]
    var old: NSManagedObjectID?
    try own.performAndWait {
      let spare = addWord(to: page.first, in: own)
      try own.save()
      own.delete(spare)
      changed.level = 11
      old = spare.objectID
      let new = addWord(to: page.first, in: own)
      var sets: [String: Set<NSManagedObject>] = [:]
      let ids = try named(in: NSManagedObjectContext.didSaveObjectIDsNotification, as: NSManagedObjectID.self) {
        sets = try named(in: .NSManagedObjectContextDidSave, as: NSManagedObject.self) { try own.save() }
      }
      compare(sets[NSInsertedObjectsKey], with: [new], "inserted objects as DidSave names them")
      compare(sets[NSUpdatedObjectsKey]?.contains(changed), with: true, "a changed object as DidSave names it")
      compare(sets[NSDeletedObjectsKey], with: [spare], "deleted objects as DidSave names them")
      compare(ids[NSInsertedObjectIDsKey], with: [new.objectID], "inserted IDs as DidSaveObjectIDs names them")
      compare(
        ids[NSUpdatedObjectIDsKey]?.contains(changed.objectID), with: true, "a changed ID as DidSaveObjectIDs names it")
      compare(ids[NSDeletedObjectIDsKey], with: [spare.objectID], "deleted IDs as DidSaveObjectIDs names them")
      compare(new.objectID.isTemporaryID, with: false, "whether a saved object has a temporary ID")
      compare(own.hasChanges, with: false, "changes after a save")
    }
    guard let old else { return }
    let id = own.performAndWait { changed.objectID }
    try saveDirectly { context in
      compare((try? context.existingObject(with: old)) == nil, with: true, "a deleted object in another context")
      compare(try PendingPage.word(id, in: context).level, with: 11, "a changed value in another context")
    }
  }

  /// A save with values that the model does not allow is refused, whole; without them it is carried out.
  func saveInvalid(_ page: PendingPage) throws {
    let (valid, invalid) = (page.words[0], page.words[1])
    let id = own.performAndWait { valid.objectID }
    func code(of body: () throws -> Void) throws -> Int? {
      do {
        try body()
        return nil
      } catch {
        if session.faults.explains(error) { throw error }
        return (error as NSError).code
      }
    }
    try own.performAndWait {
      own.refresh(valid, mergeChanges: false)
      own.refresh(invalid, mergeChanges: false)
      let term = invalid.term
      valid.level = 12
      invalid.term = nil
      let missing = NSValidationMissingMandatoryPropertyError
      compare(try code { try own.save() }, with: missing, "the error of a save without a mandatory value")
      invalid.term = term
      invalid.setValue(100_000, forKey: "level")
      let tooLarge = NSValidationNumberTooLargeError
      compare(try code { try own.save() }, with: tooLarge, "the error of a save with a number that is too large")
      invalid.term = nil
      let several = NSValidationMultipleErrorsError
      compare(try code { try own.save() }, with: several, "the error of a save with two invalid values")
      own.refresh(invalid, mergeChanges: false)
      let incomplete = addWord(to: page.first, in: own)
      incomplete.meaning = nil
      compare(
        try code { try own.save() }, with: missing, "the error of a save of a new object without a mandatory value")
      own.delete(incomplete)
      compare(
        own.updatedObjects.contains(valid), with: true, "a valid change whose save was refused with an invalid one")
    }
    try saveDirectly { context in
      compare(try PendingPage.word(id, in: context).level == 12, with: false, "whether a refused save is in the file")
    }
    try own.performAndWait { try own.save() }
    try saveDirectly { context in
      compare(try PendingPage.word(id, in: context).level, with: 12, "a valid value after its save was refused once")
    }
  }
}
