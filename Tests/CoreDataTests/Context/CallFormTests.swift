import CoreData
import Testing

/// Calls in the forms in which apps write them; most of each test is that it compiles.
@Suite struct CallFormTests {
  private struct Refused: Error {}

  // S1.3: a form that cannot throw needs no `try`.
  @Test func asynchronousFormsRethrow() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let two = await context.perform { 2 }
    let three = await context.perform(schedule: .enqueued) { 3 }
    let four = await stack.container.performBackgroundTask { _ in 4 }
    let five = await stack.container.persistentStoreCoordinator.perform { 5 }
    let values: [Int] = [two, three, four, five]
    #expect(values == [2, 3, 4, 5])
    await #expect(throws: Refused.self) { try await context.perform { throw Refused() } }
    await #expect(throws: Refused.self) { try await context.perform(schedule: .enqueued) { throw Refused() } }
    await #expect(throws: Refused.self) { try await stack.container.performBackgroundTask { _ in throw Refused() } }
    await #expect(throws: Refused.self) {
      try await stack.container.persistentStoreCoordinator.perform { throw Refused() }
    }
  }

  // S1.3
  @Test func performAndWaitIsAFunctionOfABlock() throws {
    let stack = try TestStack()
    let context = stack.context()
    let run: (() -> Void) -> Void = context.performAndWait
    let runInTurn: (() -> Void) -> Void = stack.container.persistentStoreCoordinator.performAndWait
    var ran: [Bool] = []
    run { ran.append(!context.hasChanges) }
    runInTurn { ran.append(true) }
    #expect(ran == [true, true])
    let number = context.performAndWait { 7 }
    #expect(number == 7)
    #expect(throws: Refused.self) { try context.performAndWait { throw Refused() } }
  }

  // S1.2
  @Test func aContextWithoutATypeIsConfined() {
    #expect(NSManagedObjectContext().concurrencyType == .confinementConcurrencyType)
  }

  // S3.5
  @Test func aConstraintConflictMayBeEmpty() {
    let conflict = NSConstraintConflict()
    #expect(conflict.constraint.isEmpty && conflict.constraintValues.isEmpty && conflict.conflictingObjects.isEmpty)
    #expect(conflict.databaseObject == nil && conflict.databaseSnapshot == nil)
  }

  // S6.3
  @Test func metadataOfAFileAreSetUnderTheOlderNameToo() throws {
    let stack = try TestStack(.file)
    let url = stack.url
    try NSPersistentStoreCoordinator.setMetadata(
      ["app": "test"], forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: nil)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    #expect(metadata["app"] as? String == "test")
  }

  // S6.3
  @Test func aBinaryStoreIsRefused() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bin")
    let code = cocoaCode { _ = try coordinator.addPersistentStore(type: .binary, at: url) }
    #expect(code == NSPersistentStoreInvalidTypeError)
    #expect(NSPersistentStore.StoreType.binary.rawValue == NSBinaryStoreType)
  }

  // S7.2
  @Test func anExpressionTakesASwiftKeyPath() throws {
    let stack = try TestStack()
    try withExtendedLifetime(stack) {
      #expect(NSExpression(forKeyPath: \Note.title).keyPath == "title")
      #expect(NSExpression(forKeyPath: \Note.words).keyPath == "words")
      #expect(NSExpression(forKeyPath: \Word.note?.number).keyPath == "note.number")
      #expect(NSExpression(forKeyPath: \Word.note).keyPath == "note")
      try stack.seed(1...3)
      let predicate = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: \Note.title),
        rightExpression: NSExpression(forConstantValue: "note 2"),
        modifier: .direct, type: .equalTo, options: [])
      let context = stack.context()
      let numbers = try context.performAndWait { try context.notes(predicate).map(\.number) }
      #expect(numbers == [2])
    }
  }
}
