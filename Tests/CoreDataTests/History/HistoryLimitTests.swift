import Testing

@testable import CoreData

/// Requests for history that cannot be carried out, and stores that have none.
@Suite struct HistoryLimitTests {
  // S10.2: another key is an error, and so is one of values that have no order.
  @Test(arguments: ["nothing", "changes", "token"]) func aKeyThatNothingIsSortedByIsAnError(key: String) throws {
    let stack = try TestStack.withHistory()
    for number in 1...2 as ClosedRange<Int64> { try stack.seed(number...number) }
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    #expect(cocoaCode { _ = try stack.history(.fetchHistory(withFetch: fetch)) } == NSCoreDataError)
    fetch.sortDescriptors = [NSSortDescriptor(key: "author", ascending: true)]
    #expect(try (stack.history(.fetchHistory(withFetch: fetch)) as? [NSPersistentHistoryTransaction])?.count == 2)
  }

  // S7.1, S10.2
  @Test func aNegativeOffsetIsAnError() throws {
    let stack = try TestStack.withHistory()
    try stack.seed(1...1)
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.fetchOffset = -1
    #expect(cocoaCode { _ = try stack.history(.fetchHistory(withFetch: fetch)) } == NSCoreDataError)
  }

  // S10.3: such as one with data that an app brings along.
  @Test func historyIsDeletedBesideAStoreThatIsOnlyRead() throws {
    let brought = try TestStack(.file)
    try brought.seed(1...1)
    let stack = try TestStack.withHistory(.file, model: brought.container.managedObjectModel)
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: brought.url,
      options: [NSReadOnlyPersistentStoreOption: true])
    try stack.seed(2...2)
    let token = try stack.token()
    try stack.seed(3...3)
    #expect(try stack.history(.deleteHistory(before: token)) as? Bool == true)
    #expect(try stack.history(.deleteHistory(before: Date.distantFuture)) as? Bool == true)
    #expect(try stack.transactions().isEmpty)
  }

  // S10.1: the hash of an entity with a modifier is not compared, so that the model may keep more values than before.
  @Test func anAttributeMayBeKeptAfterTheHistoryHasBegun() throws {
    func model(keeps: Bool) -> NSManagedObjectModel {
      let model = Notebook.model()
      let note = model.entitiesByName["Note"]
      note?.versionHashModifier = "modified"
      note?.attributesByName["title"]?.preservesValueInHistoryOnDeletion = keeps
      return model
    }
    let first = try TestStack.withHistory(.file, model: model(keeps: false))
    try first.seed(1...2)
    let stack = try TestStack.withHistory(model: model(keeps: true), url: first.url)
    try stack.change { $0.delete(try $0.note(1)) }
    #expect(try stack.transactions().last?.changes?.first?.tombstone?["title"] as? String == "note 1")
  }
}
