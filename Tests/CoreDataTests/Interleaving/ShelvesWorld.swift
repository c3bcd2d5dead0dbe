import Testing

@testable import CoreData

/// Two coordinators on one file, each with a context that writes and one that follows: it holds every object, and merges
/// the saves.
final class ShelvesWorld {
  /// One coordinator and its contexts.
  struct Side {
    let stack: TestStack
    let writer: NSManagedObjectContext
    let follower: NSManagedObjectContext
    let saves: NotificationLog
    /// The objects that the follower holds.
    var held: [NSManagedObject] = []

    init(_ stack: TestStack) throws {
      self.stack = stack
      writer = stack.context("writer")
      follower = stack.context("follower")
      saves = NotificationLog(writer)
      writer.performAndWait { writer.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy }
      follower.performAndWait { follower.automaticallyMergesChangesFromParent = true }
    }

    mutating func hold() throws {
      held = try follower.performAndWait { [follower] in
        try ["Item", "Shelf"].flatMap { entity in
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.returnsObjectsAsFaults = false
          let objects = try follower.fetch(request)
          for object in objects { object.willAccessValue(forKey: nil) }
          return objects
        }
      }
    }
  }

  let model = Shelves.model()
  private(set) var own: Side
  private(set) var other: Side

  init() throws {
    let stack = try TestStack(.file, model: model)
    own = try Side(stack)
    try stack.change { context in
      var shelves: [NSManagedObject] = []
      for label in ["high", "low"] {
        let shelf = context.insert("Shelf", [:])
        shelf.setValue(label, forKey: "label")
        shelves.append(shelf)
      }
      for number in 1...6 {
        let item = context.insert("Item", [:])
        item.setValue(Int64(number), forKey: "number")
        item.setValue("item \(number)", forKey: "name")
        item.setValue(shelves[number % 2], forKey: "shelf")
      }
    }
    // A wait for a lock of the first coordinator gives up at once.
    other = try Side(try TestStack(model: model, url: stack.url, timeout: 0))
    try own.hold()
    try other.hold()
  }

  /// The contents of the file now.
  func contents() throws -> Shelves.Contents { try Shelves.Contents(of: own.stack.url) }

  // MARK: Changing

  /// Something that is written.
  enum Write: String, CaseIterable, Sendable {
    case insert, update, rename, move, delete, deleteShelf, batchUpdate, batchDelete, batchInsert
  }

  /// Writes through one of the coordinators; false when it cannot be now.
  @discardableResult
  func write(_ write: Write, _ side: Side) -> Bool {
    do {
      try side.writer.performAndWait { try carryOut(write, side.writer) }
      return true
    } catch {
      side.writer.performAndWait { side.writer.rollback() }
      return false
    }
  }

  private func item(_ number: Int64, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate(format: "name == %@", "item \(number)")
    return try context.fetch(request).first
  }

