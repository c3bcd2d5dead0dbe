import Boundary
import CoreData
import Scenarios
import Scheduling

/// The container of a cell: a model on a file, as Apple's defaults make it.
package enum NotebookStore {
  /// Opens the store in `directory`, as a strategy wants it; makes it where there is none.
  ///
  /// - Throws: The container's error.
  package static func open(
    in directory: String, model: NSManagedObjectModel = NotebookModel.shared, _ settings: ScenarioSettings? = nil,
    for strategy: (any Strategy.Type)? = nil
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notebook", managedObjectModel: model)
    let file = URL(fileURLWithPath: directory, isDirectory: true)
      .appendingPathComponent(CellFiles.store, isDirectory: false)
    let description = NSPersistentStoreDescription(url: file)
    let synchronous = settings?[Keys.synchronous] ?? .normal
    if synchronous != .normal {
      description.setValue(synchronous.rawValue as NSString, forPragmaNamed: Keys.synchronous.key.name)
    }
    let isFollowed = settings.map { strategy?.followsHistory($0) ?? false } ?? false
    if isFollowed || settings?[Keys.history] ?? false {
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    }
    if isFollowed {
      description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    container.persistentStoreDescriptions = [description]
    let failure = Locked<(any Error)?>(nil)
    container.loadPersistentStores { _, error in failure.withLock { $0 = error } }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return container
  }
}
