@testable import CoreData
import Testing

/// Objects that have two IDs: the permanent one where they are saved, the temporary one in a child.
@Suite struct PermanentIDTests {
  /// A root and its descendants, each the child of the one before.
  private func family(_ depth: Int) throws -> (TestStack, [NSManagedObjectContext]) {
    let stack = try TestStack()
    var contexts = [stack.context("root")]
    for level in 1...depth { contexts.append(stack.child(of: contexts[level - 1], "level \(level)")) }
    return (stack, contexts)
  }

  /// Inserts a note with a word in the leaf and saves every context up to the root; the leaf's objects.
  private func savedFromLeaf(_ contexts: [NSManagedObjectContext]) throws -> (note: Note, word: Word) {
    let leaf = contexts[contexts.count - 1]
    let objects = try leaf.performAndWait {
      let note = leaf.insertNote(1, title: "new", words: ["a"])
      return (note, try #require(note.words.first as? Word))
    }
    for context in contexts.reversed() { try context.performAndWait { try context.save() } }
    return objects
  }

  // S4.3, S2.1
  @Test(arguments: 1...3) func aChildFindsItsObjectUnderEitherID(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    let (note, word) = try savedFromLeaf(contexts)
    let permanent = try stack.noteID(1)
    try leaf.performAndWait {
      #expect(note.objectID.isTemporaryID)
      let fetched = try leaf.notes()
      #expect(fetched == [note])
      #expect(try leaf.words(NSPredicate(format: "note == %@", note)).first === word)
      #expect(try leaf.words(NSPredicate(format: "note == %@", permanent)).first === word)
      #expect(try leaf.words(NSPredicate(format: "note.title == 'new'")).first === word)
      #expect(leaf.object(with: permanent) === note)
      #expect(leaf.registeredObject(for: permanent) === note)
      #expect(leaf.registeredObjects.count == 2)
      leaf.refresh(word, mergeChanges: false)
      #expect(word.note === note)
      #expect(note.words == [word])
    }
    // Contexts between that had released the object find one again, and only one.
    for context in contexts {
      try context.performAndWait {
        let fetched = try context.notes()
        #expect(fetched.count == 1)
        #expect(context.registeredObjects.filter { $0.entity.name == "Note" }.count == 1)
      }
    }
  }

  // S4.3
  @Test(arguments: 1...3) func aChangeUnderTheTemporaryIDReachesTheRow(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    let (note, word) = try savedFromLeaf(contexts)
    leaf.performAndWait {
      note.title = "newer"
      leaf.delete(word)
    }
    for context in contexts.reversed() { try context.performAndWait { try context.save() } }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["newer"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // S4.3
  @Test(arguments: 1...3) func afterTheRootSavedAChildObtainsTheRowsID(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    let (note, word) = try savedFromLeaf(contexts)
    let permanent = try stack.noteID(1)
    try leaf.performAndWait {
      try leaf.obtainPermanentIDs(for: [note, word])
      #expect(note.objectID == permanent)
      #expect(!word.objectID.isTemporaryID)
      note.title = "newer"
    }
    for context in contexts.reversed() { try context.performAndWait { try context.save() } }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["newer"])
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["1"])
  }

  // S4.3
  @Test(arguments: 1...3) func permanentIDsObtainedInAChildAreKeptByTheRoot(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    let (before, after, word) = try leaf.performAndWait {
      let before = leaf.insertNote(1, title: "before", words: ["a"])
      try leaf.save()
      // One that the parent knows under its temporary ID already, and one that it does not.
      let after = leaf.insertNote(2, title: "after")
      try leaf.obtainPermanentIDs(for: [before, after])
      return (before.objectID, after.objectID, try #require(before.words.first))
    }
    #expect(!before.isTemporaryID && !after.isTemporaryID && before != after)
    for context in contexts.reversed() { try context.performAndWait { try context.save() } }
    let keys = [before, after].map { String($0.uriRepresentation().lastPathComponent.dropFirst()) }
    #expect(try stack.sql("SELECT Z_PK FROM ZNOTE ORDER BY ZNUMBER") == keys)
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == [keys[0]])
    try leaf.performAndWait {
      let fetched = try leaf.words()
      #expect(fetched == [word])
      #expect(try leaf.notes().map(\.objectID) == [before, after])
    }
  }

  // S4.3
  @Test(arguments: 1...3) func aLongLivedChildRemembersOnlyTheIDsOfWhatItHolds(depth: Int) throws {
    let (stack, contexts) = try family(depth)
    let leaf = contexts[depth]
    let (note, word) = try savedFromLeaf(contexts)
    for round in 1...20 {
      leaf.performAndWait {
        for number in 0..<10 { leaf.insertNote(Int64(100 * round + number), words: ["a", "b"]) }
      }
      for context in contexts.reversed() { try context.performAndWait { try context.save() } }
    }
    // Notes and words hold each other until then.
    for context in contexts { context.performAndWait { context.refreshAllObjects() } }
    // A round waits for as many new keys as the last one looked at objects: 600 in each child.
    try contexts[0].performAndWait {
      for number in 0..<600 * Int64(depth) { contexts[0].insertNote(10_000 + number) }
      try contexts[0].save()
    }
    for context in contexts { context.performAndWait {} }
    #expect(contexts[0].tree.aliases.count == 2)
    let permanent = try stack.noteID(1)
    try leaf.performAndWait {
      #expect(note.objectID.isTemporaryID)
      #expect(leaf.object(with: permanent) === note)
      let found = try leaf.words(NSPredicate(format: "note == %@", permanent))
      #expect(found.first === word)
      leaf.refresh(word, mergeChanges: false)
      #expect(word.note === note)
    }
  }

  // S4.3
  @Test func aReferenceThatWasReadWhileTemporaryLeadsToItsObjectLater() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let middle = stack.child(of: root, "middle")
    let leaf = stack.child(of: middle, "leaf")
    middle.performAndWait { _ = middle.insertNote(1, title: "new", words: ["a"]) }
    // The leaf reads the word while its note has a temporary ID only, and does not follow the reference.
    let word = try leaf.performAndWait {
      let word = try #require(try leaf.words().first)
      #expect(word.term == "a")
      return word
    }
    for context in [middle, root] { try context.performAndWait { try context.save() } }
    // From now on only the word names the note.
    middle.performAndWait { middle.refreshAllObjects() }
    for number in 2...20 {
      try middle.performAndWait {
        _ = middle.insertNote(Int64(number))
        try middle.save()
      }
      try root.performAndWait { try root.save() }
      leaf.performAndWait {}
    }
    #expect(root.tree.aliases.count < 10)
    leaf.performAndWait { #expect(word.note?.title == "new") }
  }

  // S4.3
  @Test func aReferenceTakenFromTheParentAfterAChildHasLookedStaysKnown() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let middle = stack.child(of: root, "middle")
    let leaf = stack.child(of: middle, "leaf")
    middle.performAndWait { _ = middle.insertNote(1, title: "new", words: ["a"]) }
    for context in [middle, root] { try context.performAndWait { try context.save() } }
    // The leaf says that it uses nothing, then it reads the word as the parent has it, which has yet to say.
    middle.performAndWait { _ = middle.insertNote(50) }
    leaf.performAndWait {}
    let taken = try leaf.performAndWait {
      let taken = try #require(try leaf.words().first)
      #expect(taken.term == "a")
      return taken
    }
    // The parent releases both, and posts it.
    try middle.performAndWait {
      middle.refreshAllObjects()
      try middle.save()
    }
    for number in 2...20 {
      try root.performAndWait {
        _ = root.insertNote(Int64(number))
        try root.save()
      }
      middle.performAndWait {}
      leaf.performAndWait {}
    }
    leaf.performAndWait { #expect(taken.note?.title == "new") }
  }

  // S2.2
  @Test func referencesFollowAnObjectThatObtainedItsID() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a", "b"])
      let first = try #require(note.words.first as? Word)
      try context.obtainPermanentIDs(for: [note])
      #expect(first.note === note)
      #expect(try context.words(NSPredicate(format: "note == %@", note)).count == 2)
      try context.obtainPermanentIDs(for: [first])
      try context.save()
      #expect(first.note === note)
      context.refreshFaults()
      #expect(first.note === note)
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["1", "1"])
  }

  // S5.3, S4.3
  @Test func aChildMergesItsRootsSaveIntoTheObjectWithTheTemporaryID() throws {
    let (_, contexts) = try family(1)
    let (root, leaf) = (contexts[0], contexts[1])
    leaf.automaticallyMergesChangesFromParent = true
    let (note, _) = try savedFromLeaf(contexts)
    try root.performAndWait {
      try root.note(1).title = "changed in the root"
      try root.save()
    }
    leaf.performAndWait { #expect(note.title == "changed in the root") }
  }
}

extension TestStack {
  /// The permanent ID of a saved note.
  fileprivate func noteID(_ number: Int64) throws -> NSManagedObjectID {
    let context = context()
    return try context.performAndWait { try context.note(number).objectID }
  }
}

extension NSManagedObjectContext {
  /// Makes every object a fault; on this context's queue.
  fileprivate func refreshFaults() {
    for object in registeredObjects { refresh(object, mergeChanges: false) }
  }
}
