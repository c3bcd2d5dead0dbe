import CoreData
import Testing

@Suite struct FetchRequestTests {
  // S7.1: the defaults of a request.
  @Test func aRequestHasApplesDefaults() {
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(request.entityName == "Note" && request.entity == nil)
    #expect(request.requestType == .fetchRequestType && request.affectedStores == nil)
    #expect(request.predicate == nil && request.sortDescriptors == nil)
    #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
    #expect(request.resultType == .managedObjectResultType && request.includesPropertyValues)
    #expect(request.includesSubentities && request.includesPendingChanges && request.returnsObjectsAsFaults)
    #expect(!request.shouldRefreshRefetchedObjects && !request.returnsDistinctResults)
    #expect(request.relationshipKeyPathsForPrefetching == nil && request.propertiesToFetch == nil)
    #expect(request.propertiesToGroupBy == nil && request.havingPredicate == nil)
    #expect(NSFetchRequest<Note>().entityName == nil)
  }

  // S7.1
  @Test func aCopyAsksTheSameAndIsItsOwn() throws {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.predicate = NSPredicate(format: "number == 1")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (1, 2, 3)
    (request.includesSubentities, request.includesPendingChanges, request.includesPropertyValues) = (
      false, false, false
    )
    (request.returnsObjectsAsFaults, request.shouldRefreshRefetchedObjects) = (false, true)
    (request.returnsDistinctResults, request.resultType) = (true, .managedObjectIDResultType)
    request.relationshipKeyPathsForPrefetching = ["words"]
    (request.propertiesToFetch, request.propertiesToGroupBy) = (["number"], ["title"])
    request.havingPredicate = NSPredicate(format: "number == 2")
    request.affectedStores = []
    let copy = try #require(request.copy() as? NSFetchRequest<NSManagedObjectID>)
    #expect(copy !== request && copy.entityName == "Note")
    #expect(copy.predicate === request.predicate && copy.havingPredicate === request.havingPredicate)
    #expect(copy.sortDescriptors == request.sortDescriptors && copy.affectedStores == [])
    #expect((copy.fetchLimit, copy.fetchOffset, copy.fetchBatchSize) == (1, 2, 3))
    #expect(!copy.includesSubentities && !copy.includesPendingChanges && !copy.includesPropertyValues)
    #expect(!copy.returnsObjectsAsFaults && copy.shouldRefreshRefetchedObjects && copy.returnsDistinctResults)
    #expect(copy.resultType == .managedObjectIDResultType && copy.relationshipKeyPathsForPrefetching == ["words"])
    #expect(copy.propertiesToFetch as? [String] == ["number"] && copy.propertiesToGroupBy as? [String] == ["title"])
    copy.fetchLimit = 9
    #expect(request.fetchLimit == 1)
  }

  // S7.1: as Apple's sources write it, with the protocol itself as the type of results.
  @Test func aRequestOfAClassFindsItsEntityAndGivesAnyResult() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let request: NSFetchRequest<any NSFetchRequestResult> = Note.fetchRequest()
      let notes = try context.fetch(request)
      #expect((notes as? [Note])?.count == 2)
      #expect(request.entity?.name == "Note" && request.entityName == "Note")
      request.resultType = .managedObjectIDResultType
      #expect(try context.fetch(request).allSatisfy { $0 is NSManagedObjectID })
      request.resultType = .countResultType
      #expect(try context.fetch(request).first as? NSNumber == 2)
    }
  }

  // S7.1
  @Test func aRequestIsCarriedOutInTheContextOfTheBlock() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let (context, other) = (stack.context(), stack.context("other"))
    let request = NSFetchRequest<Note>(entityName: "Note")
    try context.performAndWait {
      context.insertNote(3)
      #expect(try request.execute().allSatisfy { $0.managedObjectContext === context })
      #expect(try request.execute().count == 3)
      let count = try other.performAndWait { try request.execute().count }
      #expect(count == 2)
      #expect(try request.execute().count == 3)
    }
    #expect(cocoaCode { _ = try request.execute() } == NSPersistentStoreOperationError)
  }
}
