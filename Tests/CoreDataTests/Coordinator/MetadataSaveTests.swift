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

  // S6.3: the error says which key, and the store takes saves again once it is gone.
  @Test(arguments: [true, false]) func metadataThatAreNoPropertyListAreRefused(isWithChanges: Bool) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let (store, context) = (try store(stack), stack.context())
    try context.performAndWait {
      store.metadata["queue"] = OperationQueue()
      if isWithChanges { context.insertNote(2) }
      let error = try #require(caught { try context.save() })
      #expect(error.code == NSPersistentStoreSaveError)
      #expect(error.localizedDescription.contains("queue is OperationQueue"))
      store.metadata["queue"] = "main"
      try context.save()
    }
    try stack.seed(3...3)
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == (isWithChanges ? ["1", "2", "3"] : ["1", "3"]))
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
    #expect(metadata["queue"] as? String == "main")
  }

  // S6.3
  @Test func metadataThatWereNotSavedContinueAtAnotherPlace() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let (store, coordinator) = (try store(stack), stack.container.persistentStoreCoordinator)
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    try coordinator.replacePersistentStore(
      at: copy, withPersistentStoreFrom: stack.url, ofType: NSSQLiteStoreType)
    store.metadata["author"] = "first"
    #expect(coordinator.setURL(copy, for: store))
    #expect(store.metadata["author"] as? String == "first")
    try stack.seed(2...2)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: copy)
    #expect(metadata["author"] as? String == "first")
  }
}
