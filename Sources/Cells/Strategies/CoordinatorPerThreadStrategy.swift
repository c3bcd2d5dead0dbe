import Boundary
import CoreData
import Scenarios

/// Each worker has a coordinator of its own on the same file; SQLite does the locking, and main merges by object IDs.
package final class CoordinatorPerThreadStrategy: Strategy {
  package static let name = "coordinator-per-thread"
  package static let summary = "Each worker has its own coordinator on the file; main merges by object IDs."
  package static let options = ["merge": "async", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let merging: MainMerging
  private let resetsAfterSave: Bool

  /// - Throws: `HarnessFailure` for `merge: automatic`, which only contexts of one coordinator can do.
  package init(_ environment: StrategyEnvironment) throws {
    self.environment = environment
    resetsAfterSave = environment.settings[Keys.resetAfterSave]
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    merging = MainMerging(into: mainContext, environment)
    guard merging.mode != .automatic else {
      throw HarnessFailure(
        "coordinator-per-thread: main cannot merge saves of other coordinators automatically. Write merge: async")
    }
  }

  package func makeWriter(named name: String) throws -> any StrategyWriter {
    RemoteWriter(
      context: try makeReader(named: name), main: mainContext, merging: merging, resetsAfterSave: resetsAfterSave,
      environment: environment)
  }

  /// A context on a coordinator of its own.
  package func makeReader(named name: String) throws -> NSManagedObjectContext {
    try environment.makeRemoteContext(named: name)
  }

  /// A worker's context; its saves reach main as the IDs of the saved objects.
  private final class RemoteWriter: StrategyWriter {
    private let writer: DirectWriter
    private let observation: SaveObservation?

    init(
      context: NSManagedObjectContext, main: NSManagedObjectContext, merging: MainMerging, resetsAfterSave: Bool,
      environment: StrategyEnvironment
    ) {
      writer = DirectWriter(context: context, resetsAfterSave: resetsAfterSave)
      guard merging.mode != .none else {
        observation = nil
        return
      }
      observation = SaveObservation(of: context, environment) { notification in
        let saved = RemoteSave(notification)
        merging.onMain {
          NSManagedObjectContext.mergeChanges(fromRemoteContextSave: saved.identifiers, into: [main])
        }
      }
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try writer.write(edit, reached: reached)
    }
  }
}

extension StrategyEnvironment {
  /// A context on a coordinator of its own, on the same file. Any thread.
  func makeRemoteContext(named name: String) throws -> NSManagedObjectContext {
    let own = NSPersistentContainer(name: container.name, managedObjectModel: container.managedObjectModel)
    for description in container.persistentStoreDescriptions {
      guard let url = description.url else { continue }
      _ = try own.persistentStoreCoordinator.addPersistentStore(
        ofType: description.type, configurationName: description.configuration, at: url,
        options: description.options.filter { $0.key != NSPersistentStoreRemoteChangeNotificationPostOptionKey })
    }
    let context = own.newBackgroundContext()
    // Its row cache may be older than the file, which the other coordinators write.
    context.stalenessInterval = 0
    adopt(context, name: name)
    return context
  }
}
