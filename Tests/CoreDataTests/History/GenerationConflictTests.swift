import Testing

@testable import CoreData

/// Saves and reads of a context that reads an older state, where others have changed the store.
@Suite struct GenerationConflictTests {
  /// A context with object trump that reads the state of its first read, or the newest.
  private func context(_ stack: TestStack, isPinned: Bool) throws -> NSManagedObjectContext {
    let context = stack.context("reader")
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait { try context.setQueryGenerationFrom(isPinned ? .current : nil) }
    return context
  }

  // S8.1, S6.17: the rules of a deletion are followed again beside the newest rows.
  @Test(arguments: [false, true]) func whoCameToADeletedObjectFollowsIt(isPinned: Bool) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let context = try context(stack, isPinned: isPinned)
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1" && note.words.isEmpty)
      try stack.change { Word(context: $0).note = try $0.note(1) }
      context.delete(note)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // S3.4, S6.17
  @Test(arguments: [false, true]) func whoComesBackLeadsToNoObjectThatIsGone(isPinned: Bool) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1, words: ["a"])
    let context = try context(stack, isPinned: isPinned)
    try context.performAndWait {
      let word = try #require(try context.words().first)
      #expect(word.note?.title == "note 1")
      try stack.change { $0.delete(try $0.note(1)) }
      word.term = "b"
      try context.save()
      #expect(context.queryGenerationToken == (isPinned ? .current : nil))
    }
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE IS NULL") == ["b"])
  }

  // S6.10, S6.17: another process has made another store in the file.
  @Test func noRowOfAnotherStoreIsRead() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let context = try context(stack, isPinned: true)
    let model = stack.container.managedObjectModel
    try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(
      at: stack.url, ofType: NSSQLiteStoreType)
    try TestStack(model: model, url: stack.url).seed(11...11)
    context.performAndWait {
      #expect(cocoaCode { _ = try context.notes() } == CocoaError.Code.fileReadUnknown.rawValue)
    }
  }
}
