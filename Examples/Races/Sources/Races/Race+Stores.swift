import CoreData
import Foundation

// Races of contexts over one store.

extension Race {
  /// Rows are fetched as IDs, and looked up later.
  static let goneByThen = Race(name: "fetched, and gone by then") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "row"])
    let reader = container.newBackgroundContext()
    let cleaner = container.newBackgroundContext()
    async let cleaning: Void = cleaner.perform {
      cleaner.delete(cleaner.object(with: id))
      try cleaner.save()
    }
    let ids = try await reader.perform { try reader.all().map(\.objectID) }
    try await reader.perform {
      for id in ids {
        do { _ = try reader.existingObject(with: id) } catch {
          try expect(care == .mended, "a row of the list is gone")
        }
      }
    }
    try await cleaning
  }

  /// A batch request deletes rows, and the main context merges that later, on its own queue.
  static let toldLater = Race(name: "a batch that main is told of later") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "row"])
    let main = container.viewContext
    try await main.perform {
      main.retainsRegisteredObjects = true
      _ = try main.existingObject(with: id).value(forKey: "name")
    }
    let background = container.newBackgroundContext()
    let told = Signal()
    try await background.perform {
      let request = NSBatchDeleteRequest(objectIDs: [id])
      try background.execute(request)
      let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: [id]]
      nonisolated(unsafe) let deleted = changes
      if care == .mended {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: deleted, into: [main])
        told.give()
      } else {
        DispatchQueue.global().async {
          NSManagedObjectContext.mergeChanges(fromRemoteContextSave: deleted, into: [main])
          told.give()
        }
      }
    }
    let isThere = await main.perform { main.registeredObject(for: id).map { !$0.isDeleted } ?? false }
    try await onThread { try told.wait() }
    try expect(!isThere, "main still shows the row")
  }

  /// A name is unique, and the second who inserts it is refused.
  static let unique = Race(name: "a unique name and no policy") { store, care in
    let container = try Stack.container(store)
    let refused = Shared(0)
    @Sendable func tag() async {
      let context = container.newBackgroundContext()
      await context.perform {
        if care == .mended { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        if ((try? context.all("Tag", where: "name == 'new'")) ?? []).isEmpty {
          context.make(["name": "new"], of: "Tag")
        }
        if context.hasChanges, (try? context.save()) == nil { refused.with { $0 += 1 } }
        context.rollback()
      }
    }
    async let first: Void = tag()
    async let second: Void = tag()
    _ = await (first, second)
    let count = refused.with { $0 }
    try expect(count == 0, "\(count) saves were refused")
  }

  /// Two clean-ups find the same pair, and each keeps another one.
  static let bothDeleted = Race(name: "two clean-ups delete both") { store, care in
    let container = try Stack.container(store)
    let maker = container.newBackgroundContext()
    try await maker.perform {
      for number in 0..<2 { maker.make(["name": "same", "number": number]) }
      try maker.save()
    }
    @Sendable func cleanUp(_ ascending: Bool) async {
      let context = container.newBackgroundContext()
      await context.perform {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: care == .mended ? true : ascending)]
        for item in ((try? context.fetch(request)) ?? []).dropFirst() { context.delete(item) }
        try? context.save()
      }
    }
    async let first: Void = cleanUp(true)
    async let second: Void = cleanUp(false)
    _ = await (first, second)
    let count = try await container.newBackgroundContext().count()
    try expect(count == 1, "\(count) are left of two")
  }

  /// The child has saved; the parent's save is only on its way.
  static let parentLater = Race(name: "the parent saves later") { store, care in
    let container = try Stack.container(store)
    let main = container.viewContext
    let child = Stack.child(of: main)
    try await child.perform {
      child.make(["name": "row"])
      try child.save()
    }
    if care == .mended { try await main.perform { try main.save() } } else { main.send { try? main.save() } }
    let count = try await container.newBackgroundContext().count()
    await main.perform {}
    try expect(count == 1, "\(count) rows are in the store")
  }

  /// A row is shown that another context deletes meanwhile.
  static let emptyRow = Race(name: "a row without values") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "row"])
    let main = container.viewContext
    let cleaner = container.newBackgroundContext()
    async let cleaning: Void = cleaner.perform {
      cleaner.delete(cleaner.object(with: id))
      try cleaner.save()
    }
    let name = await main.perform { () -> String? in
      if care == .mended {
        guard let item = try? main.existingObject(with: id) else { return "deleted" }
        return item.value(forKey: "name") as? String
      }
      return main.object(with: id).value(forKey: "name") as? String
    }
    try await cleaning
    try expect(name != nil, "the row has no name")
  }

  /// The controller fetches, and has its delegate later.
  static let deafController = Race(name: "a controller that hears late") { store, care in
    let container = try Stack.container(store)
    let main = container.viewContext
    let writer = container.newBackgroundContext()
    let list = ListOfNames()
    await MainActor.run { main.automaticallyMergesChangesFromParent = true }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    nonisolated(unsafe) let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: main, sectionNameKeyPath: nil, cacheName: nil)
    async let writing: Void = writer.perform {
      writer.make(["name": "row"])
      try writer.save()
    }
    try await main.perform {
      if care == .mended { controller.delegate = list }
      try controller.performFetch()
      list.take(controller.fetchedObjects ?? [])
    }
    await main.perform { controller.delegate = list }
    try await writing
    await main.perform {}
    let names = list.names.with { $0 }
    withExtendedLifetime(controller) {}
    try expect(names == ["row"], "the list has \(names)")
  }

  /// The store is opened beside the first fetch.
  static let openedLater = Race(name: "a store that is opened later") { store, care in
    let container = NSPersistentContainer(name: "Races", managedObjectModel: Stack.model)
    let description = NSPersistentStoreDescription(url: store)
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    let opened = Signal()
    container.loadPersistentStores { _, _ in opened.give() }
    if care == .mended { try await onThread { try opened.wait() } }
    let context = container.newBackgroundContext()
    let result = await context.perform { Result { try context.all().count } }
    if care != .mended { try await onThread { try opened.wait() } }
    try expect((try? result.get()) == 0, "the first fetch fails")
  }

  /// The next number is one more than the largest that was found.
  static let sameNumber = Race(name: "two invoices with one number") { store, care in
    let container = try Stack.container(store)
    let writer = container.newBackgroundContext()
    @Sendable func invoice() async throws {
      let context = care == .mended ? writer : container.newBackgroundContext()
      try await context.perform {
        let last = try context.all().compactMap { $0.value(forKey: "number") as? Int }.max() ?? 0
        context.make(["number": last + 1])
        try context.save()
      }
    }
    async let first: Void = invoice()
    async let second: Void = invoice()
    _ = try await (first, second)
    let numbers = try await writer.perform { try writer.all().compactMap { $0.value(forKey: "number") as? Int } }
    try expect(Set(numbers).count == 2, "the invoices have the numbers \(numbers.sorted())")
  }

  /// The mark is turned over on two devices' rows at once.
  static let turnedOver = Race(name: "a mark that is turned over twice", fault: "lost-update") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["flag": false])
    let writer = container.newBackgroundContext()
    @Sendable func turnOver() async throws {
      let context = care == .mended ? writer : container.newBackgroundContext()
      try await context.perform {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let item = context.object(with: id)
        item.setValue(!(item.value(forKey: "flag") as? Bool ?? false), forKey: "flag")
        try context.save()
      }
    }
    async let first: Void = turnOver()
    async let second: Void = turnOver()
    _ = try await (first, second)
  }

  /// Each of two withdrawals looks at both accounts, and takes from one.
  static let overdrawn = Race(name: "two accounts that are overdrawn together") { store, care in
    let container = try Stack.container(store)
    let ids = [
      try await Stack.item(container, ["number": 50]), try await Stack.item(container, ["number": 50]),
    ]
    @Sendable func withdraw(_ account: Int) async {
      let context = container.newBackgroundContext()
      await context.perform {
        let accounts = ids.map { context.object(with: $0) }
        let sum = accounts.reduce(0) { $0 + ($1.value(forKey: "number") as? Int ?? 0) }
        guard sum >= 80 else { return }
        // The save compares the account that was only read as well.
        if care == .mended { for other in accounts { context.detectConflicts(for: other) } }
        let account = accounts[account]
        account.setValue((account.value(forKey: "number") as? Int ?? 0) - 80, forKey: "number")
        try? context.save()
        context.rollback()
      }
    }
    async let first: Void = withdraw(0)
    async let second: Void = withdraw(1)
    _ = await (first, second)
    let context = container.newBackgroundContext()
    let sum = try await context.perform {
      try context.all().reduce(0) { $0 + ($1.value(forKey: "number") as? Int ?? 0) }
    }
    try expect(sum >= 0, "both accounts have \(sum)")
  }
}

extension NSManagedObjectContext {
  fileprivate func count() async throws -> Int { try await perform { try self.all().count } }
}

/// The names that a controller reports, on main's queue.
private final class ListOfNames: NSObject, NSFetchedResultsControllerDelegate, Sendable {
  let names = Shared<[String]>([])

  func take(_ objects: [NSManagedObject]) {
    let new = objects.compactMap { $0.value(forKey: "name") as? String }
    names.with { $0 = new }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    take((controller.fetchedObjects ?? []).compactMap { $0 as? NSManagedObject })
  }
}
