import CoreData
import Testing

@Suite(.everyStore) struct ParentTests {
  /// A root and its descendants, each the child of the one before; one saved note with a word.
  private func family(_ depth: Int) throws -> (TestStack, [NSManagedObjectContext]) {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    var contexts = [stack.context("root")]
    for level in 1...depth { contexts.append(stack.child(of: contexts[level - 1], "level \(level)")) }
    return (stack, contexts)
  }

  private func save(_ contexts: some Sequence<NSManagedObjectContext>) throws {
    for context in contexts { try context.performAndWait { try context.save() } }
  }

  // S4.1
  @Test(arguments: 1...3) func theStoreHasAChangeOnlyAfterEveryAncestorSaved(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    try leaf.performAndWait {
      let note = leaf.insertNote(2, title: "new", words: ["b", "c"])
      try leaf.note(1).title = "changed"
      note.title = "newer"
    }
    for (level, context) in contexts.enumerated().reversed() {
      #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 1"])
      try context.performAndWait {
        #expect(context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)
      }
      if level > 0 { contexts[level - 1].performAndWait { #expect(contexts[level - 1].hasChanges) } }
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["changed", "newer"])
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD ORDER BY ZTERM") == ["1", "2", "2"])
  }

  // S4.1
  @Test(arguments: 1...3) func aFetchSeesTheUnsavedChangesOfEveryAncestor(depth: Int) throws {
    let (_, contexts) = try family(depth)
    let (root, leaf) = (contexts[0], contexts[depth])
    try root.performAndWait {
      try root.note(1).title = "changed"
      root.insertNote(2, title: "inserted")
    }
    if depth > 1 { contexts[1].performAndWait { _ = contexts[1].insertNote(3, title: "between") } }
    try leaf.performAndWait {
      let titles = try leaf.notes().map(\.title)
      #expect(titles == (depth > 1 ? ["changed", "inserted", "between"] : ["changed", "inserted"]))
      #expect(try leaf.notes(NSPredicate(format: "title == 'note 1'")).isEmpty)
      #expect(try leaf.count(for: NSFetchRequest<Note>(entityName: "Note")) == titles.count)
    }
    try root.performAndWait { root.delete(try root.note(1)) }
    try leaf.performAndWait {
      let numbers = try leaf.notes().map(\.number)
      #expect(numbers == (depth > 1 ? [2, 3] : [2]))
    }
  }

  // S4.4
  @Test(arguments: 1...3) func aFaultIsFilledFromTheNearestAncestorThatChangedIt(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let id = try stack.context().performAndWaitNote(1).objectID
    try contexts[0].performAndWait { try contexts[0].note(1).title = "in the root" }
    let leaf = contexts[depth]
    leaf.performAndWait {
      let note = leaf.object(with: id) as? Note
      #expect(note?.title == "in the root")
      #expect(note?.words.count == 1)
      #expect(note?.hasChanges == false)
    }
  }

  // S4.4: a parent's deletion stays, saved or not; the child's changes of the object go with it.
  @Test(arguments: [false, true]) func whatTheParentDeletedStaysDeleted(isSaved: Bool) throws {
    let (stack, contexts) = try family(1)
    let (root, child) = (contexts[0], contexts[1])
    let note = try child.performAndWait {
      let note = try child.note(1)
      note.title = "changed"
      return note
    }
    try root.performAndWait {
      root.delete(try root.note(1))
      if isSaved { try root.save() }
    }
    try child.performAndWait {
      try child.save()
      #expect(!child.hasChanges && !note.hasChanges)
      #expect(try child.notes().isEmpty)
    }
    try root.performAndWait {
      #expect(try root.notes().isEmpty)
      try root.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // S4.1, S8.1
  @Test(arguments: 1...3) func aDeleteInAChildDeletesInItsAncestors(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    try leaf.performAndWait { leaf.delete(try leaf.note(1)) }
    try save(contexts.reversed().dropLast())
    try contexts[0].performAndWait {
      #expect(contexts[0].deletedObjects.count == 2)
      try contexts[0].save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // S4.3
  @Test func aChildsObjectKeepsItsTemporaryIDEvenAfterTheRootSaved() throws {
    let (_, contexts) = try family(2)
    let leaf = contexts[2]
    let note = leaf.performAndWait { leaf.insertNote(2, title: "new") }
    let id = leaf.performAndWait { note.objectID }
    #expect(id.isTemporaryID)
    try save([contexts[2]])
    contexts[1].performAndWait { #expect(contexts[1].registeredObject(for: id) != nil) }
    try save([contexts[1], contexts[0]])
    #expect(note.objectID == id)
    try leaf.performAndWait {
      note.title = "again"
      let known = try leaf.existingObject(with: id)
      #expect(known === note)
    }
    try save(contexts.reversed())
    try contexts[0].performAndWait {
      let saved = try contexts[0].note(2)
      #expect(saved.title == "again")
      #expect(!saved.objectID.isTemporaryID)
    }
  }

  // S4.3
  @Test func permanentIDsAreObtainedThroughTheAncestorsAndKept() throws {
    let (stack, contexts) = try family(3)
    let leaf = contexts[3]
    let note = try leaf.performAndWait {
      let note = leaf.insertNote(2, words: ["b"])
      try leaf.obtainPermanentIDs(for: [note])
      #expect(!note.objectID.isTemporaryID)
      return note
    }
    let id = note.objectID
    try save(contexts.reversed())
    #expect(note.objectID == id)
    let saved = try contexts[0].performAndWaitNote(2)
    #expect(saved.objectID == id)
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD ORDER BY ZTERM") == ["1", "2"])
  }

  // S4.3: the parent may have been asked for the ID before the object came.
  @Test func anObjectMayBeKnownAsAFaultBeforeItIsPushed() throws {
    let (stack, contexts) = try family(1)
    let (root, child) = (contexts[0], contexts[1])
    let note = try child.performAndWait {
      let note = child.insertNote(2, title: "new")
      try child.obtainPermanentIDs(for: [note])
      return note
    }
    let early = root.performAndWait { root.object(with: note.objectID) }
    try save([child, root])
    root.performAndWait {
      #expect((early as? Note)?.title == "new")
      #expect(!early.isDeleted)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE WHERE ZNUMBER = 2") == ["new"])
  }

  // S4.4
  @Test func theChildsChangedPropertiesWinAndOthersStay() throws {
    let (stack, contexts) = try family(1)
    let (root, child) = (contexts[0], contexts[1])
    let inChild = try child.performAndWait { try child.note(1) }
    child.performAndWait { inChild.title = "child's" }
    try root.performAndWait {
      let note = try root.note(1)
      note.title = "root's"
      note.number = 7
    }
    try save([child, root])
    #expect(try stack.sql("SELECT ZTITLE || ' ' || ZNUMBER FROM ZNOTE") == ["child's 7"])
  }

  // S4.2
  @Test func aSiblingSeesAPushWhenItFetches() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let (writer, reader) = (stack.child(of: root, "writer"), stack.child(of: root, "reader"))
    try writer.performAndWait {
      writer.insertNote(1, title: "first")
      try writer.save()
    }
    let note = try reader.performAndWait { try reader.note(1) }
    try writer.performAndWait {
      try writer.note(1).title = "second"
      try writer.save()
    }
    try reader.performAndWait {
      #expect(note.title == "second", "still a fault when the push came")
      try writer.performAndWait {
        try writer.note(1).title = "third"
        try writer.save()
      }
      #expect(note.title == "second")
      _ = try reader.notes()
      #expect(note.title == "second", "a fetch never changes a realised object")
      reader.refresh(note, mergeChanges: true)
      #expect(note.title == "third")
    }
  }

  // S4.2, S5.2
  @Test func aSiblingMergesAPush() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let (writer, reader) = (stack.child(of: root, "writer"), stack.child(of: root, "reader"))
    try stack.seed(1...2)
    let note = try reader.performAndWait { try reader.note(1) }
    let doomed = try reader.performAndWait { try reader.note(2) }
    reader.performAndWait { _ = (note.title, doomed.title) }
    let log = NotificationLog(writer)
    try writer.performAndWait {
      try writer.note(1).title = "pushed"
      writer.delete(try writer.note(2))
      writer.insertNote(3, title: "new")
      try writer.save()
    }
    try reader.performAndWait {
      reader.mergeChanges(fromContextDidSave: try #require(log.didSaves.last))
      #expect(note.title == "pushed")
      #expect(doomed.isDeleted)
      #expect(doomed.title == "note 2")
      let numbers = try reader.notes().map(\.number)
      #expect(numbers == [1, 3])
    }
  }

  // S4.4: versions are checked at the root's save, with the root's policy.
  @Test func aConflictShowsOnlyAtTheRoot() throws {
    let (stack, contexts) = try family(2)
    try contexts[2].performAndWait { try contexts[2].note(1).title = "leaf's" }
    try contexts[0].performAndWait { _ = try contexts[0].note(1).title }
    let held = try contexts[0].performAndWait { try contexts[0].note(1) }
    contexts[0].performAndWait { _ = held.title }
    try stack.change { try $0.note(1).title = "elsewhere" }
    try save([contexts[2], contexts[1]])
    contexts[0].performAndWait {
      #expect(cocoaCode { try contexts[0].save() } == NSManagedObjectMergeError)
      contexts[0].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }
    try save([contexts[0]])
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["leaf's"])
  }

  // S4.1: an object that moves between to-many relationships moves in the parent.
  @Test func aMoveBetweenToManyRelationshipsIsPushed() throws {
    let (stack, contexts) = try family(2)
    let leaf = contexts[2]
    try leaf.performAndWait {
      let second = leaf.insertNote(2)
      let word = try leaf.words()[0]
      word.note = second
      try leaf.save()
    }
    try contexts[1].performAndWait {
      #expect(try contexts[1].note(1).words.isEmpty)
      #expect(try contexts[1].note(2).words.count == 1)
      try contexts[1].save()
      try contexts[0].performAndWait { try contexts[0].save() }
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["2"])
  }

  // S4.1, S2.6
  @Test func manyToManyIsPushed() throws {
    let (stack, contexts) = try family(2)
    let leaf = contexts[2]
    try leaf.performAndWait {
      let word = try leaf.words()[0] as Word
      let tags = ["x", "y"].map { leaf.insert("Tag", ["name": $0]) }
      word.tags = Set(tags)
    }
    try save(contexts.reversed())
    #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["2"])
    try leaf.performAndWait { try leaf.words()[0].tags = [] }
    try save(contexts.reversed())
    #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["0"])
  }

  // S3.6, S4.1
  @Test func anObjectDeletedBeforeTheRootSavedNeverReachesTheStore() throws {
    let (stack, contexts) = try family(1)
    let (root, child) = (contexts[0], contexts[1])
    let note = child.performAndWait { child.insertNote(2) }
    try save([child])
    try child.performAndWait {
      child.delete(note)
      try child.save()
    }
    root.performAndWait { #expect(!root.hasChanges) }
    try save([root])
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["1"])
  }
}

extension NSManagedObjectContext {
  fileprivate func performAndWaitNote(_ number: Int64) throws -> Note { try performAndWait { try note(number) } }
}