  private func carryOut(_ write: Write, _ context: NSManagedObjectContext) throws {
    context.refreshAllObjects()
    switch write {
    case .insert:
      let item = context.insert("Item", [:])
      item.setValue(Int64(70), forKey: "number")
      item.setValue("item 7", forKey: "name")
    case .update:
      for number: Int64 in [2, 5] {
        guard let item = try item(number, context), let old = item.value(forKey: "number") as? Int64 else { continue }
        item.setValue(old + 10, forKey: "number")
      }
    case .rename:
      guard let item = try item(5, context), let old = item.value(forKey: "number") as? Int64 else { return }
      item.setValue(old - 4, forKey: "number")
    case .move:
      let shelves = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
      guard let item = try item(2, context), let place = item.value(forKey: "shelf") as? NSManagedObject,
        let other = shelves.first(where: { $0 !== place })
      else { return }
      item.setValue(other, forKey: "shelf")
    case .delete: try item(5, context).map(context.delete)
    case .deleteShelf:
      if let shelf = try item(2, context)?.value(forKey: "shelf") as? NSManagedObject { context.delete(shelf) }
    case .batchUpdate:
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.predicate = NSPredicate(format: "number > 3")
      request.propertiesToUpdate = ["number": NSExpression(format: "number + 20")]
      try context.execute(request)
    case .batchDelete:
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      request.predicate = NSPredicate(format: "number > 4")
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    case .batchInsert:
      try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["number": 80, "name": "item 8"]]))
    }
    try context.save()
  }

  // MARK: Telling

  /// Tells the follower of one side of all that the other's writer, or its batch requests, may have changed.
  func tell(_ side: Side, before: Shelves.Contents, after: Shelves.Contents) {
    func ids(_ entity: String, _ keys: some Sequence<Int64>) -> [URL] {
      keys.compactMap { key in
        side.stack.container.persistentStoreCoordinator.persistentStores.first?.identifier.flatMap {
          URL(string: "x-coredata://\($0)/\(entity)/p\(key)")
        }
      }
    }
    let (old, new) = (before.items, after.items)
    let info: [AnyHashable: Any] = [
      NSInsertedObjectsKey: ids("Item", new.keys.filter { old[$0] == nil }),
      // A row may have been changed and changed back.
      NSUpdatedObjectsKey: ids("Item", new.keys.filter { old[$0] != nil })
        + ids("Shelf", after.shelves.keys),
      NSDeletedObjectsKey: ids("Item", old.keys.filter { new[$0] == nil })
        + ids("Shelf", before.shelves.keys.filter { after.shelves[$0] == nil }),
    ]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: info, into: [side.follower])
  }

  // MARK: Asking

  /// The difference between a new context's answers and the file; nil without one.
  func difference(_ side: Side, from contents: Shelves.Contents) -> String? {
    for question in Self.questions {
      let context = side.stack.context("reader")
      do {
        if let difference = try context.performAndWait({ try question(context, contents) }) { return difference }
      } catch {
        return "\(error)"
      }
    }
    return nil
  }

  private typealias Question = @Sendable (NSManagedObjectContext, Shelves.Contents) throws -> String?

  private static let questions: [Question] = [fetches, finds, counts, existing, related]

  @Sendable private static func fetches(_ context: NSManagedObjectContext, _ contents: Shelves.Contents) throws
    -> String?
  {
    let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
    let seen = Dictionary(uniqueKeysWithValues: items.map { ($0.rowKey, $0.itemText) })
    if seen != contents.items { return "a fetch of items gives \(seen), in the file are \(contents.items)" }
    let shelves = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
    let shown = Dictionary(uniqueKeysWithValues: shelves.map { ($0.rowKey, $0.shelfText) })
    return shown == contents.shelves ? nil : "a fetch of shelves gives \(shown), in the file are \(contents.shelves)"
  }

  /// IDs found by a condition lead to objects that fulfil it.
  @Sendable private static func finds(_ context: NSManagedObjectContext, _ contents: Shelves.Contents) throws -> String?
  {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    request.resultType = .managedObjectIDResultType
    request.predicate = NSPredicate(format: "number > 4")
    for id in try context.fetch(request) {
      let item = context.object(with: id)
      guard let number = item.value(forKey: "number") as? Int64, number > 4 else {
        return "number > 4 finds \(item.itemText)"
      }
    }
    return nil
  }

  @Sendable private static func counts(_ context: NSManagedObjectContext, _ contents: Shelves.Contents) throws
    -> String?
  {
    let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
    return count == contents.items.count ? nil : "\(count) items are counted, in the file are \(contents.items.count)"
  }

  @Sendable private static func existing(_ context: NSManagedObjectContext, _ contents: Shelves.Contents) throws
    -> String?
  {
    let coordinator = try #require(context.persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first?.identifier)
    for key in Int64(1)...8 {
      let id = try #require(
        URL(string: "x-coredata://\(store)/Item/p\(key)").flatMap(coordinator.managedObjectID(forURIRepresentation:)))
      let found = (try? context.existingObject(with: id))?.itemText
      if found != contents.items[key] {
        return "existingObject gives \(found ?? "nothing"), in the file is \(contents.items[key] ?? "nothing")"
      }
    }
    return nil
  }

  @Sendable private static func related(_ context: NSManagedObjectContext, _ contents: Shelves.Contents) throws
    -> String?
  {
    for shelf in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")) {
      let keys = shelf.itemKeys
      if keys != contents.members[shelf.rowKey] {
        return "a shelf has items \(keys), in the file \(contents.members[shelf.rowKey] ?? [])"
      }
    }
    return nil
  }

  /// The difference between a follower's objects and the file; derived values are read again only when they are asked for.
  func followerDifference(_ side: Side, from contents: Shelves.Contents) -> String? {
    side.follower.performAndWait {
      for object in side.held where object.managedObjectContext != nil {
        let isItem = object.entity.name == "Item"
        let expected = isItem ? contents.items[object.rowKey] : contents.shelves[object.rowKey]
        if expected == nil, !object.isDeleted { return "\(object.objectID) is gone, and the follower was not notified" }
        guard let expected, !object.isDeleted, isItem else { continue }
        if object.itemText != expected { return "the follower shows \(object.itemText), in the file is \(expected)" }
      }
      return nil
    }
  }
}
