import CoreData
import Testing

/// The notification of a child's save, merged by contexts whose store has nothing of it yet. S4.4, S5.2
@Suite(.everyStore) struct PushedSaveTests {
  /// A root and its descendants, each the child of the one before, and the save of the last one, which deletes note 1.
  private func deletion(
    _ stack: TestStack, depth: Int
  ) throws -> (contexts: [NSManagedObjectContext], save: Notification) {
    var contexts = [stack.context("root")]
    for level in 1...depth { contexts.append(stack.child(of: contexts[level - 1], "level \(level)")) }
    let last = contexts[depth]
    let log = NotificationLog(last)
    try last.performAndWait {
      last.delete(try last.note(1))
      try last.save()
    }
    return (contexts, try #require(log.didSaves.last))
  }

  // S4.4: an observer that merges every save merges that of a child as well.
  @Test(arguments: 1...2) func aParentStillDeletesWhatItsChildDeleted(depth: Int) throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let (contexts, save) = try deletion(stack, depth: depth)
    for context in contexts.dropLast().reversed() {
      try context.performAndWait {
        context.mergeChanges(fromContextDidSave: save)
        #expect(context.hasChanges && context.deletedObjects.count == 2)
        try context.save()
      }
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 2"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["1"])
  }

  // S5.2: as in a remote merge, what is in the store is not deleted.
  @Test func whatIsInTheStoreStays() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let other = stack.context("other")
    let note = try other.performAndWait { try other.note(1) }
    let (contexts, save) = try deletion(stack, depth: 1)
    try other.performAndWait {
      other.mergeChanges(fromContextDidSave: save)
      #expect(!note.isDeleted && other.deletedObjects.isEmpty)
      note.title = "changed"
      try other.save()
    }
    contexts[0].performAndWait { contexts[0].rollback() }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["changed", "note 2"])
  }
}
