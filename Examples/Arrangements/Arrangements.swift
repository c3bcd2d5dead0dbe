// The arrangements of contexts, one class each: `contextbench recommend` prints the one that fits.
import CoreData
import Foundation

final class NotificationMergeStack {
  let container: NSPersistentContainer
  private var observers: [any NSObjectProtocol] = []

  init(_ container: NSPersistentContainer) { self.container = container }

  /// A context for one importer; its saves are merged into main.
  func makeImporter() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    let main = container.viewContext
    observers.append(
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { notification in
        // Merging reads its objects' IDs only, which any thread may.
        nonisolated(unsafe) let saved = notification
        main.perform { main.mergeChanges(fromContextDidSave: saved) }
      })
    return context
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
}

final class ParentChildStack {
  let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) { self.container = container }

  /// A context for one importer: a child of main.
  func makeImporter() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = container.viewContext
    return context
  }

  /// Saves the child, then main, which writes to the file. Of what is refused nothing is left in either.
  /// Call it on the child's queue.
  func save(_ child: NSManagedObjectContext) throws {
    defer { child.reset() }
    try child.save()
    let main = container.viewContext
    try main.performAndWait {
      do {
        try main.save()
      } catch {
        main.rollback()
        throw error
      }
    }
  }
}

final class SingleWriterStack {
  let main: NSManagedObjectContext
  private let writer: NSManagedObjectContext

  init(_ container: NSPersistentContainer) {
    main = container.viewContext
    main.automaticallyMergesChangesFromParent = true
    writer = container.newBackgroundContext()
  }

  /// Every writer sends a block; they run one after another, so that no two change a row at once.
  /// Nothing is left of an edit that throws or of a save that is refused.
  func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
    let writer = self.writer
    try await writer.perform {
      defer { writer.reset() }
      try edit(writer)
      try writer.save()
    }
  }
}

final class MainOnlyStack {
  let main: NSManagedObjectContext

  init(_ container: NSPersistentContainer) { main = container.viewContext }

  /// Small edits only: main does nothing else meanwhile.
  /// Nothing is left of an edit that throws or of a save that is refused; nor of main's other unsaved changes.
  func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
    let main = self.main
    try await main.perform {
      do {
        try edit(main)
        try main.save()
      } catch {
        main.rollback()
        throw error
      }
    }
  }
}

final class NestedWriterStack {
  let root: NSManagedObjectContext
  let main: NSManagedObjectContext

  init(_ container: NSPersistentContainer) {
    root = container.newBackgroundContext()
    main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.parent = root
  }

  /// A context for one importer: a child of main.
  func makeImporter() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = main
    return context
  }

  /// Saves from the child up to the file; of what is refused nothing is left. Call it on the child's queue.
  func save(_ child: NSManagedObjectContext) throws {
    defer { child.reset() }
    try child.save()
    do {
      try main.performAndWait { try main.save() }
      try root.performAndWait { try root.save() }
    } catch {
      root.performAndWait { root.rollback() }
      // Main has what the root has not.
      main.performAndWait { main.reset() }
      throw error
    }
  }
}

final class BackgroundTaskStack {
  let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) {
    self.container = container
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// A new context for each unit of work; several run at once.
  func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
    try await container.performBackgroundTask { context in
      try edit(context)
      try context.save()
    }
  }
}

final class ThreadConfinementStack {
  let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) { self.container = container }

  /// The context of the thread that calls; no other may touch it or its objects.
  func contextOfThisThread() -> NSManagedObjectContext {
    let key = "context of \(ObjectIdentifier(self))"
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
      // Refused changes would go into the next save.
      context.reset()
    }
    try context.save()
  }
}

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

final class HistoryMergeStack: @unchecked Sendable {
  // Sendable: the token is only used on main's queue.
  let container: NSPersistentContainer
  private var token: NSPersistentHistoryToken?
  private var observer: (any NSObjectProtocol)?

  /// Call it before the container loads its store.
  static func prepare(_ description: NSPersistentStoreDescription) {
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
  }

  /// Merges into main what others save, in this process or another one, from now on.
  init(_ container: NSPersistentContainer) {
    self.container = container
    let main = container.viewContext
    main.transactionAuthor = "main"
    token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
    ) { [weak self] _ in
      main.perform { [weak self] in try? self?.merge() }
    }
  }

  /// A context for one importer, in this process.
  func makeImporter(named name: String) -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.transactionAuthor = name
    return context
  }

  /// Merges the transactions since the token, and keeps the token of the last one that it merged. On main's queue.
  ///
  /// A read that failed is repeated after the next remote change.
  func merge() throws {
    let main = container.viewContext
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try main.execute(request) as? NSPersistentHistoryResult
      for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
        if transaction.author != main.transactionAuthor {
          main.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        token = transaction.token
      }
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      // Others have deleted what main has not read.
      token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
      main.refreshAllObjects()
    }
  }

  /// Deletes what is older than any process stays away. On main's queue.
  func deleteHistory(before date: Date) throws {
    _ = try container.viewContext.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}

final class BatchImportStack {
  let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) { self.container = container }

  /// Inserts rows of one entity, without objects and without relationships, as one transaction; main learns of their IDs.
  func insert(_ rows: [[String: Any]], of entity: String) async throws {
    nonisolated(unsafe) let values = rows
    let context = container.newBackgroundContext()
    let inserted = try await context.perform {
      let request = NSBatchInsertRequest(entityName: entity, objects: values)
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      return result?.result as? [NSManagedObjectID] ?? []
    }
    let main = container.viewContext
    await main.perform {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectIDsKey: inserted], into: [main])
    }
  }
}

final class ModelActorStack {
  let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) {
    self.container = container
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// An actor for one importer, with a context of its own; what it does runs on the context's queue.
  func makeImporter() -> Importer { Importer(Executor(context: container.newBackgroundContext())) }

  actor Importer {
    private let executor: Executor

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: Executor) { self.executor = executor }

    /// Nothing is left of an edit that throws or of a save that is refused.
    func write(_ edit: @Sendable (NSManagedObjectContext) throws -> Void) throws {
      let context = executor.context
      defer { context.reset() }
      try edit(context)
      try context.save()
    }
  }

  final class Executor: SerialExecutor {
    let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      context.perform { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }
}

final class AsyncPerformStack {
  let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) {
    self.container = container
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Does all edits at once, each in a child task with a context of its own, and returns when the last has ended.
  /// Nothing is left of an edit that throws or of a save that is refused; the other edits are saved.
  func write(_ edits: [@Sendable (NSManagedObjectContext) throws -> Void]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for edit in edits {
        let context = container.newBackgroundContext()
        group.addTask {
          try await context.perform {
            try edit(context)
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
