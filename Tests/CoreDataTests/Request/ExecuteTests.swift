import SQLite
import Testing

@testable import CoreData

@Suite("S7.4 Executing requests")
struct ExecuteTests {
  /// One of each kind of batch request, each of which would change every store that has notes.
  static let batches: [@Sendable () -> NSPersistentStoreRequest] = [
    { NSBatchInsertRequest(entityName: "Note", objects: [["number": 1]]) },
    { NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Note")) },
    {
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.propertiesToUpdate = ["title": "x"]
      return update
    },
  ]

  @Test("a read-only store refuses", arguments: batches.indices)
  func aReadOnlyStoreRefuses(kind: Int) throws {
    let writable = try TestStack()
    try writable.seed(1...3)
    let stack = try TestStack(url: writable.url, isReadOnly: true)
    let before = try stack.dump()
    let context = stack.context()
    context.performAndWait {
      #expect(cocoaCode { try context.execute(Self.batches[kind]()) } == NSPersistentStoreSaveError)
    }
    #expect(try stack.dump() == before)
  }

  @Test("a step that fails leaves the store and the next save as they were", arguments: batches.indices)
  func aStepThatFailsLeavesTheStoreUntouched(kind: Int) throws {
    for transaction in FaultPlan.Transaction.allCases {
      var step = 0
      var isFailing = true
      while isFailing {
        step += 1
        let stack = try TestStack(model: Notebook.model(wordsRule: .nullifyDeleteRule))
        try stack.seed(1...2, words: ["a"])
        let before = try stack.dump()
        let context = stack.context()
        let plan = FaultPlan(failing: step, transaction: transaction)
        try stack.withWriter { $0.connection.faults = plan }
        let code = context.performAndWait { cocoaCode { try context.execute(Self.batches[kind]()) } }
        try stack.withWriter { $0.connection.faults = nil }
        isFailing = plan.failed != nil
        if isFailing {
          #expect(code == NSPersistentStoreSaveError, "step \(step): \(plan.failed ?? "")")
          #expect(try stack.dump() == before, "step \(step): \(plan.failed ?? "")")
        } else {
          #expect(code == nil)
          #expect(try stack.dump() != before)
        }
        try stack.change { $0.insertNote(50) }
      }
      #expect(step > 4)
    }
  }

  @Test func saveRequestsAndUnknownRequestsAreRefused() throws {
    let stack = try TestStack()
    let context = stack.context()
    context.performAndWait {
      let save = NSSaveChangesRequest(inserted: [], updated: nil, deleted: nil, locked: nil)
      #expect(save.requestType == .saveRequestType && save.insertedObjects == [])
      #expect(cocoaCode { try context.execute(save) } == NSPersistentStoreUnsupportedRequestTypeError)
      #expect(
        cocoaCode { try context.execute(NSPersistentStoreRequest()) } == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  @Test func aCoordinatorCarriesRequestsOutForItsContexts() throws {
    let (stack, another) = (try TestStack(), try TestStack())
    let context = stack.context()
    try context.performAndWait {
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["number": 1]])
      request.resultType = .count
      let result = try stack.container.persistentStoreCoordinator.execute(request, with: context)
      #expect((result as? NSBatchInsertResult)?.result as? Int == 1)
      let coordinator = another.container.persistentStoreCoordinator
      #expect(
        cocoaCode { _ = try coordinator.execute(request, with: context) } == NSPersistentStoreOperationError)
    }
  }

  @Test func aContextWithoutStoreSaysSo() throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.performAndWait {
      for batch in Self.batches {
        #expect(cocoaCode { try context.execute(batch()) } == NSPersistentStoreOpenError)
      }
    }
  }

  @Test("copies ask the same", arguments: batches.indices)
  func copiesAskTheSame(kind: Int) throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let request = Self.batches[kind]()
    let copy = try #require(request.copy() as? NSPersistentStoreRequest)
    #expect(copy.requestType == request.requestType && type(of: copy) == type(of: request))
    let before = try stack.dump()
    let context = stack.context()
    try context.performAndWait { _ = try context.execute(copy) }
    #expect(try stack.dump() != before)
  }
}
