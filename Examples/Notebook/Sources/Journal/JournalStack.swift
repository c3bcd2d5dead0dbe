import CoreData

/// The app's stack: a container that finds its model by name, a background import, and a list for the screen.
public final class JournalStack {
  public let container: NSPersistentContainer

  public init(inMemory: Bool) throws {
    container = NSPersistentContainer(name: "Journal")
    if inMemory { container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null") }
    // The handler is called before loading returns.
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
  }

  /// Entries of a feed; one with a known serial replaces what is there.
  public func importEntries(_ titles: [(serial: Int64, title: String)], binder name: String) async throws {
    try await container.performBackgroundTask { context in
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      let binder: Binder = Binder.findFirst("name == %@", name, in: context) ?? Binder.create(in: context)
      binder.name = name
      for (serial, title) in titles {
        let entry = Entry(context: context)
        entry.serial = serial
        entry.title = title
        entry.createdAt = Date(timeIntervalSinceReferenceDate: TimeInterval(serial))
        binder.addToEntries(entry)
      }
      try context.save()
    }
  }

  /// The list of a screen: entries by binder.
  public func makeList() -> NSFetchedResultsController<Entry> {
    let request: NSFetchRequest<Entry> = Entry.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "binder.name", ascending: true),
      NSSortDescriptor(keyPath: \Entry.serial, ascending: true),
    ]
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: container.viewContext,
      sectionNameKeyPath: "binder.name", cacheName: nil)
  }

  /// Removes every entry of a mood, without objects in memory.
  public func deleteAll(_ mood: Entry.Mood) throws -> Int {
    let request = Entry.fetchRequest() as NSFetchRequest<Entry>
    request.predicate = NSPredicate(format: "mood == %d", mood.rawValue)
    let delete = NSBatchDeleteRequest(fetchRequest: request)
    delete.resultType = .resultTypeCount
    let result = try container.viewContext.execute(delete) as? NSBatchDeleteResult
    return result?.result as? Int ?? 0
  }
}
