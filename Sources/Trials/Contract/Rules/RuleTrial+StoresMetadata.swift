import Cells
import Checking
import CoreData

// S6.3: metadata that no file can hold.

extension RuleTrial {
  /// Metadata that are no property list are refused, and the store is saved to with others.
  func refuseMetadata() throws {
    let coordinator = try open(at: newURL())
    guard let store = coordinator.persistentStores.first else { return }
    let (writer, known) = (context(coordinator), coordinator.metadata(for: store))
    let wrong: [Any] = [NSObject(), UUID(), [UUID()], ["key": NSObject()]]
    coordinator.setMetadata(known.merging(["mark": pick(wrong) ?? UUID()]) { $1 }, for: store)
    precondition(known["mark"] == nil, "a new store has no mark")
    let word = "word \(newNumber())"
    note("metadata that are no property list, and \(word)")
    try writer.performAndWait {
      if chance(1, of: 2) { insertPlain(writer) }
      let code = AnythingClient.error { try writer.save() }?.code
      try require(code, NSPersistentStoreSaveError, .wrongValue, "the error of metadata that are no property list")
      coordinator.setMetadata(known.merging(["mark": word]) { $1 }, for: store)
      try save(writer)
    }
    let url = coordinator.url(for: store)
    let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    try require(stored["mark"] as? String, word, .unpersistedSave, "metadata in the file after others were refused")
    try close(coordinator)
  }
}
