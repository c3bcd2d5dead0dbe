import CoreData
import Testing

/// Objects that a parent was to save for its child, and gave up by its merge policy. S4.5
@Suite(.everyStore) struct GivenUpObjectTests {
  private func family(
    _ policy: NSMergePolicy, model: NSManagedObjectModel = Notebook.model(uniqueNotes: [["number"]])
  ) throws -> (stack: TestStack, parent: NSManagedObjectContext, child: NSManagedObjectContext) {
    let stack = try TestStack(model: model)
    try stack.seed(1...2)
    let parent = stack.context("parent")
    parent.mergePolicy = policy
    let child = stack.child(of: parent)
    child.automaticallyMergesChangesFromParent = true
    return (stack, parent, child)
  }

  // S4.5, S3.5
  @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
  func aChildLosesWhatCollided(policy: NSMergePolicy) throws {
    let (_, parent, child) = try family(policy)
    let (rival, word) = try child.performAndWait {
      let rival = child.insertNote(1, title: "rival", words: ["a"])
      try child.save()
      return (rival, try #require(rival.words.first))
    }
    try parent.performAndWait { try parent.save() }
    try child.performAndWait {
      #expect(rival.isDeleted && !word.isDeleted)
      let code = cocoaCode { _ = try child.existingObject(with: rival.objectID) }
      #expect(code == NSManagedObjectReferentialIntegrityError)
      let note = try child.note(1)
      #expect((word as? Word)?.note === note)
      #expect(!child.hasChanges)
    }
  }

  // S4.5, S3.4: its row was deleted by another context, and the policy lets it go.
  @Test(arguments: [NSMergePolicy.rollback, .mergeByPropertyStoreTrump])
  func aChildLosesWhatWasDeletedElsewhere(policy: NSMergePolicy) throws {
    let (stack, parent, child) = try family(policy)
    let log = NotificationLog(child)
    let note = try child.performAndWait {
      let note = try child.note(1)
      note.title = "changed"
      try child.save()
      return note
    }
    try stack.change { $0.delete(try $0.note(1)) }
    _ = log.take()
    try parent.performAndWait {
      try parent.note(2).title = "saved"
      try parent.save()
    }
    child.performAndWait {
      #expect(note.isDeleted && child.deletedObjects == [note] && !child.hasChanges)
    }
    #expect(log.take().contains { $0.sets[NSDeletedObjectsKey]?.count == 1 })
  }
}
