import Scheduling
import Testing

@testable import CoreData

@Suite("S7.4 Asynchronous fetches", .everyStore)
struct AsynchronousFetchTests {
  /// The arguments of a completion block.
  private struct Ending: Sendable {
    var numbers: [Int64]?
    var code: Int?
    var wasOnQueue = false
    var calls = 0
  }

  private let stack: TestStack

  init() throws {
    stack = try TestStack()
    try stack.seed(1...5)
  }

  private func request(_ format: String? = nil) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    return request
  }

  /// Executes a fetch, then `afterwards` in the same block, and waits for the completion block.
  private func run(
    _ fetch: NSFetchRequest<Note>, in context: NSManagedObjectContext,
    _ afterwards: (NSAsynchronousFetchResult<Note>) throws -> Void = { _ in }
  ) async throws -> Ending {
    let ending = Locked(Ending())
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    try context.performAndWait {
      let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
        ending.withLock { ending in
          ending.numbers = result.finalResult?.map(\.number)
          ending.code = (result.operationError as NSError?)?.code
          ending.wasOnQueue = result.managedObjectContext.queue.isHeld
          ending.calls += 1
        }
        continuation.yield()
      }
      let result = try #require(try context.execute(request) as? NSAsynchronousFetchResult<Note>)
      #expect(result.finalResult == nil && result.operationError == nil)
      #expect(result.managedObjectContext === context && result.fetchRequest === request)
      try afterwards(result)
    }
    for await _ in stream { break }
    return ending.withLock { $0 }
  }

  @Test func objectsComeToTheContextsQueue() async throws {
    let context = stack.context()
    let ending = try await run(request("number > 2"), in: context)
    #expect(ending.numbers == [5, 4, 3] && ending.code == nil && ending.wasOnQueue && ending.calls == 1)
  }

  @Test("S7.3: unsaved changes count, those made meanwhile too")
  func unsavedChangesCount() async throws {
    let context = stack.context()
    let ending = try await run(request("number > 3"), in: context) { _ in
      context.insertNote(9)
      context.delete(try context.note(4))
    }
    #expect(ending.numbers == [9, 5])
  }

  /// The result of a fetch, with `body` between its read of the store and the completion block.
  private func numbers(
    _ fetch: NSFetchRequest<Note>, in context: NSManagedObjectContext, _ body: () throws -> Void
  ) throws -> [Int64] {
    let plan = try context.performAndWait { try BackgroundFetch(fetch, context, among: nil) }
    let answer = try plan.read()
    try body()
    return try context.performAndWait { try plan.take(answer, in: context).map(\.number) }
  }

  @Test("a save in between is seen whole, where it was merged, or not at all", arguments: [false, true])
  func aSaveInBetween(isMerging: Bool) throws {
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = isMerging
    let found = try numbers(request("number > 2"), in: context) {
      try stack.change { other in
        try other.note(5).number = 0
        other.delete(try other.note(4))
        other.insertNote(9)
      }
    }
    #expect(found == (isMerging ? [9, 3] : [5, 4, 3]))
  }

  @Test("what is saved while the context takes the answer is merged after the completion block")
  func aSaveWhileTheAnswerIsTaken() async throws {
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    let isSaved = Locked(false)
    let fetch = request()
    // Asked in memory, by the context.
    fetch.predicate = NSPredicate { [stack] _, _ in
      let isFirst = isSaved.withLock { saved in
        defer { saved = true }
        return !saved
      }
      if isFirst { try? stack.change { try $0.note(5).number = 0 } }
      return true
    }
    #expect(try await run(fetch, in: context).numbers == [5, 4, 3, 2, 1])
    #expect(isSaved.withLock { $0 })
    context.performAndWait { #expect((try? context.note(0)) != nil) }
  }

  @Test func anOwnSaveInBetweenIsSeen() throws {
    let context = stack.context()
    let found = try numbers(request("number > 3"), in: context) {
      try context.performAndWait {
        context.insertNote(9)
        try context.note(5).number = 0
        try context.save()
      }
    }
    #expect(found == [9, 4])
  }

  @Test("S6.6: what the context has read since is not read as older", arguments: [false, true])
  func aNewerRowInBetween(isDeleted: Bool) throws {
    let context = stack.context()
    let note = try context.performAndWait { try context.note(5) }
    let found = try numbers(request("number > 3"), in: context) {
      try stack.change { isDeleted ? $0.delete(try $0.note(5)) : (try $0.note(5).number = 8) }
      context.performAndWait {
        context.refresh(note, mergeChanges: false)
        _ = note.number
      }
    }
    #expect(found == (isDeleted ? [4] : [8, 4]))
  }

  @Test("a row that others inserted and the context has read since is in the answer", arguments: [false, true])
  func aNewRowInBetween(isFetched: Bool) throws {
    let context = stack.context()
    let found = try numbers(request("number > 3"), in: context) {
      try stack.change { $0.insertNote(9) }
      if isFetched { _ = try context.performAndWait { try context.note(9).number } }
    }
    #expect(found == (isFetched ? [9, 5, 4] : [5, 4]))
  }

  @Test("so is one that another coordinator has inserted")
  func aRowOfAnotherCoordinatorInBetween() throws {
    let stack = try TestStack(.file)
    _ = try stack.seed(1...5)
    let (context, second) = (stack.context(), try TestStack(url: stack.url))
    let found = try numbers(request("number > 3"), in: context) {
      try second.change { $0.insertNote(9) }
      _ = try context.performAndWait { try context.note(9).number }
    }
    #expect(found == [9, 5, 4])
  }

  @Test("S7.1: faults are left where the request says when rows are read", arguments: [false, true])
  func faultsAreFilled(areRead: Bool) throws {
    let context = stack.context()
    let fetch = request()
    fetch.includesPropertyValues = areRead
    try context.performAndWait {
      let plan = try BackgroundFetch(fetch, context, among: nil)
      let found = try plan.take(plan.read(), in: context)
      #expect(found.count == 5 && found.allSatisfy { $0.isFault != areRead })
      #expect(fetch.returnsObjectsAsFaults)
    }
  }

  @Test func aChildFetchesThroughItsParent() async throws {
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    parent.performAndWait { _ = parent.insertNote(7) }
    let ending = try await run(request("number > 4"), in: child)
    #expect(ending.numbers == [7, 5])
  }

  @Test("S6.3: one order and one page of what all stores have", arguments: [(0, 0), (3, 0), (2, 1)])
  func severalStoresGiveOneAnswer(limit: Int, offset: Int) async throws {
    let several = try SeveralStores()
    try several.seed(1...6)
    let context = several.context()
    let page = request()
    (page.fetchLimit, page.fetchOffset) = (limit, offset)
    let expected = try context.performAndWait { try context.fetch(page).map(\.number) }
    #expect(try await run(page, in: context).numbers == expected)
  }

  @Test func aPredicateWithABlockAndABatchSizeWork() async throws {
    let context = stack.context()
    let blocks = request()
    blocks.predicate = NSPredicate { object, _ in (object as? Note)?.number ?? 0 < 3 }
    #expect(try await run(blocks, in: context).numbers == [2, 1])
    let batches = request()
    batches.fetchBatchSize = 2
    #expect(try await run(batches, in: context).numbers == [5, 4, 3, 2, 1])
  }

  @Test("a cancelled fetch ends once, with NSUserCancelledError", arguments: [false, true])
  func aCancelledFetchEndsOnce(byProgress: Bool) async throws {
    let context = stack.context()
    let ending = try await run(request(), in: context) { result in
      byProgress ? result.progress?.cancel() : result.cancel()
      result.cancel()
      #expect((result.operationError as NSError?)?.code == CocoaError.Code.userCancelled.rawValue)
    }
    #expect(ending.code == CocoaError.Code.userCancelled.rawValue && ending.numbers == nil && ending.calls == 1)
    context.performAndWait {}
  }

  @Test func progressCountsTheResults() async throws {
    let context = stack.context()
    let progress = Locked<Progress?>(nil)
    _ = try await run(request(), in: context) { result in progress.withLock { $0 = result.progress } }
    #expect(progress.withLock { $0?.completedUnitCount } == 5)
  }

  @Test func progressFinishesWithoutResults() async throws {
    let context = stack.context()
    let progress = Locked<Progress?>(nil)
    let ending = try await run(request("number > 99"), in: context) { result in
      progress.withLock { $0 = result.progress }
    }
    #expect(ending.numbers == [])
    #expect(progress.withLock { $0?.isFinished } == true)
  }

  @Test func whatIsWrongIsThrownAtOnce() throws {
    let context = stack.context()
    context.performAndWait {
      let wrong = NSAsynchronousFetchRequest(fetchRequest: request("nothing == 1"))
      #expect(cocoaCode { try context.execute(wrong) } == NSCoreDataError)
    }
    let confined = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    confined.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    let refused = NSAsynchronousFetchRequest(fetchRequest: request())
    #expect(cocoaCode { try confined.execute(refused) } == NSPersistentStoreOperationError)
  }

  @Test func anErrorOfTheStoreIsTheResults() async throws {
    let stack = try TestStack(.file)
    let context = stack.context()
    let ending = try await run(request(), in: context) { _ in
      let coordinator = stack.container.persistentStoreCoordinator
      try coordinator.remove(try #require(coordinator.persistentStores.first))
    }
    // The store may have been removed before its rows were read, while they were, or afterwards.
    let codes: [Int?] = [NSPersistentStoreOpenError, CocoaError.Code.fileReadUnknown.rawValue]
    #expect(codes.contains(ending.code) || ending.numbers == [], "\(ending)")
  }

  @Test func aFetchRequestIsExecutedAtOnce() throws {
    let context = stack.context()
    try context.performAndWait {
      let result = try #require(try context.execute(request("number < 3")) as? NSAsynchronousFetchResult<Note>)
      #expect(result.finalResult?.map(\.number) == [2, 1])
      let count = NSFetchRequest<NSNumber>(entityName: "Note")
      count.resultType = .countResultType
      #expect((try context.execute(count) as? NSAsynchronousFetchResult<NSNumber>)?.finalResult == [5])
      let coordinator = stack.container.persistentStoreCoordinator
      #expect((try coordinator.execute(request("number == 1"), with: context) as? [Note])?.map(\.number) == [1])
    }
  }
}
