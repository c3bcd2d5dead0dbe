import SQLite

@testable import CoreData

/// A coordinator with several stores.
final class SeveralStores: Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let folder: URL
  let stores: [NSPersistentStore]

  /// - Parameter configurations: one store for each, nil for the whole model.
  init(_ configurations: [String?] = [nil, nil], model: NSManagedObjectModel = Notebook.model()) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    self.coordinator = coordinator
    let folder = folder
    stores = try configurations.enumerated().map { index, configuration in
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: configuration,
        at: folder.appendingPathComponent("\(index).sqlite"))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The first column of a query in one of the files.
  func sql(_ store: Int, _ query: String) throws -> [String] {
    try Connection(path: folder.appendingPathComponent("\(store).sqlite").path, mode: .readOnly).column(query)
  }

  /// Saves notes with these numbers in the stores, one after the other in turn; their IDs.
  @discardableResult
  func seed(_ numbers: ClosedRange<Int64>) throws -> [NSManagedObjectID] {
    let context = context()
    return try context.performAndWait {
      let notes = numbers.map { context.insertNote($0, title: "note \($0)", words: ["word \($0)"]) }
      for (index, note) in notes.enumerated() {
        context.assign(note, to: stores[index % stores.count])
        for word in note.words { context.assign(word, to: stores[index % stores.count]) }
      }
      try context.save()
      return notes.map(\.objectID)
    }
  }
}
