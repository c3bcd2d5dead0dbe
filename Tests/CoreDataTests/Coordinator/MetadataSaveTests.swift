import Testing

@testable import CoreData

/// Saves that write nothing but metadata.
@Suite struct MetadataSaveTests {
  private func store(_ stack: TestStack) throws -> NSPersistentStore {
    try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
  }

  // S6.10: another process has made another store in the file.
  @Test func noMetadataAreWrittenIntoAnotherStore() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let model = stack.container.managedObjectModel
    try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(
      at: stack.url, ofType: NSSQLiteStoreType)
    let other = try TestStack(model: model, url: stack.url)
    try store(other).metadata["author"] = "other"
    try other.seed(11...11)
    try store(stack).metadata["author"] = "first"
    let context = stack.context()
    #expect(context.performAndWait { cocoaCode { try context.save() } } == NSPersistentStoreSaveError)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
    #expect(metadata["author"] as? String == "other")
  }

  // S7.4: the request may be taken back, and the metadata with it.
  @Test func noMetadataAreWrittenInsideABatchRequest() throws {
    let stack = try TestStack(.file)
    let context = stack.context()
    let store = try store(stack)
    try context.performAndWait {
      store.metadata["author"] = "first"
      var code: Int?
      let request = NSBatchInsertRequest(
        entityName: "Note",
        dictionaryHandler: { _ in
          code = cocoaCode { try context.save() }
          return true
        })
      _ = try context.execute(request)
      #expect(code == recursiveSaveError)
      try context.save()
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
    #expect(metadata["author"] as? String == "first")
  }
}
