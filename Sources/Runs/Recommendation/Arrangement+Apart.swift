extension Arrangement {
  static let threadConfinement = Arrangement(
    summary: "A confined context for each thread, kept in the thread's dictionary; each save is merged into main.",
    skeleton: """
      final class ThreadConfinementStack {
        let container: NSPersistentContainer

        init(_ container: NSPersistentContainer) { self.container = container }

        /// The context of the thread that calls; no other may touch it or its objects.
        func contextOfThisThread() -> NSManagedObjectContext {
          let key = "context of \\(ObjectIdentifier(self))"
          if let context = Thread.current.threadDictionary[key] as? NSManagedObjectContext { return context }
          let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
          context.persistentStoreCoordinator = container.persistentStoreCoordinator
          Thread.current.threadDictionary[key] = context
          return context
        }

        /// Saves it, and merges what was saved into main.
        func save() throws {
          let main = container.viewContext
          let context = contextOfThisThread()
          let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
          ) { notification in
            // Merging reads its objects' IDs only, which any thread may.
            nonisolated(unsafe) let saved = notification
            main.perform { main.mergeChanges(fromContextDidSave: saved) }
          }
          defer {
            NotificationCenter.default.removeObserver(observer)
            // What was refused would go into the next save.
            context.reset()
          }
          try context.save()
        }
      }
      """,
    watchFor: [
      "The concurrency type is deprecated by Apple, and nothing checks that a context stays on its thread.",
      "A thread of a pool keeps its context and what it has registered: reset after each save, and when an edit throws.",
    ])

  static let dedicatedThread = Arrangement(
    summary: "One run-loop thread owns the writing context, and blocks are sent to it.",
    skeleton: """
      final class DedicatedThreadStack {
        let main: NSManagedObjectContext
        private let writer: NSManagedObjectContext

        /// Call it on the thread that is to write: its context belongs to it.
        init(onWriterThread container: NSPersistentContainer) {
          main = container.viewContext
          main.automaticallyMergesChangesFromParent = true
          writer = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
          writer.persistentStoreCoordinator = container.persistentStoreCoordinator
        }

        /// Called on the writer's thread, by what serves its run loop.
        /// Nothing is left of an edit that throws or of a save that is refused.
        func write(_ edit: (NSManagedObjectContext) throws -> Void) throws {
          defer { writer.reset() }
          try edit(writer)
          try writer.save()
        }
      }
      """,
    watchFor: [
      "The context and its objects belong to that thread alone, and nothing checks it.",
      "A thread of your own has to be started, to serve its run loop and to be ended; a queue does that by itself.",
      "The concurrency type is deprecated by Apple.",
    ])

  static let coordinatorPerThread = Arrangement(
    summary: "Each importer has a coordinator of its own on the file; saves are merged by object IDs.",
    skeleton: """
      final class CoordinatorPerImporterStack {
        let container: NSPersistentContainer
        private var observers: [any NSObjectProtocol] = []

        init(_ container: NSPersistentContainer) { self.container = container }

        /// A context for one importer on a coordinator of its own; main merges by the IDs of what was saved.
        func makeImporter() throws -> NSManagedObjectContext {
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
          for store in container.persistentStoreDescriptions {
            try coordinator.addPersistentStore(
              ofType: store.type, configurationName: store.configuration, at: store.url, options: store.options)
          }
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.persistentStoreCoordinator = coordinator
          context.stalenessInterval = 0
          let main = container.viewContext
          observers.append(
            NotificationCenter.default.addObserver(
              forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { notification in
              var saved: [AnyHashable: Any] = [:]
              for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
                let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
                saved[key] = objects.map { $0.objectID.uriRepresentation() }
              }
              // It is not changed any more.
              nonisolated(unsafe) let identifiers = saved
              main.perform { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: identifiers, into: [main]) }
            })
          return context
        }

        deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
      }
      """,
    watchFor: [
      "Reset an importer's context when an edit throws or a save is refused: what is left in it goes into the next save.",
      "Main reads every merged row again from the file, so it is busier than with one coordinator.",
      "Saves wait for the lock of the file, and fail with SQLITE_BUSY when one holds it too long.",
      "Row caches are apart: set stalenessInterval to 0 where a context must see what others saved.",
    ])
}
