import CoreData
import Testing

/// A parent that counts the faults without a row that it is asked about.
private final class AskedContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: used on its queue.
  var asked = 0

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    asked += 1
    return true
  }
}

@Suite struct PushedMemberTests {
  // S2.3, S4.4: a save can throw, and what is left to do is clear.
  @Test func aMemberWithoutARowIsTakenOutWithoutAQuestion() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    let parent = AskedContext(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let child = stack.child(of: parent)
    try child.performAndWait {
      let note = try child.note(1)
      let word = try #require(try child.words().first)
      note.removeFromWords(word)
      note.title = "changed"
      try stack.change { $0.delete(try #require(try $0.words().first)) }
      try child.save()
    }
    try parent.performAndWait {
      #expect(parent.asked == 0)
      try parent.save()
      #expect(try parent.note(1).words.count == 1)
    }
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE = 1") == ["b"])
  }
}
